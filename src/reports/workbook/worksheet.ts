/** Renders one sheet as SpreadsheetML. Text is formatted as text, so that nothing becomes a formula; dates are dates. */
import { millisecondsPerDay } from '../../core/time/calendar.ts';
import { type Cell, toPrintableText } from '../cell.ts';
import { type ColumnType, renderRepeatedOnce } from '../table.ts';

/** The first line of every part of the workbook. */
export const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
export const spreadsheetNamespace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

/** Number formats: those below 164 are built in, and `@` is text. */
export const formats = { general: 0, twoDecimals: 2, text: 49, date: 164, time: 165 } as const;

/** Styles in the order of `cellXfs`. A cell without a style has the first one, text, as most have. */
export const styles = [
  ['text', formats.text, 'plain'],
  ['number', formats.general, 'plain'],
  ['head', formats.text, 'bold'],
  ['percent', formats.twoDecimals, 'plain'],
  ['date', formats.date, 'plain'],
  ['time', formats.time, 'plain'],
  ['title', formats.text, 'large'],
  ['headline', formats.twoDecimals, 'large'],
] as const;

export type CellStyle = (typeof styles)[number][0];

/** Indexes into `cellXfs`. */
const cellStyle = Object.fromEntries(styles.map(([name], index) => [name, index])) as Readonly<
  Record<CellStyle, number>
>;

/** A table: a head, and rows below it. */
export interface TableSheet {
  readonly title: string;
  readonly columns: readonly { readonly name: string; readonly type: ColumnType }[];
  /** Rows below the head; filters reach to the last of them. */
  readonly rows: readonly (readonly Cell[])[];
  /** Lines below the table, after a blank row. */
  readonly notes?: readonly string[];
}

/** Lines of a free layout, each cell with its own style. */
export interface FreeSheet {
  readonly title: string;
  readonly widths: readonly number[];
  readonly lines: readonly (readonly StyledCell[])[];
}

export type StyledCell = readonly [value: Cell, style?: CellStyle];

export type Worksheet = TableSheet | FreeSheet;

const worksheetStart = `${xmlDeclaration}<worksheet xmlns="${spreadsheetNamespace}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>`;
/** Page setup: A4, landscape, one page wide and as many pages long as needed. */
const pageSetup =
  '<pageMargins left="0.4" right="0.4" top="0.5" bottom="0.5" header="0.3" footer="0.3"/><pageSetup paperSize="9" orientation="landscape" fitToWidth="1" fitToHeight="0"/>';

export function renderWorksheet(sheet: Worksheet): Generator<string> {
  return 'lines' in sheet ? renderFreeSheet(sheet) : renderTableSheet(sheet);
}

function* renderFreeSheet({ widths, lines }: FreeSheet): Generator<string> {
  yield `${worksheetStart}<sheetViews><sheetView showGridLines="0" workbookViewId="0"/></sheetViews>${renderColumnWidths(widths)}<sheetData>`;
  for (const line of lines) {
    yield `<row>${line.map(([value, style]) => renderCell(value, style)).join('')}</row>`;
  }
  yield `</sheetData>${pageSetup}</worksheet>`;
}

function* renderTableSheet(sheet: TableSheet): Generator<string> {
  const { columns } = sheet;
  yield `${worksheetStart}<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>${renderColumnWidths(columns.map(({ name }) => findWidth(name)))}<sheetData>`;
  yield `<row>${columns.map(({ name }) => renderCell(name, 'head')).join('')}</row>`;
  const renderers = columns.map(({ type }) => renderRepeatedOnce(type, (cell) => renderCell(cell, columnStyles[type])));
  for (const cells of sheet.rows) {
    yield `<row>${renderers.map((render, index) => render(cells[index])).join('')}</row>`;
  }
  for (const note of sheet.notes?.length ? ['', ...sheet.notes] : []) {
    yield `<row>${renderCell(note)}</row>`;
  }
  const all = formatRange(sheet);
  yield `</sheetData><autoFilter ref="${all}"/>${pageSetup}<ignoredErrors><ignoredError sqref="${all}" numberStoredAsText="1"/></ignoredErrors></worksheet>`;
}

