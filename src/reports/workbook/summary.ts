/** The second sheet: coverage as in coverage.csv, each source's receipt beside it, and the definitions. */
import type { Night } from '../../core/judged.ts';
import { getReportDocument } from '../document/document.ts';
import { definitionSentences, limitSentences } from '../page/texts.ts';
import { tables } from '../tables.ts';
import type { TableSheet } from './worksheet.ts';

const receiptColumns: TableSheet['columns'] = [
  { name: 'rows_claimed', type: 'count' },
  { name: 'rows_received', type: 'count' },
  { name: 'newest_value', type: 'time' },
  { name: 'oldest_value', type: 'time' },
  { name: 'problem', type: 'text' },
];

export function buildSummarySheet(night: Night): TableSheet {
  const table = tables.find(({ name }) => name === 'coverage');
  const columns = table?.columns ?? [];
  const sourceIndex = columns.findIndex(({ name }) => name === 'source');
  const { sources } = getReportDocument(night);
  const rows = [...(table?.rows(night) ?? [])].map((cells) => {
    const source = sources.find(({ name }) => name === cells[sourceIndex]);
    const { claimed, received } = source?.receipt ?? {};
    return [...cells, claimed, received, source?.values.newest, source?.values.oldest, source?.problem?.message];
  });
  return {
    title: 'Summary',
    columns: [...columns, ...receiptColumns],
    count: rows.length,
    rows: () => rows,
    notes: [
      `${night.agent}, run of ${night.slot}, by Muster ${night.muster}`,
      ...definitionSentences,
      ...limitSentences,
    ],
  };
}
