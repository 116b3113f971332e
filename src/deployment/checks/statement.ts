/** A dated statement in the settings, an attestation or an acceptance, counts for a year. */

import { addDays, millisecondsPerDay } from '../../core/calendar.ts';
import type { Statement } from '../../core/facts.ts';
import type { DeploymentSettings } from '../deployment-settings.ts';

/** The time against which a check is judged: the slot's scheduled time, never the wall clock. */
export interface SlotTime {
  /** The slot's date, YYYY-MM-DD. */
  readonly slot: string;
  readonly moment: Date;
}

type StatementVerdict = { readonly counts: true } | { readonly counts: false; readonly why: string };

const year = 365;

/** `on` is YYYY-MM-DD. One day more in either direction allows for time zones. */
export function judgeStatement(on: string, moment: Date): StatementVerdict {
  const age = (moment.getTime() - Date.parse(`${on}T00:00:00Z`)) / millisecondsPerDay;
  if (age >= -1 && age <= year + 1) {
    return { counts: true };
  }
  return { counts: false, why: age > 0 ? 'more than a year ago' : 'a date in the future' };
}

/** Every attestation and acceptance in the settings, with the last date on which it counts. */
export function listStatements({ attested, accepted }: Pick<DeploymentSettings, 'attested' | 'accepted'>): Statement[] {
  const attestations = Object.entries(attested).flatMap(([about, on]): Statement[] =>
    on === undefined ? [] : [{ kind: 'attestation', about, on, until: addDays(on, year) }],
  );
  const acceptances = accepted.map(
    ({ sha256, by, on }): Statement => ({ kind: 'acceptance', about: sha256, by, on, until: addDays(on, year) }),
  );
  return [...attestations, ...acceptances];
}
