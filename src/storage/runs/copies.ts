/** Copies of what stands published, for people and for query engines. */

import type { MusterError } from '../../errors.ts';
import type { Store } from '../store.ts';
import { latestManifestKey, parseReportFile, pointerKey, toCopyKeys } from './keys.ts';
import {
  type CurrentRun,
  findRun,
  findUnfinishedSince,
  type PublishedRun,
  readCurrentRun,
  readPublishedRuns,
} from './published-runs.ts';
import { createDamageError } from './records.ts';
import { removeRetractedCopies } from './retractions.ts';

type CopyKeys = (file: string, slot: string) => readonly string[];

/** Without `latest/`, which holds the current run alone. */
const toDatedKeys: CopyKeys = (file, slot) => [toCopyKeys(file, slot)[0]];

/**
 * Brings the copies in line with what stands published; whoever starts next can do it again. The run that stood when
 * that was done: somebody may have published meanwhile. A damaged report is not copied; it is thrown at the end.
 */
export async function updateCopies(store: Store, current: CurrentRun): Promise<CurrentRun> {
  const damaged: MusterError[] = [];
  let last = current;
  for (;;) {
    damaged.push(...(await copyReports(store, last, toCopyKeys)));
    await copyManifest(store, last);
    await removeLeftCopies(store, last);
    const now = await readNewerRun(store, last);
    if (now === undefined) {
      break;
    }
    // Somebody published while we copied, so our copies may lie over theirs, and theirs must win: here those of the
    // night that we copied, next those of the one that stands.
    const theirs = await findRun(store, now, last.manifest.slot);
    if (theirs !== undefined) {
      damaged.push(...(await copyReports(store, theirs, toDatedKeys)));
    }
    last = now;
  }
  damaged.push(...(await copyEarlierReports(store, last)));
  if (damaged[0] !== undefined) {
    throw damaged[0];
  }
  return last;
}

/** Last, so that it says which run the other copies in `latest/` are of. */
async function copyManifest(store: Store, { link }: PublishedRun): Promise<void> {
  if ((await store.digest(latestManifestKey)) !== link.sha256) {
    await store.copy(link.manifest, latestManifestKey);
  }
}

/** Of retracted runs: at once, and later while an alert says that copies could not be brought in line. */
async function removeLeftCopies(store: Store, current: CurrentRun): Promise<void> {
  if (
    current.pointer.retracted !== undefined ||
    (current.manifest.retracted !== undefined && (await findUnfinishedSince(store, current, 'copies')) !== undefined)
  ) {
    await removeRetractedCopies(store, current);
  }
}

async function readNewerRun(store: Store, last: CurrentRun): Promise<CurrentRun | undefined> {
  const stored = await store.read(pointerKey);
  return stored === undefined || stored.version === last.version ? undefined : readCurrentRun(store);
}

/** While an alert says that copies could not be made: those of every run since, and of the one before. */
async function copyEarlierReports(store: Store, current: CurrentRun): Promise<MusterError[]> {
  const since = await findUnfinishedSince(store, current, 'copies');
  if (since === undefined) {
    return [];
  }
  const damaged: MusterError[] = [];
  const seen = new Set([current.manifest.slot]);
  for await (const run of readPublishedRuns(store, current)) {
    const { slot } = run.manifest;
    if (!seen.has(slot)) {
      seen.add(slot);
      damaged.push(...(await copyReports(store, run, toDatedKeys)));
      if (slot < since) {
        break;
      }
    }
  }
  return damaged;
}

/** The reports that are damaged, so that they were not copied. */
async function copyReports(store: Store, run: PublishedRun, toKeys: CopyKeys): Promise<MusterError[]> {
  const damaged: MusterError[] = [];
  for (const { key, sha256 } of run.manifest.files) {
    const file = parseReportFile(key);
    if (file === undefined) {
      continue;
    }
    let isSound: boolean | undefined;
    for (const copy of toKeys(file, run.manifest.slot)) {
      if ((await store.digest(copy)) === sha256) {
        continue;
      }
      // The file is read once for all its copies.
      isSound ??= (await store.digest(key)) === sha256;
      if (isSound) {
        await store.copy(key, copy);
      } else {
        damaged.push(createDamageError(key, 'its SHA-256 is not the one that was published'));
      }
    }
  }
  return damaged;
}
