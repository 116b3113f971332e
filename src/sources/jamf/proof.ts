/**
 * Proves that every row was received: by one walk in which nothing changed, or by a later walk in which every difference
 * is a device that enrolled or left.
 */
import { pluralize } from '../../core/pluralize.ts';
import { MusterError } from '../../errors.ts';
import type { Inventory } from './inventory.ts';
import type { InventoryPage, InventoryRow } from './parse.ts';
import { type Pace, type WalkResult, walkInventory } from './walk.ts';

export interface WalkObserver {
  /** Called when a walk begins. */
  onWalkStart(): void;
  onPage(page: InventoryPage): void;
  /** Called with all rows known so far, and the server's own count. */
  onRows(rows: ReadonlyMap<string, InventoryRow>, total: number): void;
}

const maximumWalks = 3;

export async function readEveryRow(
  inventory: Inventory,
  pace: Pace,
  observer: WalkObserver,
): Promise<ReadonlyMap<string, InventoryRow>> {
  let earlier = await walkAndCheck(inventory, pace, observer);
  if (earlier.clean) {
    return earlier.rows;
  }
  for (let walks = 2; ; walks += 1) {
    const later = await walkAndCheck(inventory, pace, observer);
    if (later.clean) {
      return later.rows;
    }
    // A row that only the later walk has is new, or the earlier walk missed it when pages shifted.
    const rows = new Map(later.rows);
    const doubtful = [...earlier.rows.keys()].filter((id) => !later.rows.has(id));
    for (const row of await inventory.stillThere(doubtful)) {
      rows.set(row.id, row);
    }
    observer.onRows(rows, later.total);
    if (rows.size === later.total) {
      return rows;
    }
    // More rows than the server counts: some devices left during the walk, and only the next walk shows which.
    if (rows.size < later.total || walks === maximumWalks) {
      throw createComputersMissingError(inventory.who, rows.size, later.total, walks);
    }
    earlier = later;
  }
}

function createComputersMissingError(who: string, received: number, total: number, walks: number): MusterError {
  return new MusterError(
    'rows-missing',
    `${who} reports ${total} ${pluralize(total, 'computer')} but returned ${received} in ${walks} ${pluralize(walks, 'walk')}. ` +
      "Devices changed too fast, or the account cannot see all of them; see the server's log and run again.",
  );
}

async function walkAndCheck(
  inventory: Inventory,
  pace: Pace,
  observer: WalkObserver,
): Promise<WalkResult & { clean: boolean }> {
  // If one device enrols while another is deleted, the total stays the same while a row moves unseen to an earlier
  // page. The new device has a higher id than any before the walk.
  const newest = await inventory.newestId();
  observer.onWalkStart();
  const walked = await walkInventory(inventory.page, pace, (page) => observer.onPage(page));
  observer.onRows(walked.rows, walked.total);
  const newcomers = [...walked.rows.keys()].some((id) => Number(id) > newest);
  return { ...walked, clean: walked.steady && !newcomers };
}
