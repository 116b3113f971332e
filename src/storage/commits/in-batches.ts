/** Small reads of a store, some at a time: one after the other they would take long, all at once they would be refused. */

const readsAtOnce = 16;

export async function mapInBatches<Item, Result>(
  items: readonly Item[],
  read: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < items.length; at += readsAtOnce) {
    results.push(...(await Promise.all(items.slice(at, at + readsAtOnce).map(read))));
  }
  return results;
}
