/** A dated statement in the settings, an attestation or an acceptance, counts for a year. */

/** The time against which a check is judged: the slot's scheduled time, never the wall clock. */
export interface SlotTime {
  /** The slot's date, YYYY-MM-DD. */
  readonly slot: string;
  readonly moment: Date;
}

type StatementVerdict = { readonly counts: true } | { readonly counts: false; readonly why: string };

const year = 365;
const day = 86_400_000;

/** `on` is YYYY-MM-DD. One day more in either direction allows for time zones. */
export function judgeStatement(on: string, moment: Date): StatementVerdict {
  const age = (moment.getTime() - Date.parse(`${on}T00:00:00Z`)) / day;
  if (age >= -1 && age <= year + 1) {
    return { counts: true };
  }
  return { counts: false, why: age > 0 ? 'more than a year ago' : 'a date in the future' };
}
