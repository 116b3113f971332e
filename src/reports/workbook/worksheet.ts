/** One sheet as SpreadsheetML. Text is written inline and formatted as text, so that nothing becomes a formula. */
import { type Cell, toPrintableText } from '../cell.ts';
import { cellStyle, spreadsheetNamespace, xmlDeclaration } from './styles.ts';

export interface Worksheet {
  readonly title: string;
  readonly columns: readonly string[];
  /** Rows below the head; filters reach to the last of them. */
  readonly count: number;
  rows(): Iterable<readonly Cell[]>;
  /** Number formats of columns by index, where a cell is a number. */
  readonly styles?: readonly (number | undefined)[];
  /** Lines below the table, after a blank row. */
  readonly notes?: readonly string[];
}

const worksheetStart =
  `${xmlDeclaration}<worksheet xmlns="${spreadsheetNamespace}">` +
  '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>';

export function* renderWorksheet(sheet: Worksheet): Generator<string> {
  yield `${worksheetStart}${renderColumns(sheet)}<sheetData>`;
  yield renderRow(1, sheet.columns, () => cellStyle.head);
  let row = 1;
  for (const cells of sheet.rows()) {
    row += 1;
    yield renderRow(row, cells, (index) => sheet.styles?.[index]);
  }
  for (const [index, note] of (sheet.notes ?? []).entries()) {
    yield renderRow(row + 2 + index, [note], () => undefined);
  }
  const all = formatRange(sheet);
  yield `</sheetData><autoFilter ref="${all}"/><ignoredErrors><ignoredError sqref="${all}" numberStoredAsText="1"/></ignoredErrors></worksheet>`;
}

export function formatRange({ columns, count }: Worksheet, absolute = false): string {
  const last = toColumnName(columns.length - 1);
  return absolute ? `$A$1:$${last}$${count + 1}` : `A1:${last}${count + 1}`;
}

function renderRow(row: number, cells: readonly Cell[], getStyle: (index: number) => number | undefined): string {
  let xml = `<row r="${row}">`;
  for (const [index, cell] of cells.entries()) {
    if (cell === undefined) {
      continue;
    }
    const at = `${toColumnName(index)}${row}`;
    const style = getStyle(index);
    if (typeof cell === 'number') {
      xml += `<c r="${at}" s="${style ?? cellStyle.number}"><v>${cell}</v></c>`;
    } else {
      xml += renderTextCell(at, style ?? cellStyle.plain, String(cell));
    }
  }
  return `${xml}</row>`;
}

function renderTextCell(at: string, style: number, text: string): string {
  const value = escapeCellText(text);
  return value === ''
    ? ''
    : `<c r="${at}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${value}</t></is></c>`;
}

/** The most UTF-16 characters that a cell can hold. */
const longestText = 32_767;

/** As in the CSV before its formula guard; characters that XML does not allow are written as the format's own `_xHHHH_`. */
function escapeCellText(text: string): string {
  const value = toPrintableText(text).toWellFormed();
  const whole = value.length <= longestText ? value : `${value.slice(0, longestText - 1).toWellFormed()}…`;
  return whole
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replace(/[\ufffe\uffff]/g, (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase()}_`)
    .replace(/[&<>]/g, (character) => (character === '&' ? '&amp;' : character === '<' ? '&lt;' : '&gt;'));
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
  value_at: 21,
  last_seen_at: 21,
  enrolled_at: 21,
  why: 44,
  check: 24,
  expected: 44,
  found: 44,
  advice: 44,
  problem: 60,
};

function renderColumns({ columns }: Worksheet): string {
  const cols = columns.map((column, index) => {
    const width = Object.hasOwn(columnWidths, column) ? columnWidths[column] : Math.max(10, column.length + 3);
    return `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`;
  });
  return `<cols>${cols.join('')}</cols>`;
}

/** 0 → A, 25 → Z, 26 → AA. */
function toColumnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : toColumnName(Math.floor(index / 26) - 1) + letter;
}
