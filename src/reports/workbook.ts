/**
 * `muster.xlsx`: a sheet for managers, and the tables, in which text stays text and dates are dates. It is written row
 * by row, so that it never has to fit into memory; every date in the archive is fixed.
 */
import { Readable } from 'node:stream';
import type { Night } from '../core/facts/judged.ts';
import type { Cell } from './cell.ts';
import { getReportDocument } from './document/document.ts';
import { definitionSentences, limitSentences } from './page/shared/texts.ts';
import { type Report, toBuffers } from './report.ts';
import type { Table } from './table.ts';
import { tables } from './tables.ts';
import { buildOverviewSheet } from './workbook/overview.ts';
import {
  packageRelationships,
  renderContentTypes,
  renderWorkbook,
  renderWorkbookRelationships,
  stylesXml,
} from './workbook/parts.ts';
import { renderWorksheet, type TableSheet, type Worksheet } from './workbook/worksheet.ts';

export const workbookReport: Report = {
  file: 'muster.xlsx',
  async *render(night) {
    // Imported by its default, since a bundle does not see the names that a CommonJS package exports.
    const { ZipFile } = (await import('yazl')).default;
    const zip = new ZipFile();
    const out = zip.outputStream as Readable;
    zip.once('error', (error: Error) => out.destroy(error));
    // Made from local time, which the archive uses, so that the bytes are the same in every zone.
    const fixed = { mtime: new Date(2000, 0, 1), forceDosTimestamp: true, mode: 0o100644 };
    for (const [name, texts] of renderWorkbookParts(buildSheets(night))) {
      zip.addReadStreamLazy(name, fixed, (take) => take(null, Readable.from(toBuffers(texts))));
    }
    zip.end();
    for await (const piece of out) {
      yield piece;
    }
  },
};

function renderWorkbookParts(sheets: readonly Worksheet[]): [name: string, texts: Iterable<string>][] {
  return [
    ['[Content_Types].xml', [renderContentTypes(sheets)]],
    ['_rels/.rels', [packageRelationships]],
    ['xl/workbook.xml', [renderWorkbook(sheets)]],
    ['xl/_rels/workbook.xml.rels', [renderWorkbookRelationships(sheets)]],
    ['xl/styles.xml', [stylesXml]],
    ...sheets.map((sheet, index): [string, Iterable<string>] => [
      `xl/worksheets/sheet${index + 1}.xml`,
      renderWorksheet(sheet),
    ]),
  ];
}

/** The tables, each with a filter of its rows, or all. Rows without importance for people are only in the CSV files. */
const sheetTables: readonly (readonly [title: string, table: string, shows?: RowFilter])[] = [
  ['Not Installed', 'not-installed'],
  ['In doubt or not counted', 'devices', (read) => read('counted') !== true || isDoubted(read)],
  ['Changes', 'changes'],
  // Nearly every device is a member of a group by its status; groups.csv has them all.
  ['Groups', 'groups', (read) => read('change') !== 'stayed' || differing.has(String(read('verdict')))],
  ['Coverage by', 'coverage-by'],
  // A check that is not made belongs to an interface that the company does not use.
  ['Deployment', 'deployment', (read) => read('result') !== 'not-checked'],
  ['Enrolled nowhere', 'unenrolled'],
];

/** Devices whose status is not proven, and Installed ones that do not check in. */
function isDoubted(read: (column: string) => Cell): boolean {
  return read('proven') !== true || (read('status') === 'Installed' && read('silent') === true);
}

type RowFilter = (read: (column: string) => Cell) => boolean;

const differing: ReadonlySet<string> = new Set(['missing', 'unexpected', 'outside', 'unknown']);

function buildSheets(night: Night): Worksheet[] {
  const shown = sheetTables.filter(([, name]) => name !== 'unenrolled' || night.lists.expected !== undefined);
  const rest = shown.flatMap(([title, name, shows]) => buildTableSheets(title, findTable(name), shows, night));
  return [buildOverviewSheet(night), buildSummarySheet(night), ...rest];
}

/** Rows of a sheet, which ends at 1,048,576; a longer table continues in a second one. */
const maximumRows = 1_048_575;

function buildTableSheets(title: string, table: Table, shows: RowFilter | undefined, night: Night): TableSheet[] {
  const indexes = new Map(table.columns.map(({ name }, index) => [name, index]));
  const rows = Iterator.from(table.rows(night))
    .filter((row) => shows?.((column) => row[indexes.get(column) ?? -1]) ?? true)
    .toArray();
  const parts = Math.max(1, Math.ceil(rows.length / maximumRows));
  return Array.from({ length: parts }, (_, part) => ({
    title: part === 0 ? title : `${title} ${part + 1}`,
    columns: table.columns,
    rows: rows.slice(part * maximumRows, (part + 1) * maximumRows),
  }));
}

function findTable(name: string): Table {
  const table = tables.find((candidate) => candidate.name === name);
  if (table === undefined) {
    throw new Error(`No table is called ${name}.`);
  }
  return table;
}

/** Columns of the second sheet: coverage as in coverage.csv, each source's receipt beside it, and the definitions. */
const receiptColumns: TableSheet['columns'] = [
  { name: 'rows_claimed', type: 'count' },
  { name: 'rows_received', type: 'count' },
  { name: 'newest_value', type: 'time' },
  { name: 'oldest_value', type: 'time' },
  { name: 'problem', type: 'text' },
];

function buildSummarySheet(night: Night): TableSheet {
  const { columns, rows: listRows } = findTable('coverage');
  const { sources } = getReportDocument(night);
  const rows = [...listRows(night)].map((cells, index) => {
    const source = sources.find(({ name }) => name === night.coverage[index]?.source);
    const { claimed, received } = source?.receipt ?? {};
    return [...cells, claimed, received, source?.values.newest, source?.values.oldest, source?.problem?.message];
  });
  return {
    title: 'Summary',
    columns: [...columns, ...receiptColumns],
    rows,
    notes: [
      `${night.agent}, run of ${night.slot}, by Muster ${night.muster}`,
      ...definitionSentences,
      ...limitSentences,
    ],
  };
}
