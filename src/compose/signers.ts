/** The table of signers, and `signing` in the settings → one of them. */
import { resolve } from 'node:path';
import { kmsAlgorithm, signWithKms } from '../aws/kms-signature.ts';
import type { Parts } from '../night.ts';
import { createLocalSigner } from '../storage/signing/local-key.ts';
import type { Signer } from '../storage/signing/signer.ts';
import type { Settings } from './read-settings.ts';

const signers: Readonly<Record<string, (place: string, folder: string) => Signer>> = {
  kms: (keyArn) => createKmsSigner(keyArn),
  file: (path, folder) => createLocalSigner(resolve(folder, path)),
};

export function openSigner({ signing = '' }: Pick<Settings, 'signing'>, folder: string): Pick<Parts, 'signer'> {
  const [, kind = '', place = ''] = /^(\w+):(.+)$/.exec(signing) ?? [];
  const open = signers[kind];
  return open === undefined ? {} : { signer: open(place, folder) };
}

function createKmsSigner(keyArn: string): Signer {
  return {
    name: `kms:${keyArn}`,
    async sign(statement) {
      return { algorithm: kmsAlgorithm, value: (await signWithKms(keyArn, statement)).toString('base64') };
    },
  };
}
