/** Reads the exemptions file, a CSV with a fixed header. The core judges what its rows mean. */
import { CsvError, parse } from 'csv-parse/sync';
import type { ExemptionRow } from '../core/facts.ts';
import { MusterError } from '../errors.ts';

const exemptionsHeader = ['match', 'value', 'source', 'reason', 'owner', 'expires'] as const;

export function parseExemptions(text: string, file: string): ExemptionRow[] {
  const rows = parseCsvRows(text, file);
  const [first, ...others] = rows;
  if (
    first === undefined ||
    exemptionsHeader.some((name, index) => first[index] !== name) ||
    first.length !== exemptionsHeader.length
  ) {
    throw createExemptionsError(file, `its first line must be ${exemptionsHeader.join(',')}`);
  }
  return others.map((cells) => {
    const [match = '', value = '', source = '', reason = '', owner = '', expires = ''] = cells;
    return { match, value, source, reason, owner, expires };
  });
}

function parseCsvRows(text: string, file: string): string[][] {
  try {
    return parse(text, { bom: true, trim: true, skip_empty_lines: true, relax_column_count: false }) as string[][];
  } catch (error) {
    throw createExemptionsError(file, error instanceof CsvError ? describeCsvError(error) : 'it is not CSV');
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

/** The run fails, since it would otherwise count devices that somebody has excluded. */
export function createExemptionsError(file: string, why: string): MusterError {
  return new MusterError(
    'exemptions-unreadable',
    `Muster could not read the exemptions in ${file}: ${why}. Nothing was counted; fix the file and run the slot again.`,
  );
}
