/** Events about attestations and acceptances that end soon: afterwards their checks no longer pass. */

import { countDaysBetween } from '../calendar.ts';
import type { Statement } from '../facts.ts';
import type { AlertLog } from './alert-log.ts';

/** Time to look again before a source becomes untrusted. */
const noticeDays = 30;
const statementKeyPrefix = 'statement:';

export function decideStatementAlerts(statements: readonly Statement[], slot: string, log: AlertLog): void {
  const current = new Map<string, Statement>();
  for (const statement of statements) {
    const key = toStatementAlertKey(statement);
    const other = current.get(key);
    // Of several about one thing, one that still counts is sufficient.
    if (other === undefined || statement.until > other.until) {
      current.set(key, statement);
    }
  }
  for (const [key, statement] of current) {
    const days = countDaysBetween(slot, statement.until);
    const what = describeStatement(statement);
    if (days > noticeDays) {
      log.resolve(key, 'acceptance.expiring', { text: `${what} counts until ${statement.until}.` });
    } else {
      const text = days < 0 ? `${what} ended on ${statement.until}.` : `${what} ends after ${statement.until}.`;
      log.raise(key, 'acceptance.expiring', { text }, days < 0 ? { about: 'ended' } : {});
    }
  }
  for (const key of log.keys(statementKeyPrefix)) {
    if (!current.has(key)) {
      log.resolve(key, 'acceptance.expiring', { text: `It was removed from the settings: ${describeKey(key)}.` });
    }
  }
}

function toStatementAlertKey({ kind, about }: Statement): string {
  return `${statementKeyPrefix}${kind}/${about}`;
}

function describeKey(key: string): string {
  return key.slice(statementKeyPrefix.length).replace('/', ' ');
}

function describeStatement({ kind, about, by, on }: Statement): string {
  return kind === 'attestation'
    ? `The attestation ${about} of ${on}`
    : `The acceptance of the script or rule with the SHA-256 ${about.slice(0, 12)}…, by ${by ?? 'nobody'} on ${on},`;
}
