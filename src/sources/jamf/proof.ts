/**
 * Proof that every row was received (design.md, section 5): one steady walk, or a second one that explains every
 * difference as a device that came or went.
 */
import { MusterError } from '../../errors.ts';
import type { Inventory } from './inventory.ts';
import type { Page, Row } from './parse.ts';
import { type Pace, type Walked, walk } from './walk.ts';

export interface Notes {
  /** A walk begins. */
  begun(): void;
  page(page: Page): void;
  /** What is known to be there now, and how many the server says there are. */
  known(rows: ReadonlyMap<string, Row>, total: number): void;
}

export async function everyRow(inventory: Inventory, pace: Pace, notes: Notes): Promise<ReadonlyMap<string, Row>> {
  const first = await cleanWalk(inventory, pace, notes);
  if (first.clean) return first.rows;
  const second = await cleanWalk(inventory, pace, notes);
  if (second.clean) return second.rows;
  // What only the second walk met has come, or had been shifted out of the first one's sight.
  const rows = new Map(second.rows);
  const doubtful = [...first.rows.keys()].filter((id) => !second.rows.has(id));
  for (const row of await inventory.stillThere(doubtful)) rows.set(row.id, row);
  notes.known(rows, second.total);
  if (rows.size === second.total) return rows;
  throw new MusterError(
    'rows-missing',
    `${inventory.who} counts ${second.total} computers but gave ${rows.size} in two walks. ` +
      'Devices came and went too fast, or it hides some; look at its own log and run again.',
  );
}

async function cleanWalk(inventory: Inventory, pace: Pace, notes: Notes): Promise<Walked & { clean: boolean }> {
  // A device that enrols while another is deleted leaves the total as it was, while a row slips from one page to
  // an earlier one unseen. Such a device has an id newer than any before the walk.
  const newest = await inventory.newestId();
  notes.begun();
  const walked = await walk(inventory.page, pace, (page) => notes.page(page));
  notes.known(walked.rows, walked.total);
  const newcomers = [...walked.rows.keys()].some((id) => Number(id) > newest);
  return { ...walked, clean: walked.steady && !newcomers };
}
