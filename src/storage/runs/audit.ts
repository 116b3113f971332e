/** Published manifests, also kept where nobody can change them: a bucket under Object Lock. Reports stay in the store. */

import { MusterError } from '../../errors.ts';
import { computeSha256 } from '../../sha256.ts';
import type { Store } from '../store.ts';
import { type CurrentRun, findUnfinishedSince, type PublishedRun, readPublishedRuns } from './published-runs.ts';
import { createDamageError } from './records.ts';

/**
 * The manifests that the audit store lacks, oldest first, so that none is missing before one that is there. What only
 * a person can repair is passed over, and thrown at the end.
 */
export async function keepManifests(store: Store, audit: Store, current: CurrentRun): Promise<void> {
  const { runs, broken } = await listRunsToKeep(store, audit, current);
  let first: unknown = broken;
  for (const run of runs.reverse()) {
    try {
      await keepManifest(store, audit, run);
    } catch (error) {
      if (!isForPerson(error)) {
        throw error;
      }
      first ??= error;
    }
  }
  if (first !== undefined) {
    throw first;
  }
}

/** Back to the first run whose manifest is there; farther while an alert says that some could not be copied. */
async function listRunsToKeep(
  store: Store,
  audit: Store,
  current: CurrentRun,
): Promise<{ readonly runs: PublishedRun[]; readonly broken: unknown }> {
  const runs: PublishedRun[] = [];
  try {
    const since = await findUnfinishedSince(store, current, 'audit');
    for await (const run of readPublishedRuns(store, current)) {
      if (!(await isKept(audit, run))) {
        runs.push(run);
      } else if (since === undefined || run.manifest.slot < since) {
        break;
      }
    }
    return { runs, broken: undefined };
  } catch (error) {
    if (!isForPerson(error)) {
      throw error;
    }
    return { runs, broken: error };
  }
}

/** Can be done twice, and by two at once; what is there already and differs is an error, and stays as it is. */
export async function keepManifest(store: Store, audit: Store, run: PublishedRun): Promise<void> {
  if (await isKept(audit, run)) {
    return;
  }
  const { manifest: key, sha256 } = run.link;
  const stored = await store.read(key);
  if (stored === undefined || computeSha256(stored.body) !== sha256) {
    throw createDamageError(key, 'its SHA-256 is not the one that was published');
  }
  try {
    await audit.create(key, stored.body);
  } catch (error) {
    if (await isKept(audit, run)) {
      return;
    }
    throw error instanceof MusterError && error.code === 'key-taken' ? createDifferenceError(key, store, audit) : error;
  }
}

async function isKept(audit: Store, { link }: PublishedRun): Promise<boolean> {
  return (await audit.digest(link.manifest)) === link.sha256;
}

function createDifferenceError(key: string, store: Store, audit: Store): MusterError {
  return new MusterError(
    'audit-differs',
    `${key} in ${audit.name} is not the manifest that was published in ${store.name}. Find out who changed which; Muster changes neither.`,
  );
}

function isForPerson(error: unknown): boolean {
  return error instanceof MusterError && (error.code === 'audit-differs' || error.code === 'store-damaged');
}
