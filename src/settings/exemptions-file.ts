/** Reads the exemptions file, a CSV with a fixed header. The core judges what its rows mean. */
import { parse } from 'csv-parse/sync';
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
    throw createExemptionsError(file, error instanceof Error ? (error.message.split('\n')[0] ?? '') : 'it is not CSV');
  }
}

/** The run fails, since it would otherwise count devices that somebody has excluded. */
export function createExemptionsError(file: string, why: string): MusterError {
  return new MusterError(
    'exemptions-unreadable',
    `Muster could not read the exemptions in ${file}: ${why}. Nothing was counted; fix the file and run the slot again.`,
  );
}
