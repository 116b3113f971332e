/** The table of signers, and `signing` in the settings → one of them. */

import { createPublicKey } from 'node:crypto';
import { resolve } from 'node:path';
import { kmsAlgorithm, readKmsPublicKey, signWithKms } from '../aws/kms-signature.ts';
import type { Parts } from '../run/parts.ts';
import { readDocumentBytes, resolveInFolder } from '../settings/documents.ts';
import { createLocalSigner } from '../storage/signing/local-key.ts';
import { type DatedKey, parsePublicKeys, type Signer } from '../storage/signing/signer.ts';
import type { Settings } from './read-settings.ts';

const signers: Readonly<Record<string, (place: string, folder: string) => Signer>> = {
  kms: (keyArn) => createKmsSigner(keyArn),
  file: (path, folder) => createLocalSigner(resolve(folder, path)),
};

export function openSigner(
  { signing = '', publicKeys }: Pick<Settings, 'signing' | 'publicKeys'>,
  folder: string,
): Pick<Parts, 'signer'> {
  const [, kind = '', place = ''] = /^(\w+):(.+)$/.exec(signing) ?? [];
  const signer = signers[kind]?.(place, folder);
  if (signer === undefined) {
    return {};
  }
  const readKeys = async () => (await readNamedKeys({ publicKeys }, folder)) ?? signer.readKeys();
  return { signer: { ...signer, readKeys } };
}

/** The public keys that the settings name: who verifies needs no other. */
export async function readNamedKeys(
  { publicKeys }: Pick<Settings, 'publicKeys'>,
  folder: string,
): Promise<readonly DatedKey[] | undefined> {
  if (publicKeys === undefined) {
    return undefined;
  }
  const file = resolveInFolder(folder, publicKeys);
  return parsePublicKeys((await readDocumentBytes(file)).toString('utf8'), file);
}

function createKmsSigner(keyArn: string): Signer {
  return {
    name: `kms:${keyArn}`,
    async sign(text) {
      return { algorithm: kmsAlgorithm, value: (await signWithKms(keyArn, text)).toString('base64') };
    },
    async readKeys() {
      const key = createPublicKey({ key: await readKmsPublicKey(keyArn), format: 'der', type: 'spki' });
      return [{ key, from: 1, isDated: false }];
    },
  };
}
