/** A table as CSV. */
import type { Night } from '../core/facts/judged.ts';
import { type Cell, formatCell, quoteCsvValue } from './cell.ts';
import { toBuffers } from './report.ts';
import type { Table } from './table.ts';

/**
 * RFC 4180 quoting, LF, UTF-8 without BOM, header always present. `onRows` is called once, with the number of rows, when
 * all are rendered.
 */
export async function* renderCsv(table: Table, night: Night, onRows?: (count: number) => void): AsyncGenerator<Buffer> {
  let count = 0;
  function* renderLines(): Generator<string> {
    yield renderLine(table.columns.map(({ name }) => name));
    for (const row of table.rows(night)) {
      count += 1;
      yield renderLine(row);
    }
  }
  yield* toBuffers(renderLines());
  onRows?.(count);
}

/** Put together without a list of texts for each row, which would take as long as the texts. */
function renderLine(cells: readonly Cell[]): string {
  let line = '';
  for (const cell of cells) {
    line += `${quoteCsvValue(formatCell(cell))},`;
  }
  return `${line.slice(0, -1)}\n`;
}
