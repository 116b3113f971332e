/** Reads the CSV files that people keep for Muster; the core judges their rows. */
import { type ErrorCode, MusterError } from '../../base/errors.ts';
import { findAcknowledgementProblem } from '../../core/machine/acknowledgements.ts';
import { findExemptionProblem } from '../../core/machine/exemptions.ts';
import { findDateProblem } from '../../core/time/written-dates.ts';
import { readDocumentBytes, resolveInFolder } from '../documents.ts';
import { UnreadableTable } from './decode-text.ts';
import { readTable, type TableLayout, type TableRow } from './read-table.ts';

/** Columns of each file, by the setting that names it. */
const columnsOf = {
  exemptions: ['match', 'value', 'source', 'reason', 'owner', 'expires'],
  acknowledged: ['serial', 'by', 'until', 'ticket', 'note'],
  notes: ['date', 'text'],
} as const;

type PeopleFileName = keyof typeof columnsOf;
type ColumnOf<Name extends PeopleFileName> = (typeof columnsOf)[Name][number];

interface PeopleFile<Column extends string> extends Pick<TableLayout<Column>, 'findProblem' | 'wordColumns'> {
  readonly code: ErrorCode;
  readonly called: string;
  readonly needed: readonly Column[];
  readonly notDone: string;
}

/** The files. An unreadable one fails the run, which would otherwise count devices that somebody has excluded. */
const peopleFiles: { readonly [Name in PeopleFileName]: PeopleFile<ColumnOf<Name>> } = {
  exemptions: {
    code: 'exemptions-unreadable',
    called: 'exemptions',
    needed: ['match', 'value', 'reason', 'owner', 'expires'],
    findProblem: findExemptionProblem,
    wordColumns: ['match'],
    notDone: 'counted',
  },
  acknowledged: {
    code: 'acknowledgements-unreadable',
    called: 'acknowledgements',
    needed: ['serial', 'by', 'until'],
    findProblem: findAcknowledgementProblem,
    notDone: 'published',
  },
  notes: {
    code: 'notes-unreadable',
    called: 'notes',
    needed: ['date', 'text'],
    findProblem: ({ date }) => findDateProblem('date', date),
    notDone: 'counted',
  },
};

export const peopleFileNames = Object.keys(columnsOf) as readonly PeopleFileName[];

/** Reads a file; undefined where the settings name none. */
export async function readPeopleFile<Name extends PeopleFileName>(
  name: Name,
  settings: { readonly [Setting in PeopleFileName]?: string | undefined },
  folder: string,
): Promise<readonly TableRow<ColumnOf<Name>>[] | undefined> {
  const path = settings[name];
  if (path === undefined) {
    return undefined;
  }
  const file = resolveInFolder(folder, path);
  const body = await readDocumentBytes(file).catch((error: NodeJS.ErrnoException) => {
    throw createPeopleFileError(name, file, error.code ?? 'no reason given');
  });
  return parsePeopleFile(name, body, file);
}

/** Parses a file, one record for each row. */
export function parsePeopleFile<Name extends PeopleFileName>(
  name: Name,
  body: Buffer,
  file: string,
): readonly TableRow<ColumnOf<Name>>[] {
  const columns: readonly ColumnOf<Name>[] = columnsOf[name];
  const { needed, findProblem, wordColumns = [] } = peopleFiles[name];
  try {
    return readTable(body, { columns, needed: needed.map((column) => [column]), findProblem, wordColumns }).rows;
  } catch (error) {
    if (!(error instanceof UnreadableTable)) {
      throw error;
    }
    throw createPeopleFileError(name, file, error.message);
  }
}

function createPeopleFileError(name: PeopleFileName, file: string, why: string): MusterError {
  const { code, called, notDone } = peopleFiles[name];
  return new MusterError(
    code,
    `Muster could not read the ${called} in ${file}: ${why}. Nothing was ${notDone}; fix the file, whose columns are ${columnsOf[name].join(',')}, and run again.`,
  );
}
