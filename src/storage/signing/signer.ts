/**
 * The contract of a signer: a key that proves who published a commit.
 *
 * To add one: one file that returns this object, its test, and one line in `compose/parts.ts`.
 */
import type { KeyObject } from 'node:crypto';

/** Algorithms; the kind of the public key decides which one applies. */
export const signatureAlgorithms = ['Ed25519', 'ECDSA_SHA_256'] as const;

export interface Signature {
  readonly algorithm: (typeof signatureAlgorithms)[number];
  /** Base64; ECDSA signatures in DER, as OpenSSL and KMS write them. */
  readonly value: string;
}

export interface Signer {
  /** The key's name in the settings. */
  readonly name: string;
  /** Signs a text. Throws `signing-failed`. */
  sign(text: Buffer): Promise<Signature>;
  /** The public half, for a person to write down; no signature is checked with it. Throws `signing-failed`. */
  readPublicKey(): Promise<KeyObject>;
}

/** A meaningless text to sign when trying a key. */
export const trialText = Buffer.from('muster trial 1\n');
