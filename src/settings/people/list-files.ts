/** Reads lists of machines, from whatever console they were exported. A file that is not as it should be is said, and fails no run. */
import { posix, win32 } from 'node:path';
import { CsvError, parse } from 'csv-parse/sync';
import { omitUndefined } from '../../base/omit-undefined.ts';
import {
  type ListFacts,
  type ListFile,
  type ListName,
  type ListRow,
  type ListsFacts,
  listColumns,
  listNames,
} from '../../core/facts/lists.ts';
import { readDocument, resolveInFolder } from '../documents.ts';
import type { SharedSettings } from '../schema.ts';
import { describeCsvError } from './people-files.ts';

/** The columns without which a list says nothing: one of each group. */
const neededColumns = { expected: [['serial']], reporting: [['serial', 'name'], ['seen_at']] } as const;

/** What is larger is a mistake or an attack. */
const maximumBytes = 128 * 1024 * 1024;
const maximumRows = 1_000_000;
const maximumRowCharacters = 65_536;

/** Undefined where the settings name none. */
export async function readLists(
  { lists }: Pick<SharedSettings, 'lists'>,
  folder: string,
  now: Date,
): Promise<ListsFacts | undefined> {
  const found: { [Name in ListName]?: ListFacts } = {};
  for (const name of listNames.filter((one) => lists[one])) {
    const parts = await Array.fromAsync(lists[name] ?? [], (settings) => readListFile(name, settings, folder));
    const files = parts.map(({ file }) => file);
    found[name] = { readAt: now.toISOString(), files, rows: parts.flatMap(({ rows }) => rows) };
  }
  return Object.keys(found).length === 0 ? undefined : found;
}

type FileSettings = NonNullable<SharedSettings['lists'][ListName]>[number];

async function readListFile(
  list: ListName,
  { file: address, columns: given, maxAgeDays }: FileSettings,
  folder: string,
): Promise<{ readonly file: ListFile; readonly rows: ListRow[] }> {
  // A folder or a bucket may name a person or a customer.
  const name = posix.basename(win32.basename(address)).replace(/\?.*/, '');
  let file: ListFile = { name, rows: 0, columns: [], maxAgeDays };
  try {
    const { body, modifiedAt: date } = await readDocument(resolveInFolder(folder, address), maximumBytes);
    file = { ...file, ...omitUndefined({ date }) };
    const { rows, columns } = parseListFile(list, decodeText(body), given);
    return { file: { ...file, rows: rows.length, columns }, rows };
  } catch (error) {
    const [code, why] = describeProblem(error);
    const message = `${name} of lists.${list} could not be read: ${why}. Export it again; nothing is concluded from this list until then.`;
    return { file: { ...file, problem: { code, message } }, rows: [] };
  }
}

/** The list is `incomplete`: its bytes came, and are not what they should be. */
class IncompleteList extends Error {}

function describeProblem(error: unknown): [code: string, why: string] {
  if (error instanceof IncompleteList || error instanceof CsvError) {
    return ['list-incomplete', error instanceof CsvError ? describeCsvError(error) : error.message];
  }
  const isFailure = error instanceof Error && 'code' in error && !(error instanceof TypeError);
  return ['list-unreadable', isFailure ? String(error.code) : 'it is no text in UTF-8 or UTF-16'];
}

/** Throws a `TypeError` where the bytes are no text. */
function decodeText(body: Buffer): string {
  const [first, second] = body;
  const encoding = first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff && 'utf-16be';
  return new TextDecoder(encoding || 'utf-8', { fatal: true }).decode(body);
}

function parseListFile(list: ListName, text: string, given: FileSettings['columns']) {
  let columns: readonly string[] | undefined;
  const rows: ListRow[] = [];
  parse(text, {
    delimiter: findDelimiter(text),
    bom: true,
    trim: true,
    skip_empty_lines: true,
    max_record_size: maximumRowCharacters,
    // An export can have a hundred other columns, which are not kept.
    columns: (header: string[]) => {
      const names = nameColumns(list, header, given);
      columns = header.filter((_, index) => names[index] !== null);
      return names;
    },
    on_record: (row: Record<string, string>) => {
      if (rows.push(Object.fromEntries(Object.entries(row).filter(([, cell]) => cell !== ''))) > maximumRows) {
        throw new IncompleteList(`it has more than ${maximumRows} rows`);
      }
      return null;
    },
  });
  if (columns === undefined) {
    throw new IncompleteList('it is empty');
  }
  return { rows, columns };
}

/** The one that the first line has most of. */
function findDelimiter(text: string): string {
  const header = /^[^\r\n]*/.exec(text)?.[0].replace(/"[^"]*"/g, '') ?? '';
  const count = (delimiter: string) => header.split(delimiter).length;
  return [',', ';', '\t'].reduce((best, one) => (count(one) > count(best) ? one : best));
}

/** Null for each that is not used. */
function nameColumns(list: ListName, header: readonly string[], given: FileSettings['columns']): (string | null)[] {
  const columns = Object.keys(listColumns[list]).map((name) => ({ name, title: given[name] ?? name }));
  const names = header.map(
    (title) => columns.find((column) => foldTitle(column.title) === foldTitle(title))?.name ?? null,
  );
  const found = names.filter((name) => name !== null);
  const double = columns.find(({ name }) => found.filter((one) => one === name).length > 1)?.title;
  const absent = columns.find(({ name }) => given[name] !== undefined && !found.includes(name))?.title;
  const missing = neededColumns[list].find((group) => !group.some((name) => found.includes(name)))?.join('" or "');
  if (double !== undefined) {
    throw new IncompleteList(`it has several columns "${double}"`);
  }
  if (absent !== undefined || missing !== undefined) {
    throw new IncompleteList(`it has no column "${absent ?? missing}"${absent ? '' : ', and columns names no other'}`);
  }
  return names;
}

function foldTitle(title: string): string {
  return title.trim().toLowerCase();
}
