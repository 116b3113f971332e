/** The CSV files that people keep for Muster, each with a fixed header. The core judges what their rows mean. */
import { isUtf8 } from 'node:buffer';
import { isDeepStrictEqual } from 'node:util';
import { CsvError, parse } from 'csv-parse/sync';
import { MusterError } from '../../base/errors.ts';
import { isCalendarDate } from '../../core/facts/calendar.ts';
import { readDocumentBytes, resolveInFolder } from '../documents.ts';

/** Each by the setting that names it. A run fails where one cannot be read: it would count what somebody has excluded. */
const peopleFiles = {
  exemptions: {
    code: 'exemptions-unreadable',
    called: 'exemptions',
    columns: ['match', 'value', 'source', 'reason', 'owner', 'expires'],
    notDone: 'counted',
  },
  acknowledged: {
    code: 'acknowledgements-unreadable',
    called: 'acknowledgements',
    columns: ['serial', 'by', 'until', 'ticket', 'note'],
    notDone: 'published',
  },
  notes: { code: 'notes-unreadable', called: 'notes', columns: ['date', 'text'], notDone: 'counted' },
} as const;

type PeopleFileName = keyof typeof peopleFiles;
type PeopleFileRow<Name extends PeopleFileName> = Record<(typeof peopleFiles)[Name]['columns'][number], string>;

/** Undefined where the settings name none. */
export async function readPeopleFile<Name extends PeopleFileName>(
  name: Name,
  settings: { readonly [Setting in PeopleFileName]?: string | undefined },
  folder: string,
): Promise<PeopleFileRow<Name>[] | undefined> {
  const path = settings[name];
  if (path === undefined) {
    return undefined;
  }
  const file = resolveInFolder(folder, path);
  const body = await readDocumentBytes(file).catch((error: NodeJS.ErrnoException) => {
    throw createPeopleFileError(name, file, error.code ?? 'no reason given');
  });
  // Repaired, a name would be another name, which matches nobody.
  if (!isUtf8(body)) {
    throw createPeopleFileError(name, file, 'it is not UTF-8 text; save it as UTF-8');
  }
  return parsePeopleFile(name, body.toString('utf8'), file);
}

/** One record a row. */
export function parsePeopleFile<Name extends PeopleFileName>(
  name: Name,
  text: string,
  file: string,
): PeopleFileRow<Name>[] {
  const refuse = (why: string) => createPeopleFileError(name, file, why);
  const columns: readonly string[] = peopleFiles[name].columns;
  let lines: string[][];
  try {
    lines = parse(text, { bom: true, trim: true, skip_empty_lines: true });
  } catch (error) {
    const why = error instanceof CsvError ? describeCsvError(error) : 'it cannot be parsed';
    throw refuse(`it is not a CSV file with the columns ${columns.join(',')} (${why})`);
  }
  const [first, ...others] = lines;
  if (!isDeepStrictEqual(first, columns)) {
    throw refuse(`its first line must be ${columns.join(',')}`);
  }
  const rows = others.map((cells) => Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? ''])));
  const wrong = name === 'notes' ? rows.findIndex(({ date = '' }) => !isCalendarDate(date)) : -1;
  if (wrong !== -1) {
    throw refuse(`row ${wrong + 1}: the date must be written as 2026-11-20`);
  }
  return rows as PeopleFileRow<Name>[];
}

function createPeopleFileError(name: PeopleFileName, file: string, why: string): MusterError {
  const { code, called, notDone } = peopleFiles[name];
  return new MusterError(
    code,
    `Muster could not read the ${called} in ${file}: ${why}. Nothing was ${notDone}; fix the file and run the slot again.`,
  );
}

/** The parser's own message may quote a value, and with it a person's name. */
export function describeCsvError({ code, lines }: CsvError): string {
  return `line ${String(lines)}: ${csvProblems[code] ?? `it is not CSV (${code})`}`;
}

const csvProblems: Partial<Record<CsvError['code'], string>> = {
  CSV_RECORD_INCONSISTENT_COLUMNS: 'it has another number of columns than the first line',
  CSV_RECORD_INCONSISTENT_FIELDS_LENGTH: 'it has another number of columns than the first line',
  CSV_QUOTE_NOT_CLOSED: 'a quote is not closed',
  INVALID_OPENING_QUOTE: 'a quote stands in the middle of a value',
  CSV_INVALID_CLOSING_QUOTE: 'a closing quote is followed by something other than a comma',
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: 'a closing quote is followed by something other than a comma',
};
