/** What one request, or one mark of delivery, may hold. */
interface PartLimits<Item> {
  readonly items: number;
  readonly bytes?: number;
  readonly measure?: (item: Item) => number;
}

/** The items in their order, in as few parts as the limits allow; one that is too large by itself has its own. */
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
