/** Alerts about runs themselves: channels, housekeeping, clocks, and runs that failed before. */
import type { FiringAlert, RuleVerdict } from '../../core/alerts/alert-rule.ts';
import { toHousekeepingAlertKey } from '../../core/facts/alert-event.ts';
import type { OperationsFacts } from '../../core/facts/operations.ts';
import type { AlertState } from '../../core/facts/remembered.ts';
import { housekeepingSteps } from '../../core/facts/vocabulary.ts';
import { formatDuration } from '../../core/time/calendar.ts';

export function decideOperationsAlerts(operations: OperationsFacts): readonly RuleVerdict[] {
  return [
    decideChannelAlerts(operations),
    decideHousekeepingAlerts(operations),
    decideClockAlert(operations),
    { prefix: failedRunPrefix, firing: [], isUnknown: () => false },
  ];
}

function decideChannelAlerts({ undelivered = [], unfinished = [] }: OperationsFacts): RuleVerdict {
  const prefix = 'channel:';
  // Failing to read or mark messages leaves it unknown whether channels work.
  const isKnown = unfinished.every(({ step }) => step !== 'messages');
  const firing = undelivered.map(({ channel, since }): FiringAlert => {
    const text = `The channel ${channel} has accepted no message since ${since}.`;
    return { key: `${prefix}${channel}`, kind: 'channel.undelivered', details: { text, subject: channel } };
  });
  return { prefix, firing, isUnknown: () => !isKnown };
}

/** Alerts about steps that failed; unknown where no housekeeping was tried. */
function decideHousekeepingAlerts({ unfinished }: OperationsFacts): RuleVerdict {
  const firing = (unfinished ?? []).map(({ step, message }): FiringAlert => {
    const { doing } = housekeepingSteps[step];
    const details = { text: `${doing} could not be finished: ${message}`, subject: doing };
    return { key: toHousekeepingAlertKey(step), kind: 'housekeeping.unfinished', details };
  });
  return { prefix: 'housekeeping:', firing, isUnknown: () => unfinished === undefined };
}

/** The alert about clocks; unknown where no server's clock could be compared. */
function decideClockAlert({ clockDifferences }: OperationsFacts): RuleVerdict {
  const key = 'clock';
  const clocks = (clockDifferences ?? []).map(
    ({ server, seconds }) =>
      `${formatDuration(Math.abs(seconds))} ${seconds < 0 ? 'ahead of' : 'behind'} the clock of ${server}`,
  );
  const text = `This machine's clock is ${clocks.join(', and ')}.`;
  return {
    prefix: key,
    firing: clocks.length === 0 ? [] : [{ key, kind: 'clock.differs', details: { text } }],
    isUnknown: () => clockDifferences === undefined,
  };
}

const failedRunPrefix = 'run:';

/**
 * Open alerts about runs that failed, each of which reported itself and left no state. The run that succeeds ends them.
 */
export function listFailedRunAlerts({ failedRuns = [] }: Pick<OperationsFacts, 'failedRuns'>): readonly AlertState[] {
  return failedRuns.map((slot) => {
    const kind = 'run.failed';
    const details = { subject: `The run of ${slot}` };
    return { key: `${failedRunPrefix}${slot}`, kind, since: slot, opened: 0, last: slot, details, sentAs: [{ kind }] };
  });
}
