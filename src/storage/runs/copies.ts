/** Copies of what stands published: for people, for query engines, and for an audit. */

import type { Store } from '../store.ts';
import { keepManifest } from './audit.ts';
import { parseReportFile, pointerKey, toCopyKeys } from './keys.ts';
import { type CurrentRun, findRun, type PublishedRun, readCurrentRun } from './published-runs.ts';
import { createDamageError } from './records.ts';

/**
 * Brings the audit copy and the copies in line with what stands published; whoever starts next can do it again.
 * The run that stood when that was done: somebody may have published meanwhile.
 */
export async function updateCopies(
  store: Store,
  currentRun: CurrentRun,
  audit: Store | undefined,
): Promise<CurrentRun> {
  let last = currentRun;
  for (;;) {
    if (audit) {
      await keepManifest(store, audit, last);
    }
    await copyReports(store, last, toCopyKeys);
    const now = await readNewerRun(store, last);
    if (now === undefined) {
      return last;
    }
    // Somebody published while we copied, so our copies may lie over theirs, and theirs must win: here those of the
    // night that we copied, next those of the one that stands.
    const theirs = await findRun(store, now, last.manifest.slot);
    if (theirs !== undefined) {
      await copyReports(store, theirs, (file, slot) => [toCopyKeys(file, slot)[0]]);
    }
    last = now;
  }
}

async function readNewerRun(store: Store, last: CurrentRun): Promise<CurrentRun | undefined> {
  const stored = await store.read(pointerKey);
  return stored === undefined || stored.version === last.version ? undefined : readCurrentRun(store);
}

async function copyReports(
  store: Store,
  run: PublishedRun,
  copiesOf: (file: string, slot: string) => readonly string[],
): Promise<void> {
  for (const { key, sha256 } of run.manifest.files) {
    const file = parseReportFile(key);
    if (file === undefined) {
      continue;
    }
    for (const copy of copiesOf(file, run.manifest.slot)) {
      if ((await store.digest(copy)) === sha256) {
        continue;
      }
      if ((await store.digest(key)) !== sha256) {
        throw createDamageError(key, 'its SHA-256 is not the one that was published');
      }
      await store.copy(key, copy);
    }
  }
}
