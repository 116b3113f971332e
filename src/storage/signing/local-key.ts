/** An Ed25519 key in a file, for a store on one machine: https://www.rfc-editor.org/rfc/rfc8032 */
import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { MusterError } from '../../base/errors.ts';
import type { Signer } from './signer.ts';

/** Makes a signer that reads the file for every signature, so that a missing key fails no run that signs nothing. */
export function createLocalSigner(path: string): Signer {
  const name = `file:${path}`;
  const readKey = async (): Promise<KeyObject> => {
    try {
      const key = createPrivateKey(await readFile(path));
      if (key.asymmetricKeyType !== 'ed25519') {
        throw new Error(`it is a key of the kind ${key.asymmetricKeyType}`);
      }
      return key;
    } catch (cause) {
      const message = `Nothing could be signed with ${name} (${describe(cause)}). ${advice}`;
      throw new MusterError('signing-failed', message, { cause });
    }
  };
  return {
    name,
    async sign(text) {
      return { algorithm: 'Ed25519', value: sign(null, text, await readKey()).toString('base64') };
    },
    readPublicKey: async () => createPublicKey(await readKey()),
  };
}

const advice =
  'It must be an Ed25519 private key in PEM that Muster may read: openssl genpkey -algorithm ed25519 -out FILE.';

/** A reason in plain words, since OpenSSL's own sentences do not help people. */
function describe(error: unknown): string {
  const { code = '', message = '' } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  if (code === '') {
    return message;
  }
  return code.startsWith('ERR_') ? 'it is not a private key' : code;
}
