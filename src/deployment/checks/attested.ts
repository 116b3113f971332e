/** What no API can show, vouched for by somebody on a date in the settings: it holds for a year. */

export interface Attestation {
  /** YYYY-MM-DD, where somebody vouched for it. */
  readonly on: string | undefined;
  readonly now: Date;
}

type Words = { readonly is: 'none' } | { readonly is: 'held' | 'old'; readonly found: string };

const year = 365;
const day = 86_400_000;

export function attestedWords({ on, now }: Attestation): Words {
  if (on === undefined) return { is: 'none' };
  const age = (now.getTime() - Date.parse(`${on}T00:00:00Z`)) / day;
  // A day ahead is another time zone.
  if (age < -1) return { is: 'old', found: `attested on ${on}, which has not come yet` };
  return age > year + 1
    ? { is: 'old', found: `attested on ${on}, more than a year ago` }
    : { is: 'held', found: `attested on ${on}` };
}
