/** An Ed25519 key in a file, for a store on one machine: https://www.rfc-editor.org/rfc/rfc8032 */
import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { MusterError } from '../../base/errors.ts';
import type { Signer } from './signer.ts';

/** The file is read for every signature, so that a key that is missing stops no run before it has something to sign. */
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

/** OpenSSL's own sentences say nothing to a person. */
function describe(error: unknown): string {
  const { code = '', message = '' } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  if (code === '') {
    return message;
  }
  return code.startsWith('ERR_') ? 'it is not a private key' : code;
}
