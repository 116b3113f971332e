/**
 * The contract of a signer: a key that says who published a commit; and the public keys that signatures are checked
 * with, offline.
 *
 * To add one: one file that returns this object, its test, and one line in `compose/parts.ts`.
 */
import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { MusterError } from '../../base/errors.ts';

/** How signatures are made; the kind of the public key says which one applies. */
export const signatureAlgorithms = ['Ed25519', 'ECDSA_SHA_256'] as const;

export interface Signature {
  readonly algorithm: (typeof signatureAlgorithms)[number];
  /** In base64; of ECDSA in DER, as OpenSSL and KMS write it. */
  readonly value: string;
}

export interface Signer {
  /** How the settings name it. */
  readonly name: string;
  /** Throws `signing-failed`. */
  sign(text: Buffer): Promise<Signature>;
  /** The public keys that commits are checked with. Throws `signing-failed`. */
  readKeys(): Promise<readonly DatedKey[]>;
}

/** Something to sign that says nothing: for trying a key. */
export const trialText = Buffer.from('muster trial 1\n');

/** A public key, and the number of the first commit that it may have signed: a store outlives a key. */
export interface DatedKey {
  readonly key: KeyObject;
  readonly from: number;
  /** The number was written down, and not only taken to be the first. */
  readonly isDated: boolean;
  /** The id of the only store that the file is for, where it says so. */
  readonly store?: string | undefined;
}

/** One file holds all keys, each below a line that says from which commit on it signs: `from 43`; and `store ID`. */
export async function readPublicKeys(path: string): Promise<DatedKey[]> {
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new MusterError('command-line', `The public key ${path} could not be read (${cause.code}).`, { cause });
  });
  return parsePublicKeys(text, path);
}

export function parsePublicKeys(text: string, path: string): DatedKey[] {
  const blocks = [
    ...text.matchAll(/(?:^from (\d{1,10})\s+)?-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/gm),
  ];
  const store = /^store\b\s*(\S*)/m.exec(text)?.[1];
  const keys = blocks.flatMap(([block, from]): DatedKey[] => {
    const key = parsePublicKey(block.slice(block.indexOf('-----')));
    return key === undefined ? [] : [{ key, from: Number(from ?? 1), isDated: from !== undefined, store }];
  });
  if (keys.length === 0 || keys.length < blocks.length || !/^[0-9a-f]{32}$/.test(store ?? '0'.repeat(32))) {
    throw new MusterError(
      'command-line',
      `${path} is not a list of public keys in PEM (BEGIN PUBLIC KEY), each Ed25519 or ECC_NIST_P256, with at most "store" and its id above them.`,
    );
  }
  return keys;
}

function parsePublicKey(pem: string): KeyObject | undefined {
  try {
    const key = createPublicKey(pem);
    const isP256 = key.asymmetricKeyDetails?.namedCurve === 'prime256v1';
    return key.asymmetricKeyType === 'ed25519' || isP256 ? key : undefined;
  } catch {
    return undefined;
  }
}

/** A key that was replaced signs nothing after its successor began. */
export function selectKeysFor(keys: readonly DatedKey[], number: number): KeyObject[] {
  const begun = keys.filter(({ from }) => from <= number);
  const latest = Math.max(...begun.map(({ from }) => from));
  return begun.filter(({ from }) => from === latest).map(({ key }) => key);
}

/** The kind of the key decides: what a signature says of itself was written by whoever made it. */
export function isSignedBy(keys: readonly KeyObject[], text: Buffer, value: string): boolean {
  const bytes = Buffer.from(value, 'base64');
  return keys.some((key) => verify(key.asymmetricKeyType === 'ed25519' ? null : 'sha256', text, key, bytes));
}
