/** `latest.json`: a copy for readers that names the newest commit. The next publisher replaces it. */

import * as v from 'valibot';
import { latestKey, toCommitKey } from '../keys.ts';
import type { Store } from '../store.ts';
import { ignoreDamage, parseStoredJson, refuseOtherSchema, serializeRecord, sha256Schema } from '../stored-json.ts';
import type { PublishedRun } from './commit.ts';

const latestSchema = v.object({
  schema: v.literal(3),
  slot: v.string(),
  attempt: v.string(),
  number: v.pipe(v.number(), v.integer(), v.minValue(1)),
  /** The key of the newest commit. */
  manifest: v.string(),
  sha256: sha256Schema,
});

export function formatLatest({ commit: { slot, attempt, number }, sha256 }: PublishedRun): Buffer {
  return serializeRecord({ schema: 3, slot, attempt, number, manifest: toCommitKey(number), sha256 });
}

/** Reads it; undefined where it is missing or damaged, since the log has the same facts. */
export async function readLatest(store: Store): Promise<v.InferOutput<typeof latestSchema> | undefined> {
  const body = await store.read(latestKey);
  if (body === undefined) {
    return undefined;
  }
  const where = `${latestKey} in ${store.name}`;
  const value = await ignoreDamage(async () => parseStoredJson(body, where));
  refuseOtherSchema(value, where, 3);
  return v.is(latestSchema, value) ? value : undefined;
}
