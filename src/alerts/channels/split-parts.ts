/** Limits of one request, or of one mark of delivery. */
interface PartLimits<Item> {
  readonly items: number;
  readonly bytes?: number;
  readonly measure?: (item: Item) => number;
}

/** Splits the items, in their order, into as few parts as the limits allow; an item that is too large gets a part of its own. */
export function splitIntoParts<Item>(
  items: readonly Item[],
  { items: most, bytes = 0, measure = () => 0 }: PartLimits<Item>,
): Item[][] {
  const parts: Item[][] = [];
  let room = 0;
  for (const item of items) {
    const size = measure(item);
    const last = parts.at(-1);
    if (last === undefined || last.length === most || size > room) {
      parts.push([item]);
      room = bytes - size;
    } else {
      last.push(item);
      room -= size;
    }
  }
  return parts;
}
