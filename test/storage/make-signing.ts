/** Signing with a key in memory, which counts from the first commit on. */
import { generateKeyPairSync, sign } from 'node:crypto';
import type { Signing } from '../../src/storage/signing/signing.ts';

export function makeSigning(): Signing {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    signer: {
      name: 'test',
      sign: async (text) => ({ algorithm: 'Ed25519', value: sign(null, text, privateKey).toString('base64') }),
      readPublicKey: async () => publicKey,
    },
    readKeys: async () => ({ name: 'keys.pem', keys: [{ key: publicKey, from: 1 }] }),
  };
}
