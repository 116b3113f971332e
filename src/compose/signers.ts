/** The table of signers, and `signing` in the settings → one of them. */
import { resolve } from 'node:path';
import { createKmsSigner } from '../aws/kms-signer.ts';
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
