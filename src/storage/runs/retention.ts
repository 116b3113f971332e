/** Removing runs past their retention. */

import { MusterError, toMusterError } from '../../base/errors.ts';
import { compareCodePoints } from '../../core/text/order.ts';
import type { CurrentRun } from '../commits/commit.ts';
import { parseSlotFromCopyKey, parseSlotFromKey } from '../keys.ts';
import type { Store } from '../store.ts';

/** A store that refuses this many runs refuses the others too. */
const maximumFailures = 3;

/**
 * Runs of slots before the one that the log says are removed whole, but for their commits. A run that cannot be removed
 * keeps no other one, and is tried again next time.
 */
export async function applyRetention(store: Store, current: CurrentRun): Promise<void> {
  const { keptFrom } = current.head.commit;
  if (keptFrom === undefined) {
    return;
  }
  let failures = 0;
  let first: MusterError | undefined;
  for (const [slot, keys] of await listExpiredKeys(store, keptFrom)) {
    try {
      for (const key of keys) {
        await store.remove(key);
      }
    } catch (cause) {
      const error = toMusterError(cause, `Removing the run of ${slot}`);
      const message = `The run of ${slot} is past its retention and was not removed. ${error.message}`;
      first ??= new MusterError(error.code, message, { cause: error.cause });
      failures += 1;
      if (error.code === 'deadline' || failures === maximumFailures) {
        break;
      }
    }
  }
  if (first !== undefined) {
    throw first;
  }
}

/** Lists the oldest slot first, and in each first what query engines read. */
async function listExpiredKeys(store: Store, keptFrom: string): Promise<[slot: string, keys: string[]][]> {
  const expired = new Map<string, string[]>();
  for await (const key of store.list('')) {
    const copied = parseSlotFromCopyKey(key);
    const slot = copied ?? parseSlotFromKey(key);
    if (slot !== undefined && slot < keptFrom) {
      const keys = expired.get(slot) ?? [];
      expired.set(slot, copied === undefined ? [...keys, key] : [key, ...keys]);
    }
  }
  return [...expired].sort(([left], [right]) => compareCodePoints(left, right));
}
