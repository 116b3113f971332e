/**
 * What follows the pointer: copies for people and query engines, and removing nights past their retention. Every step
 * can be done twice; whoever starts next does what a killed writer left undone.
 */
import type { State } from '../core/state.ts';
import { copyKeys, pointerKey, reportFile, slotOf } from './keys.ts';
import { type Run, readStanding, readState, type Standing } from './past.ts';
import type { Store } from './store.ts';

/** Brings copies and retention in line with what stands published. */
export async function finish(store: Store, standing: Standing): Promise<void> {
  for (let run: Standing | undefined = standing; run !== undefined; ) {
    await copyReports(store, run);
    // Somebody may have published while we copied: then our copies may lie over theirs, and theirs must win.
    const held = await store.read(pointerKey);
    if (held === undefined || held.version === run.version) break;
    run = await readStanding(store);
  }
  await applyRetention(store, standing);
}

async function copyReports(store: Store, run: Run): Promise<void> {
  for (const { key, sha256 } of run.manifest.files) {
    const file = reportFile(key);
    if (file === undefined) continue;
    for (const copy of copyKeys(file, run.manifest.slot)) {
      if ((await store.digest(copy)) !== sha256) await store.copy(key, copy);
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

/** The oldest slot that is still kept; what lies before it was removed on purpose. */
export function keptFrom(state: State): string {
  return state.published[0] ?? '';
}
