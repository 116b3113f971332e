/**
 * The mutants to try: every n-th, in the order in which they stand in the files, or those with the given numbers. They
 * are the same ones each time while the files are the same.
 */
export function isInSample(
  { id }: { readonly id: string },
  { oneIn, ids }: { readonly oneIn: number; readonly ids: readonly string[] | undefined },
): boolean {
  return ids === undefined ? Number(id) % oneIn === 0 : ids.includes(id);
}
