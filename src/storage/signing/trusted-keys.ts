/**
 * The public keys that people trust, each from the number of a commit on; a store outlives a key. Which commits must be
 * signed, and by which key, follows from them alone: nothing about it is read from the log.
 */
import { type KeyObject, verify } from 'node:crypto';
import type { Signature } from './signer.ts';

export interface TrustedKey {
  readonly key: KeyObject;
  /** The number of the first commit that it may have signed. */
  readonly from: number;
}

/** A file of public keys, as `parseTrustedKeys` reads it. */
export interface TrustedKeys {
  /** The file, as sentences name it. */
  readonly name: string;
  /** The id of the only store that the keys are for, where the file says so. */
  readonly store?: string | undefined;
  /** In the order of the file; at least one. */
  readonly keys: readonly TrustedKey[];
}

/** A commit, or whatever else is signed for one. */
export interface SignedText {
  /** The number of the commit. */
  readonly number: number;
  /** The id of its store; undefined is not compared. */
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

/** The first number that must be signed. */
export function findFirstSigned({ keys }: TrustedKeys): number {
  return Math.min(...keys.map(({ from }) => from));
}

/** The keys that began last up to this number: a replaced key signs nothing after its successor began. */
function selectKeysFor({ keys }: TrustedKeys, number: number): KeyObject[] {
  const begun = keys.filter(({ from }) => from <= number);
  const latest = Math.max(...begun.map(({ from }) => from));
  return begun.filter(({ from }) => from === latest).map(({ key }) => key);
}

/** The kind of the key decides: what a signature says of itself was written by whoever made it. */
function isMadeBy(key: KeyObject, text: Buffer, signature: Buffer): boolean {
  return verify(key.asymmetricKeyType === 'ed25519' ? null : 'sha256', text, key, signature);
}
