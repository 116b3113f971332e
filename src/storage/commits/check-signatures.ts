/** The signatures of the log, with public keys alone. */

import { isRecord } from '../../base/is-record.ts';
import type { Damage } from '../damage.ts';
import { toCommitKey } from '../keys.ts';
import { type DatedKey, isSignedBy, selectKeysFor } from '../signing/signer.ts';
import { parseStoredJson, serializeRecord } from '../stored-json.ts';
import type { StoredCommit } from './commit.ts';

export interface Entry {
  readonly body: Buffer;
  /** Undefined where the body is no commit of this number. */
  readonly stored: StoredCommit | undefined;
}

/** Since signing began. Commits before it carry no signature and need none: a signed commit leads to them. */
export function checkSignatures(
  entries: ReadonlyMap<number, Entry>,
  newest: number,
  keys: readonly DatedKey[] | undefined,
): Damage[] {
  const since = findSignedSince(entries.get(newest)?.stored, newest, keys);
  const damage: Damage[] = [];
  const [{ store } = {}] = keys ?? [];
  if (store !== undefined && entries.get(newest)?.stored?.commit.store !== store) {
    const message = `The newest commit is not of the store ${store}, which the file of public keys is for.`;
    damage.push({ code: 'log-damaged', message });
  }
  for (const [number, { body, stored }] of entries) {
    const { signature } = stored?.commit ?? {};
    if (stored === undefined || number < since) {
      continue;
    }
    const key = toCommitKey(number);
    if (signature === undefined) {
      const message = `${key} carries no signature, so nobody vouches for it.${adviseStart(keys, newest)}`;
      damage.push({ code: 'signature-missing', message });
    } else if (
      keys !== undefined &&
      !isSignedBy(selectKeysFor(keys, number), toSignedText(body, key), signature.value)
    ) {
      damage.push({ code: 'signature-invalid', message: `${key} is not what was signed, or not by these keys.` });
    } else if (stored.commit.signedSince === undefined || stored.commit.signedSince > number) {
      damage.push({ code: 'signature-invalid', message: `${key} does not say since when commits are signed.` });
    }
  }
  return damage;
}

/** What the newest commit says holds only where it is signed itself; keys that say it hold whatever commits say. */
function findSignedSince(
  newest: StoredCommit | undefined,
  number: number,
  keys: readonly DatedKey[] | undefined,
): number {
  if (keys?.every(({ isDated }) => isDated)) {
    return Math.min(...keys.map(({ from }) => from));
  }
  const said = newest?.commit.signedSince ?? Number.POSITIVE_INFINITY;
  return keys === undefined ? said : Math.min(said, number);
}

/** Signing can begin in a store that has runs. */
function adviseStart(keys: readonly DatedKey[] | undefined, newest: number): string {
  return keys?.some(({ isDated }) => !isDated)
    ? ` If signing begins only now, write "from ${newest + 1}" above the public key in the file that publicKeys names.`
    : '';
}

/** What is signed: the commit without its signature, as `jq 'del(.signature)'` writes it. */
function toSignedText(body: Buffer, key: string): Buffer {
  const value = parseStoredJson(body, key);
  const { signature: _, ...text } = isRecord(value) ? value : {};
  return serializeRecord(text);
}
