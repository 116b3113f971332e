/** Removing nights past their retention. */

import type { Store } from '../store.ts';
import { parseSlotFromKey } from './keys.ts';
import { type CurrentRun, findOldestKeptSlot, readState } from './published-runs.ts';

/** Nights older than those the state lists are removed whole; a source's baseline night is kept however old. */
export async function applyRetention(store: Store, currentRun: CurrentRun): Promise<void> {
  const state = await readState(store, currentRun);
  const oldest = findOldestKeptSlot(state);
  const baselines = new Set(state.sources.map((source) => source.baseline?.slot));
  const outdatedKeys: string[] = [];
  for await (const key of store.list('')) {
    const slot = parseSlotFromKey(key) ?? /^[a-z-]+\/date=(\d{4}-\d{2}-\d{2})\//.exec(key)?.[1];
    if (slot !== undefined && slot < oldest && !baselines.has(slot)) {
      outdatedKeys.push(key);
    }
  }
  for (const key of outdatedKeys) {
    await store.remove(key);
  }
}
