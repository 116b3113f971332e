/**
 * What follows the pointer: copies for people and query engines, messages, and removing nights past their retention.
 * Every step can be done twice; whoever starts next does what a killed writer left undone.
 */

import type { Store } from '../store.ts';
import { keepManifest } from './audit.ts';
import { copyKeys, pointerKey, reportFile, slotOf } from './keys.ts';
import { keptFrom, type Run, readStanding, readState, runOf, type Standing } from './published-runs.ts';
import { damaged } from './records.ts';

/** Brings the audit copy, copies, deliveries and retention in line with what stands published. */
export async function finish(
  store: Store,
  standing: Standing,
  audit?: Store,
  tell?: (run: Run) => Promise<void>,
): Promise<void> {
  let last = standing;
  try {
    last = await keepCopies(store, standing, audit);
  } finally {
    // Copies that cannot be made silence nobody.
    await tell?.(last);
  }
  await applyRetention(store, last);
}

async function keepCopies(store: Store, standing: Standing, audit: Store | undefined): Promise<Standing> {
  let last = standing;
  for (;;) {
    if (audit) await keepManifest(store, audit, last);
    await copyReports(store, last, copyKeys);
    const now = await readMoved(store, last);
    if (now === undefined) return last;
    // Somebody published while we copied, so our copies may lie over theirs, and theirs must win: here those of the
    // night that we copied, next those of the one that stands.
    const theirs = await runOf(store, now, last.manifest.slot);
    if (theirs !== undefined) await copyReports(store, theirs, (file, slot) => [copyKeys(file, slot)[0]]);
    last = now;
  }
}

async function readMoved(store: Store, last: Standing): Promise<Standing | undefined> {
  const held = await store.read(pointerKey);
  return held === undefined || held.version === last.version ? undefined : readStanding(store);
}

async function copyReports(
  store: Store,
  run: Run,
  copiesOf: (file: string, slot: string) => readonly string[],
): Promise<void> {
  for (const { key, sha256 } of run.manifest.files) {
    const file = reportFile(key);
    if (file === undefined) continue;
    for (const copy of copiesOf(file, run.manifest.slot)) {
      if ((await store.digest(copy)) === sha256) continue;
      if ((await store.digest(key)) !== sha256) throw damaged(key, 'its SHA-256 is not the one that was published');
      await store.copy(key, copy);
    }
  }
}

/** Nights older than those the state lists are removed whole; a source's baseline night is kept however old. */
async function applyRetention(store: Store, standing: Standing): Promise<void> {
  const state = await readState(store, standing);
  const oldest = keptFrom(state);
  const baselines = new Set(state.sources.map((source) => source.baseline?.slot));
  const doomed: string[] = [];
  for await (const key of store.list('')) {
    const slot = slotOf(key) ?? /^[a-z-]+\/date=(\d{4}-\d{2}-\d{2})\//.exec(key)?.[1];
    if (slot !== undefined && slot < oldest && !baselines.has(slot)) doomed.push(key);
  }
  for (const key of doomed) await store.remove(key);
}
