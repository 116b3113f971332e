/** A published manifest, also kept where nobody can change it: a bucket under Object Lock. Reports stay in the store. */

import { computeSha256 } from '../../sha256.ts';
import type { Store } from '../store.ts';
import type { PublishedRun } from './published-runs.ts';
import { createDamageError } from './records.ts';

/** Can be done twice, and by two at once; what is there already and differs is an error, and stays as it is. */
export async function keepManifest(store: Store, audit: Store, { link }: PublishedRun): Promise<void> {
  const key = link.manifest;
  const isKept = async () => (await audit.digest(key)) === link.sha256;
  if (await isKept()) {
    return;
  }
  const stored = await store.read(key);
  if (stored === undefined || computeSha256(stored.body) !== link.sha256) {
    throw createDamageError(key, 'its SHA-256 is not the one that was published');
  }
  try {
    await audit.create(key, stored.body);
  } catch (error) {
    if (!(await isKept())) {
      throw error;
    }
  }
}
