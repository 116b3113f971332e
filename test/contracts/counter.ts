import type { Store } from '../../src/storage/store.ts';

/** Reads a counter, adds one and swaps it back; the nonce keeps contents from ever repeating. */
export async function addOne(store: Store, key: string, nonce: string): Promise<boolean> {
  const held = await store.read(key);
  const count = held ? Number(JSON.parse(held.body.toString()).count) : 0;
  return store.swap(key, Buffer.from(JSON.stringify({ count: count + 1, nonce })), held?.version);
}
