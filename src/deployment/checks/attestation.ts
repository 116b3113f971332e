/** What no API can show, attested by somebody on a date in the settings. */
import { judgeStatement, type SlotTime } from './statement.ts';

export interface Attestation {
  /** YYYY-MM-DD, where somebody attested it. */
  readonly on: string | undefined;
  readonly at: SlotTime;
}

type AttestationResult = { readonly is: 'none' } | { readonly is: 'held' | 'old'; readonly found: string };

export function judgeAttestation({ on, at }: Attestation): AttestationResult {
  if (on === undefined) {
    return { is: 'none' };
  }
  const standing = judgeStatement(on, at.moment);
  const found = `attested on ${on}`;
  return standing.counts ? { is: 'held', found } : { is: 'old', found: `${found}, ${standing.why}` };
}
