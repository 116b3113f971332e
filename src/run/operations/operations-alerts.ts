/** Alerts about runs themselves: channels, housekeeping, retention, clocks, and runs that failed before. */
import type { AlertCondition } from '../../core/alerts/reconcile.ts';
import { toHousekeepingAlertKey } from '../../core/facts/alert-event.ts';
import { formatDuration } from '../../core/facts/calendar.ts';
import type { HeldBack, OperationsFacts } from '../../core/facts/operations.ts';
import type { AlertState } from '../../core/facts/remembered.ts';
import { type HousekeepingStep, housekeepingSteps } from '../../core/facts/vocabulary.ts';
import { describeHeldBack } from './kept-runs.ts';

export function decideOperationsAlerts(
  operations: OperationsFacts,
  heldBack: HeldBack | undefined,
  slot: string,
): readonly (readonly AlertCondition[])[] {
  return [
    decideChannelAlerts(operations),
    decideHousekeepingAlerts(operations),
    decideRetentionAlert(heldBack),
    decideClockAlert(operations),
    decideFailedRunAlerts(slot),
  ];
}

function decideChannelAlerts({ undelivered = [], unfinished = [] }: OperationsFacts): readonly AlertCondition[] {
  const prefix = 'channel:';
  // Messages that could not be read or marked say nothing of their channels.
  const isKnown = unfinished.every(({ step }) => step !== 'messages');
  return [
    ...undelivered.map(({ channel, since }): AlertCondition => {
      const text = `The channel ${channel} has accepted no message since ${since}.`;
      return { state: 'firing', key: `${prefix}${channel}`, kind: 'channel.undelivered', details: { text } };
    }),
    {
      state: 'others',
      prefix,
      resolve: ({ key }) => {
        const text = `No message of the channel ${key.slice(prefix.length)} waits to be delivered.`;
        return isKnown ? { details: { text } } : undefined;
      },
    },
  ];
}

/** Where nothing was tried, nobody knows whether it could be done. */
function decideHousekeepingAlerts({ unfinished }: OperationsFacts): readonly AlertCondition[] {
  const steps = unfinished === undefined ? [] : (Object.keys(housekeepingSteps) as HousekeepingStep[]);
  return steps.map((step) => {
    const key = toHousekeepingAlertKey(step);
    const { doing } = housekeepingSteps[step];
    const failed = unfinished?.find((one) => one.step === step);
    if (failed === undefined) {
      return { state: 'resolved', key, details: { text: `${doing} works again; what was left is done.` } };
    }
    const text = `${doing} could not be finished: ${failed.message}`;
    return { state: 'firing', key, kind: 'housekeeping.unfinished', details: { text } };
  });
}

function decideRetentionAlert(heldBack: HeldBack | undefined): readonly AlertCondition[] {
  const key = 'retention';
  if (heldBack === undefined) {
    return [{ state: 'resolved', key, details: { text: 'No run is older than retention.nights allows.' } }];
  }
  const { since, nights, limit } = heldBack;
  const details = { text: describeHeldBack(heldBack), figures: { nights, limit } };
  return [{ state: 'firing', key, kind: 'retention.held-back', about: since, details }];
}

/** Where no server's clock could be compared, nobody knows. */
function decideClockAlert({ clockDifferences }: OperationsFacts): readonly AlertCondition[] {
  const key = 'clock';
  if (clockDifferences === undefined) {
    return [];
  }
  if (clockDifferences.length === 0) {
    const text = "This machine's clock agrees with those of the servers again.";
    return [{ state: 'resolved', key, details: { text } }];
  }
  const clocks = clockDifferences.map(
    ({ server, seconds }) =>
      `${formatDuration(Math.abs(seconds))} ${seconds < 0 ? 'ahead of' : 'behind'} the clock of ${server}`,
  );
  const text = `This machine's clock is ${clocks.join(', and ')}.`;
  return [{ state: 'firing', key, kind: 'clock.differs', details: { text } }];
}

const failedRunPrefix = 'run:';

/** A run that failed reported it at once, and left no state that says so. */
export function listFailedRunAlerts({ failedRuns = [] }: Pick<OperationsFacts, 'failedRuns'>): readonly AlertState[] {
  return failedRuns.map((slot) => {
    const kind = 'run.failed';
    return { key: `${failedRunPrefix}${slot}`, kind, since: slot, last: slot, sentAs: [{ kind }] };
  });
}

/** The run that succeeds says that those before it are over. */
function decideFailedRunAlerts(slot: string): readonly AlertCondition[] {
  const prefix = failedRunPrefix;
  const describe = (key: string) => `The run of ${key.slice(prefix.length)} failed; the run of ${slot} succeeded.`;
  return [{ state: 'others', prefix, resolve: ({ key }) => ({ details: { text: describe(key) } }) }];
}
