/** The first sheet: coverage as in coverage.csv, each source's receipt beside it, and the definitions. */
import type { Night } from '../../core/judged.ts';
import { getReportDocument } from '../document/document.ts';
import { definitionSentences, limitSentences } from '../page/texts.ts';
import { tables } from '../tables.ts';
import { cellStyle } from './styles.ts';
import type { Worksheet } from './worksheet.ts';

const receiptColumns = ['rows_claimed', 'rows_received', 'newest_value', 'oldest_value', 'problem'] as const;
const percentColumns = new Set(['coverage', 'coverage_low', 'coverage_high']);

export function buildSummarySheet(night: Night): Worksheet {
  const table = tables.find(({ name }) => name === 'coverage');
  const columns = table?.columns.map(({ name }) => name) ?? [];
  const percentIndexes = columns.flatMap((column, index) => (percentColumns.has(column) ? [index] : []));
  const { sources } = getReportDocument(night);
  const rows = [...(table?.rows(night) ?? [])].map((cells) => {
    const source = sources.find(({ name }) => name === cells[columns.indexOf('source')]);
    const numbers = cells.map((cell, index) => (percentIndexes.includes(index) && cell !== '' ? Number(cell) : cell));
    const { claimed, received } = source?.receipt ?? {};
    return [...numbers, claimed, received, source?.values.newest, source?.values.oldest, source?.problem?.message];
  });
  return {
    title: 'Summary',
    columns: [...columns, ...receiptColumns],
    count: rows.length,
    rows: () => rows,
    styles: columns.map((_, index) => (percentIndexes.includes(index) ? cellStyle.percent : undefined)),
    notes: [
      `${night.agent}, run of ${night.slot}, by Muster ${night.muster}`,
      ...definitionSentences,
      ...limitSentences,
    ],
  };
}
