/** `latest.json`: a copy for readers, which says which commit stands. Whoever publishes next makes it again. */

import * as v from 'valibot';
import { latestKey, toCommitKey } from '../keys.ts';
import type { Store } from '../store.ts';
import { ignoreDamage, parseStoredJson, refuseOtherSchema, serializeRecord, sha256Schema } from '../stored-json.ts';
import type { CurrentRun } from './commit.ts';

const latestSchema = v.object({
  schema: v.literal(2),
  slot: v.string(),
  attempt: v.string(),
  /** The last commit that it was made after; a retraction shows an earlier one. */
  number: v.pipe(v.number(), v.integer(), v.minValue(1)),
  /** The key of the commit that stands. */
  manifest: v.string(),
  sha256: sha256Schema,
});

export function formatLatest({ commit, sha256, head }: CurrentRun): Buffer {
  const { slot, attempt, number } = commit;
  const manifest = toCommitKey(number);
  return serializeRecord({ schema: 2, slot, attempt, number: head.commit.number, manifest, sha256 });
}

/** Undefined where it is missing or damaged: the log says the same. */
export async function readLatest(store: Store): Promise<v.InferOutput<typeof latestSchema> | undefined> {
  const body = await store.read(latestKey);
  if (body === undefined) {
    return undefined;
  }
  const where = `${latestKey} in ${store.name}`;
  const value = await ignoreDamage(async () => parseStoredJson(body, where));
  refuseOtherSchema(value, where, 2);
  return v.is(latestSchema, value) ? value : undefined;
}
