/** Removing claims and marks with the runs of their commits. */
import { MusterError } from '../../base/errors.ts';
import { deliveriesPrefix, parseDeliveryKey } from '../keys.ts';
import type { Store } from '../store.ts';
import { parseClaim } from './delivery-record.ts';

/**
 * Removes what is about commits before `first`, but never the last such mark of a channel: later ones may be forged. A
 * claim whose range reaches a kept run stays. Reports of failed runs go with their slots.
 */
export async function removeDeliveries(store: Store, keptFrom: string, first: number): Promise<undefined> {
  if (keptFrom === '') {
    return;
  }
  const lastMarks = new Map<string, string>();
  for await (const key of store.list(deliveriesPrefix)) {
    const parsed = parseDeliveryKey(key);
    if (parsed?.kind === 'mark' && parsed.last < first) {
      // Keys are listed in the order of their numbers.
      const earlier = lastMarks.get(parsed.channel);
      lastMarks.set(parsed.channel, key);
      if (earlier !== undefined) {
        await store.remove(earlier);
      }
    }
    const isOldClaim = parsed?.kind === 'claim' && parsed.first < first && !(await reaches(store, key, first));
    if (isOldClaim || (parsed?.kind === 'failure' && parsed.slot < keptFrom)) {
      await store.remove(key);
    }
  }
}

async function reaches(store: Store, key: string, first: number): Promise<boolean> {
  try {
    const body = await store.read(key);
    return body !== undefined && parseClaim(body, key).last >= first;
  } catch (error) {
    if (!(error instanceof MusterError)) {
      throw error;
    }
    // Another version may know what it is.
    return error.code !== 'store-damaged';
  }
}
