/** The form of a word that fits a number: `${pages} ${pluralize(pages, 'page')}`. */
export function pluralize(count: number, one: string, many = `${one}s`): string {
  return count === 1 ? one : many;
}
