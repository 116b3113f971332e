/** How much of a long row of like cases `npm test` takes; `npm run test:deep` takes all of it. */

export const isDeep = process.env.DEEP !== undefined;

/** At most so many, evenly spread, the first and the last among them; the same ones each time. */
export function sample<T>(items: readonly T[], most: number): readonly T[] {
  if (isDeep || items.length <= most) {
    return items;
  }
  const step = (items.length - 1) / (most - 1);
  const taken = new Set(Array.from({ length: most }, (_, index) => Math.round(index * step)));
  return items.filter((_, index) => taken.has(index));
}
