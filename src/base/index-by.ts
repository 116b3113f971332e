/** Maps each key to its item; of several items with one key, to the last. */
export function indexBy<Item, Key>(items: Iterable<Item>, toKey: (item: Item) => Key): Map<Key, Item> {
  const index = new Map<Key, Item>();
  for (const item of items) {
    index.set(toKey(item), item);
  }
  return index;
}
