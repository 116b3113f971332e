/**
 * The contract of a signer: a key that says who published a commit.
 *
 * To add one: one file that returns this object, its test, and one line in `compose/parts.ts`.
 */
import type { KeyObject } from 'node:crypto';

/** How signatures are made; the kind of the public key says which one applies. */
export const signatureAlgorithms = ['Ed25519', 'ECDSA_SHA_256'] as const;

export interface Signature {
  readonly algorithm: (typeof signatureAlgorithms)[number];
  /** In base64; of ECDSA in DER, as OpenSSL and KMS write it. */
  readonly value: string;
}

export interface Signer {
  /** The key, as the settings name it. */
  readonly name: string;
  /** Throws `signing-failed`. */
  sign(text: Buffer): Promise<Signature>;
  /** The public half, for a person to write down: no signature is checked with it. Throws `signing-failed`. */
  readPublicKey(): Promise<KeyObject>;
}

/** A text to sign that says nothing: for trying a key. */
export const trialText = Buffer.from('muster trial 1\n');
