/**
 * The contract of a signer: a key that says who published a manifest.
 *
 * To add one: one file that returns this object, its test, and one line in `compose/signers.ts`. What is signed is a
 * statement of three lines, so a key service with a limit on its messages can sign it as it is.
 */

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
  sign(statement: Buffer): Promise<Signature>;
}