export function formatRange({ columns, rows }: Pick<TableSheet, 'columns' | 'rows'>, absolute = false): string {
  const last = toColumnName(columns.length - 1);
  return absolute ? `$A$1:$${last}$${rows.length + 1}` : `A1:${last}${rows.length + 1}`;
}

const columnStyles: Readonly<Record<ColumnType, CellStyle>> = {
  text: 'text',
  word: 'text',
  flag: 'text',
  time: 'time',
  slot: 'date',
  count: 'number',
  percent: 'percent',
};

/** Renders a cell, without a reference, since it follows the one before it, and with inline text, so that none is kept. */
function renderCell(value: Cell, style: CellStyle = 'text'): string {
  if (value === undefined || value === '') {
    return '<c/>';
  }
  const number = typeof value === 'number' ? String(value) : toNumberText(value, style);
  if (number !== undefined) {
    return `<c s="${style === 'text' ? cellStyle.number : cellStyle[style]}"><v>${number}</v></c>`;
  }
  const text = escapeCellText(String(value));
  if (text === '') {
    return '<c/>';
  }
  const isDate = style === 'time' || style === 'date' || style === 'percent';
  const attributes = style === 'text' || isDate ? '' : ` s="${cellStyle[style]}"`;
  const space = /^\S+( \S+)*$/.test(text) ? '' : ' xml:space="preserve"';
  return `<c${attributes} t="inlineStr"><is><t${space}>${text}</t></is></c>`;
}

/** UTF-16 units that a cell can hold. */
const longestText = 32_767;

/** Escapes text as in the CSV without its formula guard; characters that XML does not allow become `_xHHHH_`. */
function escapeCellText(text: string): string {
  const value = toPrintableText(text).toWellFormed();
  const whole = value.length <= longestText ? value : `${value.slice(0, longestText - 1).toWellFormed()}…`;
  return whole
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replace(/[\ufffe\uffff]/g, (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase()}_`)
    .replace(/[&<>]/g, (character) => (character === '&' ? '&amp;' : character === '<' ? '&lt;' : '&gt;'));
}

/** Days that spreadsheets count from the end of 1899. */
const daysBefore1970 = 25_569;
const minutesPerDay = 1440;

/** A date as a spreadsheet's number; undefined for other texts, which stay text. */
function toNumberText(value: string | boolean, style: CellStyle): string | undefined {
  if (typeof value === 'boolean') {
    return undefined;
  }
  if (style === 'percent' || style === 'headline') {
    return /^\d+(\.\d+)?$/.test(value) ? value : undefined;
  }
  const isDate = style === 'time' || (style === 'date' && /^\d{4}-\d{2}-\d{2}$/.test(value));
  const time = isDate ? Date.parse(value) : Number.NaN;
  // Spreadsheets and the calendar disagree before March 1900.
  if (Number.isNaN(time) || time < Date.UTC(1900, 2, 1)) {
    return undefined;
  }
  if (style === 'date') {
    return String(time / millisecondsPerDay + daysBefore1970);
  }
  // Rounded to the minute, since unread digits are a good part of the file; upwards, so that it shows that minute.
  const days = Math.floor(time / 60_000) / minutesPerDay + daysBefore1970;
  return String(Math.ceil(days * 10_000 - 1e-6) / 10_000);
}

const columnWidths: Readonly<Record<string, number>> = {
  slot: 11,
  platform: 10,
  device_id: 20,
  device_name: 26,
  serial_number: 16,
  user: 28,
  model: 24,
  detail: 30,
  value_at: 24,
  last_seen_at: 24,
  enrolled_at: 24,
  why: 44,
  check: 24,
  expected: 44,
  found: 44,
  advice: 44,
  problem: 60,
};

function findWidth(column: string): number {
  return (Object.hasOwn(columnWidths, column) ? columnWidths[column] : undefined) ?? Math.max(10, column.length + 3);
}

function renderColumnWidths(widths: readonly number[]): string {
  const cols = widths.map(
    (width, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`,
  );
  return `<cols>${cols.join('')}</cols>`;
}

/** The letters of a column: 0 → A, 25 → Z, 26 → AA. */
function toColumnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : toColumnName(Math.floor(index / 26) - 1) + letter;
}
