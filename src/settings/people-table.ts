/** A CSV file that people keep for Muster, with a fixed header. */
import { CsvError, parse } from 'csv-parse/sync';
import type { MusterError } from '../errors.ts';

/** One record a row, or the error that `refuse` makes of the reason. */
export function parsePeopleTable<const Column extends string>(
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
