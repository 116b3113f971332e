/** Reads lists of machines as exported from any console. A faulty file is reported, and does not fail the run. */
import { posix, win32 } from 'node:path';
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
import { findListRowProblem } from '../../core/lists/list-rows.ts';
import { readDocument, resolveInFolder } from '../documents.ts';
import type { ListSettings } from '../lists.ts';
import { UnreadableTable, UnreadableText } from './decode-text.ts';
import { formatLineProblem, readTable } from './read-table.ts';

/** Columns that a list needs: one of each group. */
const neededColumns = {
  expected: [['serial']],
  reporting: [['serial', 'name'], ['seen_at']],
} as const satisfies Record<ListName, readonly (readonly (keyof ListRow)[])[]>;

/** Bytes of a file; a larger one is a mistake or an attack. */
const maximumBytes = 128 * 1024 * 1024;
const mostProblemsNamed = 10;

/** Reads the lists; undefined where the settings name none. */
export async function readLists(
  { lists }: { readonly lists: ListSettings },
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

type FileSettings = NonNullable<ListSettings[ListName]>[number];

async function readListFile(
  list: ListName,
  { file: address, columns: titles, maxAgeDays }: FileSettings,
  folder: string,
): Promise<{ readonly file: ListFile; readonly rows: ListRow[] }> {
  // Keeps the file's name alone, since a folder or a bucket may name a person or a customer.
  const name = posix.basename(win32.basename(address)).replace(/\?.*/, '');
  let file: ListFile = { name, rows: 0, columns: [], maxAgeDays };
  try {
    const { body, modifiedAt: date } = await readDocument(resolveInFolder(folder, address), maximumBytes);
    file = { ...file, ...omitUndefined({ date }) };
    const { rows, ...found } = readListTable(body, list, titles);
    return { file: { ...file, ...found, rows: rows.length }, rows };
  } catch (error) {
    const [code, why] = describeProblem(error);
    const message = `${name} of lists.${list} could not be read: ${why}. Export it again; nothing is concluded from this list until then.`;
    return { file: { ...file, problem: { code, message } }, rows: [] };
  }
}

function describeProblem(error: unknown): [code: string, why: string] {
  if (error instanceof UnreadableTable) {
    return [error instanceof UnreadableText ? 'list-unreadable' : 'list-incomplete', error.message];
  }
  return ['list-unreadable', error instanceof Error && 'code' in error ? String(error.code) : 'no reason given'];
}

/** Reads the rows without empty cells, and without the other columns, of which an export can have a hundred. */
function readListTable(body: Buffer, list: ListName, titles: FileSettings['columns']) {
  const columns = Object.keys(listColumns[list]) as (keyof ListRow)[];
  const needed = neededColumns[list];
  const table = readTable<keyof ListRow>(body, {
    columns,
    titles,
    needed,
    findProblem: findListRowProblem,
    isExport: true,
  });
  const problems = table.rows.filter(({ problem }) => problem !== undefined);
  const rows = table.rows.flatMap(({ line: _, problem, ...cells }): ListRow[] => {
    const filled = Object.entries(cells).filter(([, cell]) => cell !== '');
    return filled.length === 0 && problem !== undefined ? [] : [Object.fromEntries(filled)];
  });
  const first = problems.slice(0, mostProblemsNamed).map(formatLineProblem);
  return {
    rows,
    columns: table.titles,
    ...(problems.length > 0 && { notUnderstood: { rows: problems.length, first } }),
  };
}
