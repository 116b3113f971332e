/**
 * Proves that every row was received: by one walk in which nothing changed, or by further walks over the ids alone, in
 * which every difference is a device that came or went.
 */
import { MusterError } from '../../base/errors.ts';
import { pluralize } from '../../core/text/pluralize.ts';
import type { Pace } from '../reading/pace.ts';
import { type PageReader, type WalkPage, type WalkResult, walkPages } from '../reading/walk.ts';
import type { Inventory } from './inventory.ts';
import type { InventoryRow } from './parse.ts';

export interface WalkObserver {
  /** Called when a walk begins. */
  readonly onWalkStart: () => void;
  readonly onPage: (page: WalkPage<unknown>) => void;
  /** Called with all rows known so far, and the server's own count. */
  readonly onRows: (rows: ReadonlyMap<string, InventoryRow>, total: number) => void;
}

interface Paces {
  readonly rows: Pace;
  readonly ids: Pace;
}

/** One of the requests that the server may have at once is left for the rest. */
const pagesAtOnce = 4;
/** The first walk, and five over the ids. */
const maximumWalks = 6;

export async function readEveryRow(
  inventory: Inventory,
  paces: Paces,
  observer: WalkObserver,
): Promise<ReadonlyMap<string, InventoryRow>> {
  const first = await walkAndCheck(inventory, inventory.page, paces.rows, observer);
  observer.onRows(first.rows, first.total);
  if (first.clean) {
    return first.rows;
  }
  const walked: Omissions[] = [first];
  let known: KnownRows = first;
  while (walked.length < maximumWalks) {
    const later = await walkAndCheck(inventory, inventory.idPage, paces.ids, observer);
    const { rows, vanished, isExplained } = await compareWalks(inventory, known, later);
    walked.push(later);
    // Devices that leave before they are read leave nothing to explain.
    const isAll = walked.length > 2 && rows.size + vanished === later.total && !isHidingRows(walked);
    const isProved = later.clean || isExplained || isAll;
    observer.onRows(rows, isProved ? Math.min(later.total, rows.size) : later.total);
    if (isProved) {
      return rows;
    }
    known = { ...later, rows };
  }
  throw createComputersMissingError(inventory.who, known.rows.size, known.total);
}

/**
 * A server that hides a row, and from which another device leaves in every walk, returns as many rows as it counts, but
 * with a gap in a page, or with a limit for the first page that differs from walk to walk.
 */
function isHidingRows(walks: readonly Omissions[]): boolean {
  return walks.some(({ hasGap }) => hasGap) || new Set(walks.map(({ serverLimit }) => serverLimit)).size > 1;
}

type Omissions = Pick<WalkResult<unknown>, 'hasGap' | 'serverLimit'>;

interface KnownRows {
  readonly rows: ReadonlyMap<string, InventoryRow>;
  readonly total: number;
  /** The highest id before the walk began. */
  readonly newest: number;
  /** How many devices with such an id or a lower one there were, at one moment of the walk; undefined where no page ends the list. */
  readonly olderTotal: number | undefined;
}

interface Comparison {
  readonly rows: ReadonlyMap<string, InventoryRow>;
  /** How many of the later walk's devices were gone when they were asked for. */
  readonly vanished: number;
  /** The earlier walk missed no device that was there before it began. */
  readonly isExplained: boolean;
}

/**
 * Brings the known rows up to date with a later walk. Ids that only one of the two walks has are asked for: such a
 * device came, went, or slipped from one page to another while that was being read.
 */
async function compareWalks(
  inventory: Inventory,
  known: KnownRows,
  later: { readonly rows: ReadonlyMap<string, unknown> },
): Promise<Comparison> {
  const found = [...later.rows.keys()].filter((id) => !known.rows.has(id));
  const doubtful = [...known.rows.keys()].filter((id) => !later.rows.has(id));
  const read = new Map((await inventory.stillThere([...found, ...doubtful])).map((row) => [row.id, row]));
  const rows = new Map([...known.rows].filter(([id]) => later.rows.has(id)));
  for (const [id, row] of read) {
    rows.set(id, row);
  }
  // The older devices that either walk has are more than there were at the earlier walk's moment, exactly by those that
  // had left by then, if none was missed. Those that left are among the ones that are gone now, so where both numbers
  // are the same, none was missed. A row that the server hides breaks the sum.
  const older = [...known.rows.keys(), ...found].filter((id) => Number(id) <= known.newest);
  const gone = older.filter((id) => !rows.has(id));
  const vanished = found.filter((id) => !read.has(id)).length;
  const isExplained = known.olderTotal !== undefined && older.length - known.olderTotal === gone.length;
  return { rows, vanished, isExplained };
}

function createComputersMissingError(who: string, received: number, total: number): MusterError {
  return new MusterError(
    'rows-missing',
    `${who} reports ${total} ${pluralize(total, 'computer')} but returned ${received} in ${maximumWalks} walks. ` +
      "Devices changed too fast, or the account cannot see all of them; see the server's log and run again.",
  );
}

async function walkAndCheck<Row extends { readonly id: string }>(
  inventory: Inventory,
  readPage: PageReader<Row>,
  pace: Pace,
  observer: WalkObserver,
) {
  // If one device enrols while another is deleted, the total stays the same while a row moves unseen to an earlier
  // page. The new device has a higher id than any before the walk.
  const newest = await inventory.newestId();
  observer.onWalkStart();
  const options = { atOnce: pagesAtOnce, onPage: observer.onPage };
  const { rows: received, total, end, ...walk } = await walkPages(readPage, pace, options);
  const rows = new Map(received.map((row) => [row.id, row]));
  const isNew = ({ id }: { readonly id: string }) => Number(id) > newest;
  const hasEach = rows.size === received.length && rows.size === total;
  const clean = walk.hasOneTotal && hasEach && !received.some(isNew);
  const olderTotal = end && end.total - end.rows.filter(isNew).length;
  return { ...walk, rows, total, newest, olderTotal, clean };
}
