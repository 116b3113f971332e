/** Public keys that signatures are checked with, offline. */
import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { MusterError } from '../../errors.ts';
import type { Signature } from './signer.ts';

/** One file may hold several keys, since a store outlives a key. */
export async function readPublicKeys(path: string): Promise<KeyObject[]> {
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new MusterError('command-line', `The public key ${path} could not be read (${cause.code}).`, { cause });
  });
  const blocks = text.match(/-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/g) ?? [];
  const keys = blocks.flatMap((pem) => parsePublicKey(pem) ?? []);
  if (keys.length === 0 || keys.length < blocks.length) {
    throw new MusterError(
      'command-line',
      `${path} is not a list of public keys in PEM (BEGIN PUBLIC KEY), each Ed25519 or ECC_NIST_P256.`,
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

/** By the kind of the key: what a signature says of itself was written by whoever made it. */
export function isSignedBy(keys: readonly KeyObject[], statement: Buffer, { value }: Signature): boolean {
  const bytes = Buffer.from(value, 'base64');
  return keys.some((key) => verify(key.asymmetricKeyType === 'ed25519' ? null : 'sha256', statement, key, bytes));
}
