/**
 * The public keys that people trust, each from the number of a commit on, because a store outlives a key. They alone
 * decide which commits must be signed, and by which key; the log does not.
 */
import { type KeyObject, verify } from 'node:crypto';
import type { Signature } from './signer.ts';

export interface TrustedKey {
  readonly key: KeyObject;
  /** The number of the first commit that the key may have signed. */
  readonly from: number;
}

/** A parsed file of public keys. */
export interface TrustedKeys {
  /** The file's name in sentences. */
  readonly name: string;
  /** The id of the only store that the keys are for, where the file names one. */
  readonly store?: string | undefined;
  /** In the order of the file; at least one. */
  readonly keys: readonly TrustedKey[];
}

/** A commit, or a record that is signed for one. */
export interface SignedText {
  /** The number of the commit. */
  readonly number: number;
  /** The id of its store; undefined skips the comparison. */
  readonly store?: string | undefined;
  readonly text: Buffer;
  readonly signature: Pick<Signature, 'value'> | undefined;
}

/**
 * - `not-required`: the number is below every key's; a signed commit leads to this one by its hash
 * - `valid`: signed by a key that counts at this number
 * - `missing`: not signed
 * - `invalid`: another text was signed, or another key signed it
 * - `other-store`: the keys are for another store
 */
export type SignatureVerdict = 'not-required' | 'valid' | 'missing' | 'invalid' | 'other-store';

export function judgeSignature(trusted: TrustedKeys, { number, store, text, signature }: SignedText): SignatureVerdict {
  if (trusted.store !== undefined && store !== undefined && store !== trusted.store) {
    return 'other-store';
  }
  const keys = selectKeysFor(trusted, number);
  if (keys.length === 0) {
    return 'not-required';
  }
  if (signature === undefined) {
    return 'missing';
  }
  const bytes = Buffer.from(signature.value, 'base64');
  return keys.some((key) => isMadeBy(key, text, bytes)) ? 'valid' : 'invalid';
}

/** The number of the first commit that must be signed. */
export function findFirstSigned({ keys }: TrustedKeys): number {
  return Math.min(...keys.map(({ from }) => from));
}

/** Keys that began last up to this number: a replaced key is invalid after its successor began. */
function selectKeysFor({ keys }: TrustedKeys, number: number): KeyObject[] {
  const begun = keys.filter(({ from }) => from <= number);
  const latest = Math.max(...begun.map(({ from }) => from));
  return begun.filter(({ from }) => from === latest).map(({ key }) => key);
}

/** Verifies a signature with the key's own algorithm; the one that a signature names may be a forger's. */
function isMadeBy(key: KeyObject, text: Buffer, signature: Buffer): boolean {
  return verify(key.asymmetricKeyType === 'ed25519' ? null : 'sha256', text, key, signature);
}
