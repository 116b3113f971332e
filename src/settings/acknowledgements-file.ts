/** Reads the acknowledgements file, a CSV with a fixed header. The core judges what its rows mean. */
import type { AcknowledgementRow } from '../core/facts.ts';
import { MusterError } from '../errors.ts';
import { parsePeopleTable } from './people-table.ts';

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
