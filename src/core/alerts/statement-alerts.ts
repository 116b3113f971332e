/** Attestations and acceptances that end soon: afterwards their checks no longer pass. */

import { countDaysBetween } from '../facts/calendar.ts';
import type { Statement } from '../facts/facts.ts';
import type { NightAlertInput } from './alert-input.ts';
import type { AlertCondition } from './reconcile.ts';

/** Time to look again before a source becomes untrusted. */
const noticeDays = 30;
const prefix = 'statement:';

export function decideStatementAlerts({ facts }: NightAlertInput): readonly AlertCondition[] {
  const { slot, statements = [] } = facts;
  const latest = new Map<string, Statement>();
  for (const statement of statements) {
    const key = `${prefix}${statement.kind}/${statement.about}`;
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
    const what = key.slice(prefix.length).replace('/', ' ');
    return { details: { text: `It was removed from the settings: ${what}.` } };
  };
  return [...conditions, { state: 'others', prefix, resolve }];
}

function describeStatement({ kind, about, by, on }: Statement): string {
  return kind === 'attestation'
    ? `The attestation ${about} of ${on}`
    : `The acceptance of the script or rule with the SHA-256 ${about.slice(0, 12)}…, by ${by ?? 'nobody'} on ${on},`;
}
