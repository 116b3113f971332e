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
  return publicKeys === undefined
    ? { signer }
    : { signer: { ...signer, readKeys: () => readNamedKeys(resolveInFolder(folder, publicKeys)) } };
}

async function readNamedKeys(file: string): Promise<readonly DatedKey[]> {
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
