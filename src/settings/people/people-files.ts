/** Reads the CSV files that people keep for Muster, each with a fixed header. The core judges what their rows mean. */
import { CsvError, parse } from 'csv-parse/sync';
import { MusterError } from '../../base/errors.ts';
import { isCalendarDate } from '../../core/facts/calendar.ts';
import type { AcknowledgementRow, ExemptionRow, Note } from '../../core/facts/facts.ts';

const acknowledgementsHeader = ['serial', 'by', 'until', 'ticket', 'note'] as const;

export function parseAcknowledgements(text: string, file: string): AcknowledgementRow[] {
  return parsePeopleTable(text, acknowledgementsHeader, (why) => createAcknowledgementsError(file, why));
}

/** The run fails: a file that a person keeps is read, or a person hears of it. */
export function createAcknowledgementsError(file: string, why: string): MusterError {
  return new MusterError(
    'acknowledgements-unreadable',
    `Muster could not read the acknowledgements in ${file}: ${why}. Nothing was published; fix the file and run the slot again.`,
  );
}

const exemptionsHeader = ['match', 'value', 'source', 'reason', 'owner', 'expires'] as const;

export function parseExemptions(text: string, file: string): ExemptionRow[] {
  return parsePeopleTable(text, exemptionsHeader, (why) => createExemptionsError(file, why));
}

/** The run fails, since it would otherwise count devices that somebody has excluded. */
export function createExemptionsError(file: string, why: string): MusterError {
  return new MusterError(
    'exemptions-unreadable',
    `Muster could not read the exemptions in ${file}: ${why}. Nothing was counted; fix the file and run the slot again.`,
  );
}

const notesHeader = ['date', 'text'] as const;

export function parseNotes(text: string, file: string): Note[] {
  const notes = parsePeopleTable(text, notesHeader, (why) => createNotesError(file, why));
  const wrong = notes.findIndex(({ date }) => !isCalendarDate(date));
  if (wrong !== -1) {
    throw createNotesError(file, `row ${wrong + 1}: the date must be written as 2026-11-20`);
  }
  return notes;
}

export function createNotesError(file: string, why: string): MusterError {
  return new MusterError(
    'notes-unreadable',
    `Muster could not read the notes in ${file}: ${why}. Nothing was counted; fix the file and run the slot again.`,
  );
}

/** One record a row, or the error that `refuse` makes of the reason. */
function parsePeopleTable<const Column extends string>(
  text: string,
  header: readonly Column[],
  refuse: (why: string) => MusterError,
): Record<Column, string>[] {
  const [first, ...others] = parseCsvRows(text, (why) =>
    refuse(`it is not a CSV file with the columns ${header.join(',')} (${why})`),
  );
  if (first === undefined || first.length !== header.length || header.some((name, index) => first[index] !== name)) {
    throw refuse(`its first line must be ${header.join(',')}`);
  }
  return others.map(
    (cells) => Object.fromEntries(header.map((name, index) => [name, cells[index] ?? ''])) as Record<Column, string>,
  );
}

function parseCsvRows(text: string, refuse: (why: string) => MusterError): string[][] {
  try {
    return parse(text, { bom: true, trim: true, skip_empty_lines: true, relax_column_count: false }) as string[][];
  } catch (error) {
    throw refuse(error instanceof CsvError ? describeCsvError(error) : 'it cannot be parsed');
  }
}

/** The parser's own message may quote a value, and with it a person's name. */
function describeCsvError({ code, lines }: CsvError): string {
  return `line ${String(lines)}: ${csvProblems[code] ?? `it is not CSV (${code})`}`;
}

const csvProblems: Partial<Record<CsvError['code'], string>> = {
  CSV_RECORD_INCONSISTENT_FIELDS_LENGTH: 'it has another number of columns than the first line',
  CSV_QUOTE_NOT_CLOSED: 'a quote is not closed',
  INVALID_OPENING_QUOTE: 'a quote stands in the middle of a value',
  CSV_INVALID_CLOSING_QUOTE: 'a closing quote is followed by something other than a comma',
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: 'a closing quote is followed by something other than a comma',
};
