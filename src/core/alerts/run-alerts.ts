/** Alerts of the run as a whole: its coverage, and statements of people that end. */

import { countDaysBetween } from '../facts/calendar.ts';
import type { Statement } from '../facts/company.ts';
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
