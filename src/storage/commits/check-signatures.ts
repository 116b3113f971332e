/** Checks a commit's signature with public keys alone, which also say which commits must be signed. */

import type { Damage } from '../damage.ts';
import { toCommitKey } from '../keys.ts';
import { checkSignature } from '../signing/check-signature.ts';
import type { TrustedKeys } from '../signing/trusted-keys.ts';
import { serializeRecord } from '../stored-json.ts';
import type { Commit, PublishedRun } from './commit.ts';

/** The bytes that are signed: the commit without its signature, as `jq 'del(.signature)'` writes it. */
export function toSignedText({ signature: _, ...text }: Commit): Buffer {
  return serializeRecord(text);
}

/** Undefined where the signature is valid, where none is needed, and without keys. */
export function findSignatureDamage({ commit }: PublishedRun, keys: TrustedKeys | undefined): Damage | undefined {
  const { number, store, signature } = commit;
  return keys && checkSignature(keys, toCommitKey(number), { number, store, text: toSignedText(commit), signature });
}

/** Half a sentence; undefined where nothing is wrong. */
export function findSignatureProblem(run: PublishedRun, keys: TrustedKeys | undefined): string | undefined {
  return findSignatureDamage(run, keys)?.message.replace(/\.$/, '');
}

/** Half a sentence about a store without commits although the keys are for one store; otherwise undefined. */
export function describeLostStore(keys: TrustedKeys | undefined): string | undefined {
  return keys?.store && `there is no commit of the store ${keys.store}, which ${keys.name} is for`;
}
