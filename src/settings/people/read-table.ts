/**
 * Reads the table in a file that people keep, in any form in which a spreadsheet or a console saves it. A row that is
 * not understood is reported by its line. A file with too few rows that are understood is refused, since its other rows
 * would seem to be missing.
 */
import { decodeText, UnreadableTable } from './decode-text.ts';
import { type Line, splitLines } from './split-lines.ts';

export interface TableLayout<Column extends string> {
  readonly columns: readonly Column[];
  /** Titles of columns in the file, where they differ from the names. */
  readonly titles?: { readonly [Name in Column]?: string | undefined };
  /** Groups of columns, of each of which the file must have one. */
  readonly needed: readonly (readonly Column[])[];
  /** Returns the reason why the cells of a row are not understood, or undefined. */
  readonly findProblem: (cells: Readonly<Record<Column, string>>) => string | undefined;
  /** True where a program wrote the file, with every cell of every row. */
  readonly isExport?: true;
  /** Columns of words, in capitals or not. */
  readonly wordColumns?: readonly Column[];
}

export type TableRow<Column extends string> = Readonly<Record<Column, string>> & {
  readonly line: number;
  /** The reason why the row is not understood. Its cells are empty if they cannot be assigned to columns. */
  readonly problem?: string;
};

export interface Table<Column extends string> {
  /** Titles of the used columns, as in the file. */
  readonly titles: readonly string[];
  readonly rows: readonly TableRow<Column>[];
}

/** Rows that may have a problem before the file is refused, however few the others are. */
const mostProblems = 10;

/** Reads a table; throws `UnreadableTable`. */
export function readTable<Column extends string>(body: Buffer, layout: TableLayout<Column>): Table<Column> {
  const text = decodeText(body);
  const [header, ...lines] = splitLines(text, (titles, cells) => isWholeRow(titles, cells, layout));
  if (header === undefined || header.problem !== undefined) {
    throw new UnreadableTable(header ? formatLineProblem(header) : 'it is empty');
  }
  const names = nameColumns(header.cells, layout);
  const rows = lines.map((line) => readRow(line, names, layout));
  const [last, lastRow] = [lines.at(-1), rows.at(-1)];
  const isShort = last !== undefined && last.cells.length < names.length && !/[\r\n]$/.test(text);
  if (isShort && (layout.isExport || lastRow?.problem !== undefined)) {
    throw new UnreadableTable(`line ${last.line}: the file ends within this row, as one that is cut off`);
  }
  refuseProblems(rows);
  return { titles: header.cells.filter((_, index) => names[index] !== undefined), rows };
}

export function formatLineProblem({
  line,
  problem = '',
}: {
  readonly line: number;
  readonly problem?: string;
}): string {
  return `line ${line}: ${problem}`;
}

/** Names of the columns; undefined for each column that is not used. Throws where a needed one is missing. */
function nameColumns<Column extends string>(
  header: readonly string[],
  { columns, titles = {}, needed }: TableLayout<Column>,
): (Column | undefined)[] {
  const toTitle = (name: Column) => titles[name] ?? name;
  const names = header.map((title) => columns.find((name) => foldTitle(toTitle(name)) === foldTitle(title)));
  const double = columns.find((name) => names.indexOf(name) !== names.lastIndexOf(name));
  if (double !== undefined) {
    throw new UnreadableTable(`it has several columns "${toTitle(double)}"`);
  }
  const named = columns.filter((name) => titles[name] !== undefined).map((name) => [name]);
  const missing = [...named, ...needed].find((group) => !group.some((name) => names.includes(name)));
  if (missing !== undefined) {
    throw new UnreadableTable(`it has no column "${missing.map(toTitle).join('" or "')}"`);
  }
  return names;
}

function foldTitle(title: string): string {
  return title.trim().toLowerCase();
}

/** Reads a row; spreadsheets omit empty cells at its end, or add some. */
function readRow<Column extends string>(
  { line, cells, problem: lineProblem }: Line,
  names: readonly (Column | undefined)[],
  { columns, findProblem, wordColumns = [] }: TableLayout<Column>,
): TableRow<Column> {
  const isLong = cells.slice(names.length).some((cell) => cell !== '');
  const problem = isLong ? 'it has more values than the first line has columns' : lineProblem;
  const entries = columns.map((name) => {
    const cell = (problem === undefined && cells[names.indexOf(name)]) || '';
    return [name, wordColumns.includes(name) ? cell.toLowerCase() : cell];
  });
  const row: Readonly<Record<Column, string>> = Object.fromEntries(entries);
  const why = problem ?? findProblem(row);
  return { ...row, line, ...(why !== undefined && { problem: why }) };
}

/** In a text of several lines, hardly a line has just as many separators as a table of more columns than these. */
const mostTextColumns = 3;

/** Whether a line's cells are a valid row. Never in an export, where a line of a longer text may look like a row. */
function isWholeRow<Column extends string>(
  header: readonly string[],
  cells: readonly string[],
  layout: TableLayout<Column>,
): boolean {
  const names = nameColumns(header, layout);
  const isShapedAsRow = header.length > mostTextColumns && cells.length === header.length;
  return !layout.isExport && (isShapedAsRow || readRow({ line: 0, cells }, names, layout).problem === undefined);
}

function refuseProblems(rows: readonly { readonly line: number; readonly problem?: string }[]): void {
  const found = rows.filter(({ problem }) => problem !== undefined);
  if (found.length > mostProblems && found.length > rows.length / 2) {
    const first = found.slice(0, 3).map(formatLineProblem).join('; ');
    throw new UnreadableTable(`${found.length} of its ${rows.length} rows are not understood (${first})`);
  }
}
