/** Removing runs past their retention. */

import { MusterError, toMusterError } from '../../errors.ts';
import type { Store } from '../store.ts';
import { isManifestKey, parseSlotFromCopyKey, parseSlotFromKey } from './keys.ts';
import { type CurrentRun, findOldestKeptSlot, readStateHead } from './published-runs.ts';

/** A store that refuses this many runs refuses the others too. */
const maximumFailures = 3;

/**
 * Runs older than those that the state lists are removed whole; a source's baseline run is kept however old. A run that
 * cannot be removed keeps no other one, and is tried again next time.
 */
export async function applyRetention(store: Store, current: CurrentRun): Promise<void> {
  const failures: { readonly slot: string; readonly error: MusterError }[] = [];
  for (const [slot, keys] of await listExpiredKeys(store, current)) {
    try {
      for (const key of keys) {
        await store.remove(key);
      }
    } catch (cause) {
      const error = toMusterError(cause, `Removing the run of ${slot}`);
      failures.push({ slot, error });
      if (error.code === 'deadline' || failures.length === maximumFailures) {
        break;
      }
    }
  }
  const [first] = failures;
  if (first === undefined) {
    return;
  }
  const { code, message, cause } = first.error;
  throw new MusterError(code, `The run of ${first.slot} is past its retention and was not removed. ${message}`, {
    cause,
  });
}

/** By slot, the oldest first, each in the order in which it is removed. */
async function listExpiredKeys(store: Store, current: CurrentRun): Promise<[slot: string, keys: string[]][]> {
  const state = await readStateHead(store, current);
  const oldest = findOldestKeptSlot(state);
  const baselines = new Set(state.sources.map((source) => source.baseline?.slot));
  const expired = new Map<string, string[]>();
  for await (const key of store.list('')) {
    const slot = parseSlotFromKey(key) ?? parseSlotFromCopyKey(key);
    if (slot !== undefined && slot < oldest && !baselines.has(slot)) {
      expired.set(slot, [...(expired.get(slot) ?? []), key]);
    }
  }
  return [...expired]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([slot, keys]) => [slot, keys.sort((left, right) => rankForRemoval(left) - rankForRemoval(right))]);
}

/** The manifest first, so that none ever names files that are gone; then what query engines read; then the rest. */
function rankForRemoval(key: string): number {
  if (isManifestKey(key)) {
    return 0;
  }
  return parseSlotFromCopyKey(key) === undefined ? 2 : 1;
}
