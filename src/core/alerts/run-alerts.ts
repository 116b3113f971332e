/** What holds for the run as a whole: its coverage, its channels, its store, its clock, runs that failed before it, and what a person vouched for. */

import { describeHeldBack } from '../baseline/retention.ts';
import { countDaysBetween, formatDuration } from '../facts/calendar.ts';
import type { Facts, Statement } from '../facts/facts.ts';
import type { AlertState } from '../facts/remembered.ts';
import { type HousekeepingStep, housekeepingSteps } from '../facts/vocabulary.ts';
import { computeInterval } from '../source/coverage.ts';
import type { NightAlertInput } from './alert-input.ts';
import type { AlertCondition } from './reconcile.ts';

/** Judged on the low figure, and only when every source was complete: missing data neither opens nor resolves the alert. */
export function decideCoverageAlert({ facts, total }: NightAlertInput): readonly AlertCondition[] {
  const { minimumCoverage: minimum } = facts.policy;
  const key = 'coverage';
  if (minimum === undefined) {
    const text = 'policy.minimumCoverage is not set any more.';
    return [{ state: 'resolved', key, kind: 'coverage.restored', details: { text } }];
  }
  if (total.soundness !== 'complete' || total.counted === 0) {
    return [];
  }
  const { low, coverage, high } = computeInterval(total);
  const details = { figures: { low: Number(low), coverage: Number(coverage), high: Number(high), minimum } };
  return total.provenInstalled * 100 < minimum * total.counted
    ? [{ state: 'firing', key, kind: 'coverage.below', details }]
    : [{ state: 'resolved', key, kind: 'coverage.restored', details }];
}

export function decideChannelAlerts({ facts }: NightAlertInput): readonly AlertCondition[] {
  const { undelivered = [], unfinished = [] } = facts;
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

export function toHousekeepingAlertKey(step: HousekeepingStep): string {
  return `housekeeping:${step}`;
}

/** Where nothing was tried, nobody knows whether it could be done. */
export function decideHousekeepingAlerts({ facts: { unfinished } }: NightAlertInput): readonly AlertCondition[] {
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

export function decideRetentionAlert({ heldBack }: NightAlertInput): readonly AlertCondition[] {
  const key = 'retention';
  if (heldBack === undefined) {
    return [{ state: 'resolved', key, details: { text: 'No run is older than retention.nights allows.' } }];
  }
  const { since, nights, limit } = heldBack;
  const details = { text: describeHeldBack(heldBack), figures: { nights, limit } };
  return [{ state: 'firing', key, kind: 'retention.held-back', about: since, details }];
}

/** Where no server's clock could be compared, nobody knows. */
export function decideClockAlert({ facts: { clockDifferences } }: NightAlertInput): readonly AlertCondition[] {
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
export function listFailedRunAlerts({ failedRuns = [] }: Pick<Facts, 'failedRuns'>): readonly AlertState[] {
  return failedRuns.map((slot) => {
    const kind = 'run.failed';
    return { key: `${failedRunPrefix}${slot}`, kind, since: slot, last: slot, sentAs: [{ kind }] };
  });
}

/** The run that succeeds says that those before it are over. */
export function decideFailedRunAlerts({ facts: { slot } }: NightAlertInput): readonly AlertCondition[] {
  const prefix = failedRunPrefix;
  const describe = (key: string) => `The run of ${key.slice(prefix.length)} failed; the run of ${slot} succeeded.`;
  return [{ state: 'others', prefix, resolve: ({ key }) => ({ details: { text: describe(key) } }) }];
}

/** Time to look again before a source becomes untrusted. */
const noticeDays = 30;
const statementPrefix = 'statement:';

/** Attestations and acceptances that end soon: afterwards their checks no longer pass. */
export function decideStatementAlerts({ facts }: NightAlertInput): readonly AlertCondition[] {
  const { slot, statements = [] } = facts;
  const latest = new Map<string, Statement>();
  for (const statement of statements) {
    const key = `${statementPrefix}${statement.kind}/${statement.about}`;
    const other = latest.get(key);
    // One that still counts is sufficient, however many there are about one thing.
    if (other === undefined || statement.until > other.until) {
      latest.set(key, statement);
    }
  }
  const conditions = [...latest].map(([key, statement]): AlertCondition => {
    const { until } = statement;
    const days = countDaysBetween(slot, until);
    const what = describeStatement(statement);
    if (days > noticeDays) {
      return { state: 'resolved', key, details: { text: `${what} counts until ${until}.` } };
    }
    const ended = days < 0 ? 'ended' : undefined;
    const text = ended === undefined ? `${what} ends after ${until}.` : `${what} ended on ${until}.`;
    return { state: 'firing', key, kind: 'acceptance.expiring', about: ended, details: { text } };
  });
  const resolve = ({ key }: { readonly key: string }) => {
    const what = key.slice(statementPrefix.length).replace('/', ' ');
    return { details: { text: `It was removed from the settings: ${what}.` } };
  };
  return [...conditions, { state: 'others', prefix: statementPrefix, resolve }];
}

function describeStatement({ kind, about, by, on }: Statement): string {
  return kind === 'attestation'
    ? `The attestation ${about} of ${on}`
    : `The acceptance of the script or rule with the SHA-256 ${about.slice(0, 12)}…, by ${by ?? 'nobody'} on ${on},`;
}
