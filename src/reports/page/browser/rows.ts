/** Searching and ordering rows. */
import type { GridColumn } from './grid.ts';

interface SearchableRows {
  readonly rows: readonly number[];
  search(row: number): string;
}

/** Searched text, folded once: at the first search, or before it when the browser has nothing else to do. */
export function createRowSearch({
  rows,
  search,
}: SearchableRows): (words: readonly string[]) => (place: number) => boolean {
  const texts: string[] = [];
  const fold = (until: number) => {
    while (texts.length < until) {
      texts.push(search(rows[texts.length] ?? 0).toLowerCase());
    }
  };
  const ahead = () => {
    fold(Math.min(rows.length, texts.length + 5_000));
    if (texts.length < rows.length) {
      setTimeout(ahead);
    }
  };
  setTimeout(ahead);
  return (words) => {
    fold(rows.length);
    return (place) => words.every((word) => texts[place]?.includes(word));
  };
}

export function sortRows(
  rows: readonly number[],
  columns: readonly GridColumn[],
  { key, descending }: { key: string; descending: boolean },
): number[] {
  const column = columns.find((one) => one.key === key);
  const keyOf = (row: number) => (column?.sort ? column.sort(row) : column?.text(row).toLowerCase()) ?? '';
  const keyed = rows.map((row) => ({ row, key: keyOf(row) }));
  const way = descending ? -1 : 1;
  keyed.sort((left, right) => {
    if (left.key === right.key) {
      return 0;
    }
    if (left.key === '') {
      return 1;
    }
    if (right.key === '') {
      return -1;
    }
    return left.key < right.key ? -way : way;
  });
  return keyed.map(({ row }) => row);
}
