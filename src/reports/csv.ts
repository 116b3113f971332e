/** Renders a table as CSV, some hundred rows at a time. */
import { stringify } from 'csv-stringify/sync';
import type { Night } from '../core/facts/judged.ts';
import { type Cell, formatCell, isPlainText } from './cell.ts';
import { toBuffers } from './report.ts';
import { renderRepeatedOnce, type Table } from './table.ts';

/**
 * Renders with RFC 4180 quoting, LF, UTF-8 without byte-order mark, and a header. Calls `onRows` once with the number
 * of rows, when all are rendered.
 */
export function renderCsv(table: Table, night: Night, onRows?: (count: number) => void): AsyncGenerator<Buffer> {
  return toBuffers(listLines(table, night, onRows));
}

function* listLines(table: Table, night: Night, onRows: ((count: number) => void) | undefined): Generator<string> {
  let count = 0;
  const formatters = table.columns.map(({ type }) => renderRepeatedOnce(type, formatField));
  yield formatLine(table.columns.map(({ name }) => formatField(name)));
  for (const row of table.rows(night)) {
    count += 1;
    yield formatLine(formatters.map((format, index) => format(row[index])));
  }
  onRows?.(count);
}

function formatLine(fields: readonly string[]): string {
  return `${fields.join(',')}\n`;
}

/**
 * Formats a field. The library decides how a text is quoted, and is called only for texts that may need quoting: called
 * for each cell, it takes as long as the rest of a table. Cells are escaped before, since its formula escape differs
 * from Muster's (it also escapes plain negative numbers).
 */
function formatField(cell: Cell): string {
  return typeof cell !== 'string' || isPlainText(cell)
    ? String(cell ?? '')
    : stringify([[formatCell(cell)]], { eof: false });
}
