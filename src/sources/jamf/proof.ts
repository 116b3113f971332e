/**
 * Proof that every row was received (design.md, section 5): one steady walk, or a later one that explains every
 * difference as a device that came or went.
 */
import { pluralize } from '../../core/pluralize.ts';
import { MusterError } from '../../errors.ts';
import type { Inventory } from './inventory.ts';
import type { InventoryPage, InventoryRow } from './parse.ts';
import { type Pace, type WalkResult, walkInventory } from './walk.ts';

export interface WalkObserver {
  /** A walk begins. */
  begun(): void;
  page(page: InventoryPage): void;
  /** What is known to be there now, and how many the server says there are. */
  known(rows: ReadonlyMap<string, InventoryRow>, total: number): void;
}

const maximumWalks = 3;

export async function readEveryRow(
  inventory: Inventory,
  pace: Pace,
  notes: WalkObserver,
): Promise<ReadonlyMap<string, InventoryRow>> {
  let earlier = await walkAndCheck(inventory, pace, notes);
  if (earlier.clean) {
    return earlier.rows;
  }
  for (let walks = 2; ; walks += 1) {
    const later = await walkAndCheck(inventory, pace, notes);
    if (later.clean) {
      return later.rows;
    }
    // What only the later walk met has come, or had been shifted out of the earlier one's sight.
    const rows = new Map(later.rows);
    const doubtful = [...earlier.rows.keys()].filter((id) => !later.rows.has(id));
    for (const row of await inventory.stillThere(doubtful)) {
      rows.set(row.id, row);
    }
    notes.known(rows, later.total);
    if (rows.size === later.total) {
      return rows;
    }
    // More than the server counts: some left while they were read, and only the next walk can say which.
    if (rows.size < later.total || walks === maximumWalks) {
      throw createComputersMissingError(inventory.who, rows.size, later.total, walks);
    }
    earlier = later;
  }
}

function createComputersMissingError(who: string, received: number, total: number, walks: number): MusterError {
  return new MusterError(
    'rows-missing',
    `${who} counts ${total} ${pluralize(total, 'computer')} but gave ${received} in ${walks} ${pluralize(walks, 'walk')}. ` +
      'Devices came and went too fast, or it hides some; look at its own log and run again.',
  );
}

async function walkAndCheck(
  inventory: Inventory,
  pace: Pace,
  notes: WalkObserver,
): Promise<WalkResult & { clean: boolean }> {
  // A device that enrols while another is deleted leaves the total as it was, while a row slips from one page to
  // an earlier one unseen. Such a device has an id newer than any before the walk.
  const newest = await inventory.newestId();
  notes.begun();
  const walked = await walkInventory(inventory.page, pace, (page) => notes.page(page));
  notes.known(walked.rows, walked.total);
  const newcomers = [...walked.rows.keys()].some((id) => Number(id) > newest);
  return { ...walked, clean: walked.steady && !newcomers };
}
