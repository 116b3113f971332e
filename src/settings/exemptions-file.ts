/** Reads the exemptions file, a CSV with a fixed header. The core judges what its rows mean. */
import type { ExemptionRow } from '../core/facts.ts';
import { MusterError } from '../errors.ts';
import { parsePeopleTable } from './people-table.ts';

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
