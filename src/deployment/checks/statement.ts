/** What somebody stated in the settings on a date, an attestation or an acceptance, counts for a year from then. */

/** When a check is judged: at the slot's scheduled moment, never at the wall clock. */
export interface SlotTime {
  /** The slot's date, YYYY-MM-DD. */
  readonly slot: string;
  readonly moment: Date;
}

type Standing = { readonly counts: true } | { readonly counts: false; readonly why: string };

const year = 365;
const day = 86_400_000;

/** `on` is YYYY-MM-DD. A day more either way is another time zone. */
export function judgeStatement(on: string, moment: Date): Standing {
  const age = (moment.getTime() - Date.parse(`${on}T00:00:00Z`)) / day;
  if (age >= -1 && age <= year + 1) {
    return { counts: true };
  }
  return { counts: false, why: age > 0 ? 'more than a year ago' : 'a date that has not come yet' };
}
