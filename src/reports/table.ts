/** The contract of a table: a judged run → rows. Pure. To add one: its columns and a line in `tables.ts`. */
import type { Night } from '../core/facts/judged.ts';
import type { Cell } from './cell.ts';

/**
 * The type of a column. `text` rarely repeats, `word` does; `time` is ISO 8601 UTC, `slot` a date of a run, `flag` true
 * or false, `count` a whole number, `percent` has two decimals. Query tables, the page and the docs follow from it.
 */
export type ColumnType = 'text' | 'word' | 'time' | 'slot' | 'flag' | 'count' | 'percent';

export interface TableColumn {
  readonly name: string;
  readonly type: ColumnType;
  readonly description: string;
}

export type ColumnDefinition<Row> = readonly [
  name: string,
  type: ColumnType,
  description: string,
  read: (row: Row) => Cell,
];

export interface Table {
  /** The file's name without `.csv`, and the folder of its copies. */
  readonly name: string;
  readonly description: string;
  /** Append only, since people and programs refer to columns by position and by name. */
  readonly columns: readonly TableColumn[];
  rows(night: Night): Iterable<readonly Cell[]>;
}

const slotColumn: TableColumn = { name: 'slot', type: 'slot', description: 'The date of the run' };

/** Defines a table, which begins with its slot, so that tables of several runs can be combined. */
export function defineTable<Row>(
  name: string,
  description: string,
  listRows: (night: Night) => Iterable<Row>,
  columns: readonly ColumnDefinition<Row>[],
): Table {
  return {
    name,
    description,
    columns: [slotColumn, ...columns.map(([column, type, about]) => ({ name: column, type, description: about }))],
    *rows(night) {
      const readers = [() => night.slot, ...columns.map(([, , , read]) => read)];
      for (const row of listRows(night)) {
        yield readers.map((read) => read(row));
      }
    },
  };
}

const repeatedTypes: ReadonlySet<ColumnType> = new Set(['word', 'slot', 'flag']);

/** Makes a renderer that renders repeated cells of a column once, however many rows have them. */
export function renderRepeatedOnce(type: ColumnType, render: (cell: Cell) => string): (cell: Cell) => string {
  if (!repeatedTypes.has(type)) {
    return render;
  }
  const known = new Map<Cell, string>();
  return (cell) => {
    const rendered = known.get(cell) ?? render(cell);
    known.set(cell, rendered);
    return rendered;
  };
}
