/** A table as CSV, row by row. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify';
import type { Night } from '../core/judged.ts';
import { formatCell } from './cell.ts';
import type { Table } from './table.ts';

/**
 * RFC 4180 quoting, LF, UTF-8 without BOM, header always present. The library's own formula escape differs from
 * Muster's (it also escapes plain negative numbers), so the cells are escaped before.
 */
export async function* renderCsv(table: Table, night: Night): AsyncGenerator<Buffer> {
  const columns = table.columns.map(({ name }) => name);
  const out = stringify({ header: true, columns, record_delimiter: '\n' });
  const feeding = pipeline(Readable.from(formatRows(table, night)), out);
  // An error in a row is thrown to the reader below; without this line it would end the process first.
  feeding.catch(() => {});
  for await (const piece of out) {
    yield Buffer.from(piece);
  }
  await feeding;
}

function* formatRows(table: Table, night: Night): Generator<string[]> {
  for (const row of table.rows(night)) {
    yield row.map(formatCell);
  }
}
