/** Items by a key of theirs; of several with one key, the last. */
export function indexBy<Item, Key>(items: Iterable<Item>, toKey: (item: Item) => Key): Map<Key, Item> {
  const index = new Map<Key, Item>();
  for (const item of items) {
    index.set(toKey(item), item);
  }
  return index;
}
