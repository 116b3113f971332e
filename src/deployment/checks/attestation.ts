/** What no API can show: a person attests it in the settings, with a date. */
import { judgeStatement, type SlotTime } from './statement.ts';

export interface Attestation {
  /** YYYY-MM-DD, where a person has attested it. */
  readonly on: string | undefined;
  readonly at: SlotTime;
}

type AttestationResult = { readonly is: 'none' } | { readonly is: 'valid' | 'expired'; readonly found: string };

export function judgeAttestation({ on, at }: Attestation): AttestationResult {
  if (on === undefined) {
    return { is: 'none' };
  }
  const statement = judgeStatement(on, at.moment);
  const found = `attested on ${on}`;
  return statement.counts ? { is: 'valid', found } : { is: 'expired', found: `${found}, ${statement.why}` };
}
