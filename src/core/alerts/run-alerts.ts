/** Alerts of the run as a whole: low coverage, and people's statements that end soon. */

import type { AlertDetails } from '../facts/alert-event.ts';
import type { Statement } from '../facts/company.ts';
import { computeInterval } from '../source/coverage.ts';
import { countDaysBetween } from '../time/calendar.ts';
import type { AlertInput } from './alert-input.ts';
import type { FiringAlert, RuleVerdict } from './alert-rule.ts';

/** Compares the low figure with the minimum while every source is complete: missing data neither opens nor ends the alert. */
export function decideCoverageAlert({ facts, total }: AlertInput): RuleVerdict {
  const { minimumCoverage: minimum } = facts.policy;
  const key = 'coverage';
  const isKnown = minimum === undefined || (total.soundness === 'complete' && total.counted > 0);
  const isBelow = minimum !== undefined && isKnown && total.provenInstalled * 100 < minimum * total.counted;
  const describe = (required: number): AlertDetails => {
    const { low, coverage, high } = computeInterval(total);
    return { figures: { low: Number(low), coverage: Number(coverage), high: Number(high), minimum: required } };
  };
  const notSet = { text: 'policy.minimumCoverage is not set any more.' };
  return {
    prefix: key,
    firing: isBelow ? [{ key, kind: 'coverage.below', details: describe(minimum) }] : [],
    isUnknown: () => !isKnown,
    describeEnd: () => ({
      kind: 'coverage.restored',
      details: minimum === undefined ? notSet : describe(minimum),
    }),
  };
}

/** Days of notice before a statement ends and its source may become untrusted. */
const noticeDays = 30;

/** Attestations and acceptances that end soon: afterwards their checks no longer pass. */
export function decideStatementAlerts({ facts }: AlertInput): RuleVerdict {
  const { slot, statements = [] } = facts;
  const prefix = 'statement:';
  const latest = new Map<string, Statement>();
  for (const statement of statements) {
    const key = `${prefix}${statement.kind}/${statement.about}`;
    const other = latest.get(key);
    // The statement that lasts longest decides where several are about one thing.
    if (other === undefined || statement.until > other.until) {
      latest.set(key, statement);
    }
  }
  const firing = [...latest].flatMap(([key, statement]): FiringAlert[] => {
    const { until } = statement;
    const days = countDaysBetween(slot, until);
    const subject = describeStatement(statement);
    const text = days < 0 ? `${subject} ended on ${until}.` : `${subject} ends after ${until}.`;
    const about = days < 0 ? 'ended' : undefined;
    return days > noticeDays ? [] : [{ key, kind: 'acceptance.expiring', about, details: { text, subject } }];
  });
  return { prefix, firing, isUnknown: () => false };
}

function describeStatement({ kind, about, by, on }: Statement): string {
  return kind === 'attestation'
    ? `The attestation ${about} of ${on}`
    : `The acceptance of the script or rule with the SHA-256 ${about.slice(0, 12)}…, by ${by ?? 'nobody'} on ${on}`;
}
