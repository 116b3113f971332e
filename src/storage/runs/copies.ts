/** Copies of what stands published, for people and for query engines. */

import type { MusterError } from '../../base/errors.ts';
import { computeSha256 } from '../../base/sha256.ts';
import { toHousekeepingAlertKey } from '../../core/facts/alert-event.ts';
import { type CurrentRun, listReports, type PublishedRun } from '../commits/commit.ts';
import { formatLatest } from '../commits/latest.ts';
import { findRun, readCommit, readCurrentRun, readPublishedRuns } from '../commits/log.ts';
import { latestKey } from '../keys.ts';
import type { Store } from '../store.ts';
import { createDamageError } from '../stored-json.ts';
import { readStateHead } from './run-state.ts';

/** `latest` holds the current run alone. */
type CopyPlace = 'dated' | 'latest';

/**
 * Brings the copies in line with what stands published; whoever starts next can do it again. The run that stood when
 * that was done: somebody may have published meanwhile. A damaged report is not copied; it is thrown at the end.
 */
export async function updateCopies(store: Store, current: CurrentRun): Promise<CurrentRun> {
  const damaged: MusterError[] = [];
  let last = current;
  for (;;) {
    await writeLatest(store, last);
    damaged.push(...(await copyReports(store, last, ['dated', 'latest'])));
    // Query engines would still count what was taken back since.
    for (const { run } of last.retractions) {
      await removeDatedCopies(store, run);
    }
    const now = await readCurrentRun(store);
    if (now === undefined || now.head.commit.number === last.head.commit.number) {
      break;
    }
    // Somebody published while we copied, so our copies may lie over theirs, and theirs must win: here those of the
    // night that we copied, next those of the one that stands.
    const theirs = await findRun(store, now, last.commit.slot);
    if (theirs !== undefined) {
      damaged.push(...(await copyReports(store, theirs, ['dated'])));
    }
    last = now;
  }
  damaged.push(...(await updateEarlierCopies(store, last)));
  if (damaged[0] !== undefined) {
    throw damaged[0];
  }
  return last;
}

async function writeLatest(store: Store, current: CurrentRun): Promise<void> {
  const latest = formatLatest(current);
  if ((await store.digest(latestKey)) !== computeSha256(latest)) {
    await store.put(latestKey, latest);
  }
}

/** While an alert says that copies could not be made: those of every run since, and of the one before. */
async function updateEarlierCopies(store: Store, current: CurrentRun): Promise<MusterError[]> {
  const { told } = await readStateHead(store, current);
  const since = told?.find(({ key }) => key === toHousekeepingAlertKey('copies'))?.since;
  if (since === undefined) {
    return [];
  }
  const damaged: MusterError[] = [];
  const standing = new Set([current.commit.slot]);
  for await (const run of readPublishedRuns(store, current)) {
    const { slot } = run.commit;
    if (!standing.has(slot)) {
      standing.add(slot);
      damaged.push(...(await copyReports(store, run, ['dated'])));
      if (slot < since) {
        break;
      }
    }
  }
  // Those of runs that were taken back, and for whose slot none stands.
  for (let number = current.commit.number - 1, isPast = false; number > 0 && !isPast; number -= 1) {
    const run = await readCommit(store, number);
    const { kind, slot } = run.commit;
    // A retraction's commit names no reports.
    if (!standing.has(slot)) {
      await removeDatedCopies(store, run);
    }
    isPast = kind === 'run' && slot < since;
  }
  return damaged;
}

async function removeDatedCopies(store: Store, run: PublishedRun): Promise<void> {
  for (const { dated } of listReports(run)) {
    await store.remove(dated);
  }
}

/** The reports that are damaged, so that they were not copied. */
async function copyReports(store: Store, run: PublishedRun, places: readonly CopyPlace[]): Promise<MusterError[]> {
  const damaged: MusterError[] = [];
  for (const { key, sha256, ...copies } of listReports(run)) {
    let isSound: boolean | undefined;
    for (const place of places) {
      if ((await store.digest(copies[place])) === sha256) {
        continue;
      }
      // The file is read once for all its copies.
      isSound ??= (await store.digest(key)) === sha256;
      if (isSound) {
        await store.copy(key, copies[place]);
      } else {
        damaged.push(createDamageError(key, 'its SHA-256 is not the one that was published'));
      }
    }
  }
  return damaged;
}
