/** Every n-th mutant, in the order in which they stand in the files: the same ones while the files are the same. */
export function isInSample({ id }: { readonly id: string }, oneIn: number): boolean {
  return Number(id) % oneIn === 0;
}
