/** The first sheet: coverage as in coverage.csv, each source's receipt beside it, and what the numbers mean. */
import type { Night } from '../../core/judged.ts';
import { documentOf } from '../document/document.ts';
import { limits, sentences } from '../page/texts.ts';
import { tables } from '../tables.ts';
import type { Sheet } from './sheet.ts';
import { cellStyle } from './styles.ts';

const receiptColumns = ['rows_claimed', 'rows_received', 'newest_value', 'oldest_value', 'problem'] as const;
const percentages = new Set(['coverage', 'coverage_low', 'coverage_high']);

export function summarySheet(night: Night): Sheet {
  const table = tables.find(({ name }) => name === 'coverage');
  const columns = table?.columns.map(({ name }) => name) ?? [];
  const places = columns.flatMap((column, place) => (percentages.has(column) ? [place] : []));
  const { sources } = documentOf(night);
  const rows = [...(table?.rows(night) ?? [])].map((cells) => {
    const source = sources.find(({ name }) => name === cells[columns.indexOf('source')]);
    const numbers = cells.map((cell, place) => (places.includes(place) && cell !== '' ? Number(cell) : cell));
    const { claimed, received } = source?.receipt ?? {};
    return [...numbers, claimed, received, source?.values.newest, source?.values.oldest, source?.problem?.message];
  });
  return {
    title: 'Summary',
    columns: [...columns, ...receiptColumns],
    count: rows.length,
    rows: () => rows,
    styles: columns.map((_, place) => (places.includes(place) ? cellStyle.percent : undefined)),
    notes: [`${night.agent}, night of ${night.slot}, by Muster ${night.muster}`, ...sentences, ...limits],
  };
}
