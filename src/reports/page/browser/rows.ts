/** Searching and sorting rows. */
import { foldForSearch } from './fold.ts';
import type { GridColumn } from './grid.ts';

interface SearchableRows {
  readonly rows: readonly number[];
  search(row: number): string;
}

/** The searched text is folded once: at the first search, or before it while the browser is idle. */
export function createRowSearch({
  rows,
  search,
}: SearchableRows): (words: readonly string[]) => (index: number) => boolean {
  const texts: string[] = [];
  const fold = (until: number) => {
    while (texts.length < until) {
      texts.push(foldForSearch(search(rows[texts.length] ?? 0)));
    }
  };
  const foldNextRows = () => {
    fold(Math.min(rows.length, texts.length + 5_000));
    if (texts.length < rows.length) {
      setTimeout(foldNextRows);
    }
  };
  setTimeout(foldNextRows);
  return (words) => {
    fold(rows.length);
    return (index) => words.every((word) => texts[index]?.includes(word));
  };
}

export function sortRows(
  rows: readonly number[],
  columns: readonly GridColumn[],
  { key, descending }: { key: string; descending: boolean },
): number[] {
  const column = columns.find((candidate) => candidate.key === key);
  const readKey = (row: number) => (column?.sort ? column.sort(row) : column?.text(row).toLowerCase()) ?? '';
  const keyed = rows.map((row) => ({ row, key: readKey(row) }));
  const direction = descending ? -1 : 1;
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
    return left.key < right.key ? -direction : direction;
  });
  return keyed.map(({ row }) => row);
}
