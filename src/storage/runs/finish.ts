/**
 * What follows the pointer: copies for people and query engines, messages, and removing nights past their retention.
 * Every step can be done twice; whoever starts next does what a killed writer left undone.
 */

import type { Store } from '../store.ts';
import { keepManifest } from './audit.ts';
import { parseReportFile, parseSlotFromKey, pointerKey, toCopyKeys } from './keys.ts';
import {
  type CurrentRun,
  findOldestKeptSlot,
  findRun,
  type PublishedRun,
  readCurrentRun,
  readState,
} from './published-runs.ts';
import { createDamageError } from './records.ts';

/** Brings the audit copy, copies, deliveries and retention in line with what stands published. */
export async function finishRun(
  store: Store,
  standing: CurrentRun,
  audit?: Store,
  tell?: (run: PublishedRun) => Promise<void>,
): Promise<void> {
  let last = standing;
  try {
    last = await updateCopies(store, standing, audit);
  } finally {
    // Copies that cannot be made silence nobody.
    await tell?.(last);
  }
  await applyRetention(store, last);
}

async function updateCopies(store: Store, standing: CurrentRun, audit: Store | undefined): Promise<CurrentRun> {
  let last = standing;
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
  const held = await store.read(pointerKey);
  return held === undefined || held.version === last.version ? undefined : readCurrentRun(store);
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

/** Nights older than those the state lists are removed whole; a source's baseline night is kept however old. */
async function applyRetention(store: Store, standing: CurrentRun): Promise<void> {
  const state = await readState(store, standing);
  const oldest = findOldestKeptSlot(state);
  const baselines = new Set(state.sources.map((source) => source.baseline?.slot));
  const doomed: string[] = [];
  for await (const key of store.list('')) {
    const slot = parseSlotFromKey(key) ?? /^[a-z-]+\/date=(\d{4}-\d{2}-\d{2})\//.exec(key)?.[1];
    if (slot !== undefined && slot < oldest && !baselines.has(slot)) {
      doomed.push(key);
    }
  }
  for (const key of doomed) {
    await store.remove(key);
  }
}
