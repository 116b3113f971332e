/** A table as CSV, some hundred rows at a time. */
import { stringify } from 'csv-stringify/sync';
import type { Night } from '../core/facts/judged.ts';
import { formatCell } from './cell.ts';
import type { Table } from './table.ts';

/** A step of the library and of the store for every row would cost more than the rows. */
const rowsAtOnce = 500;

/**
 * RFC 4180 quoting, LF, UTF-8 without BOM, header always present. The library's own formula escape differs from
 * Muster's (it also escapes plain negative numbers), so the cells are escaped before. `onRows` is called once, with the
 * number of rows, when all are rendered.
 */
export async function* renderCsv(table: Table, night: Night, onRows?: (count: number) => void): AsyncGenerator<Buffer> {
  let count = 0;
  let batch: string[][] = [table.columns.map(({ name }) => name)];
  for (const row of table.rows(night)) {
    count += 1;
    batch.push(row.map(formatCell));
    if (batch.length >= rowsAtOnce) {
      yield stringifyRows(batch);
      batch = [];
    }
  }
  if (batch.length > 0) {
    yield stringifyRows(batch);
  }
  onRows?.(count);
}

function stringifyRows(rows: readonly (readonly string[])[]): Buffer {
  return Buffer.from(stringify([...rows], { record_delimiter: '\n' }));
}
