/**
 * Proves that every row was received: by one walk in which nothing changed, or by further walks over the ids alone, in
 * which every difference is a device that came or went.
 */

import { MusterError } from '../../base/errors.ts';
import { indexBy } from '../../base/index-by.ts';
import { formatCount } from '../../core/text/format-count.ts';
import { pluralize } from '../../core/text/pluralize.ts';
import { isBearable } from '../reading/failed-page.ts';
import type { Pace } from '../reading/pace.ts';
import type { ReceivedPages, WalkPage } from '../reading/received-pages.ts';
import { listCopies, listRepeated } from '../reading/repeated-rows.ts';
import { type PageReader, walkPages } from '../reading/walk.ts';
import { type Inventory, type LookUp, pagesAtOnce } from './inventory.ts';
import type { InventoryRow } from './parse.ts';

export interface WalkObserver {
  /** Called when a walk begins. */
  readonly onWalkStart: () => void;
  readonly onPage: (page: WalkPage<unknown>) => void;
  /** Called with all rows known so far, and the server's own count. */
  readonly onRows: (rows: ReadonlyMap<string, InventoryRow>, total: number) => void;
  /** Waits until all nodes of the server know of a change. */
  readonly onDenial: () => Promise<void>;
}

/** Limit of walks: the first, and five over the ids. */
const maximumWalks = 6;

export interface EveryRow {
  readonly rows: ReadonlyMap<string, InventoryRow>;
  /** Ids of the rows that the server lists and could not return. */
  readonly unread: readonly string[];
  /** Ids of devices that every walk lists in several equal rows. */
  readonly repeated: readonly string[];
}

/** Reads every row and proves it. `walksTwice` requires a second walk, for a site that devices of any id join and leave. */
export async function readEveryRow(
  inventory: Inventory,
  paces: Readonly<Record<'rows' | 'ids', Pace>>,
  observer: WalkObserver,
  { walksTwice = false } = {},
): Promise<EveryRow> {
  const first = await walkAndCheck(inventory, inventory.page, paces.rows, observer);
  observer.onRows(first.rows, first.total);
  if (first.clean && !walksTwice) {
    return { rows: first.rows, unread: [], repeated: [] };
  }
  const walked: Omissions[] = [first];
  const denied = new Set<string>();
  let known: KnownRows = first;
  while (walked.length < maximumWalks) {
    const later = await walkAndCheck(inventory, inventory.idPage, paces.ids, observer);
    const repeated = first.repeated.filter((id) => later.repeated.includes(id));
    const { rows, unread, gone, vanished, copies, isExplained } = await compareWalks(inventory, known, later, repeated);
    walked.push(later);
    for (const id of gone) {
      denied.add(id);
    }
    // Devices that leave before they are read need no explanation.
    const received = rows.size + unread.length;
    const isAll = walked.length > 2 && received + vanished + copies === later.total && !isHidingRows(walked);
    const isExplainedNow = later.clean || isExplained || isAll;
    const back = isExplainedNow ? await askAgain(inventory, denied, { rows, unread }, observer) : nothing;
    const isProved = isExplainedNow && back.rows.length + back.unread.length === 0;
    observer.onRows(rows, isProved ? Math.min(later.total, received) : later.total);
    if (isProved) {
      refuseTooManyUnread(inventory.who, unread.length, received);
      return { rows, unread, repeated };
    }
    if (first.unreadPlaces.length > 0) {
      refuseUnknownRows(inventory.who, later);
    }
    known = { ...later, rows: indexBy([...rows.values(), ...back.rows], ({ id }) => id) };
  }
  throw createComputersMissingError(inventory.who, known.rows.size, known.total);
}

const nothing: LookUp = { rows: [], unread: [] };

/**
 * Reads denied devices again, after all nodes of the server have learned of changes, since a lagging node denies a
 * device that exists. Devices that cannot be read are found by the next walk.
 */
async function askAgain(
  inventory: Inventory,
  denied: ReadonlySet<string>,
  { rows, unread }: Pick<EveryRow, 'rows' | 'unread'>,
  observer: WalkObserver,
): Promise<LookUp> {
  const doubtful = [...denied].filter((id) => !rows.has(id) && !unread.includes(id));
  if (doubtful.length === 0) {
    return nothing;
  }
  await observer.onDenial();
  return inventory.lookUp(doubtful);
}

function refuseTooManyUnread(who: string, unread: number, total: number): void {
  if (!isBearable(unread, total)) {
    const sentence = `${who} could not return ${formatCount(unread)} of ${formatCount(total)} ${pluralize(total, 'computer')}.`;
    throw new MusterError('rows-missing', `${sentence} See the server's log and run again.`);
  }
}

/** Throws where a row's id could not be read either, since it may be any device's. */
function refuseUnknownRows(
  who: string,
  { unreadPlaces, rowFailure }: Pick<ReceivedPages<unknown>, 'unreadPlaces' | 'rowFailure'>,
): void {
  if (rowFailure !== undefined && unreadPlaces.length > 0) {
    const rows = pluralize(unreadPlaces.length, 'computer');
    const sentence = `${who} returned neither ${unreadPlaces.length} ${rows} nor their ids.`;
    throw new MusterError(rowFailure.code, `${rowFailure.message} ${sentence}`, { cause: rowFailure });
  }
}

/**
 * Whether the server may hide rows: a page with a gap, a failed row, or different limits of first pages. If devices
 * also leave during every walk, its count alone would not show the hidden row.
 */
function isHidingRows(walks: readonly Omissions[]): boolean {
  const isShort = walks.some(({ hasGap, rowFailure }) => hasGap || rowFailure !== undefined);
  return isShort || new Set(walks.map(({ serverLimit }) => serverLimit)).size > 1;
}

type Omissions = Pick<ReceivedPages<unknown>, 'hasGap' | 'rowFailure' | 'serverLimit'>;

interface KnownRows {
  readonly rows: ReadonlyMap<string, InventoryRow>;
  readonly total: number;
  /** The highest id before the walk began. */
  readonly newest: number;
  /** Number of devices with such an id or a lower one, at one moment of the walk; undefined where no page ends the list. */
  readonly olderTotal: number | undefined;
}

interface Comparison extends Omit<EveryRow, 'repeated'> {
  /** Ids that a walk listed and a look-up did not find. */
  readonly gone: readonly string[];
  /** Number of the later walk's devices that were gone when they were looked up. */
  readonly vanished: number;
  /** Number of further rows of devices that the server lists and counts several times. */
  readonly copies: number;
  /** True where the earlier walk missed no device that existed before it began. */
  readonly isExplained: boolean;
}

/**
 * Updates the known rows from a later walk. Looks up ids that only one of the two walks has: such a device came, went,
 * or moved between pages while they were read.
 */
async function compareWalks(
  inventory: Inventory,
  known: KnownRows,
  later: { readonly rows: ReadonlyMap<string, unknown> },
  repeated: readonly string[],
): Promise<Comparison> {
  const found = [...later.rows.keys()].filter((id) => !known.rows.has(id));
  const doubtful = [...known.rows.keys()].filter((id) => !later.rows.has(id));
  const asked = [...found, ...doubtful];
  const answer = await inventory.lookUp(asked);
  const read = indexBy(answer.rows, ({ id }) => id);
  const unread = new Set(answer.unread);
  const rows = new Map([...known.rows].filter(([id]) => later.rows.has(id)));
  for (const [id, row] of read) {
    rows.set(id, row);
  }
  // Proves that the earlier walk missed no older device. Both walks together list more older devices than existed at
  // that walk's moment, by exactly those that had left, if none was missed. Those are among the devices that are gone
  // now, so that equal numbers prove it. A row that the server hides breaks the equation.
  const isGone = (id: string) => !rows.has(id) && !unread.has(id);
  const older = [...known.rows.keys(), ...found].filter((id) => Number(id) <= known.newest);
  const gone = older.filter(isGone);
  const vanished = found.filter(isGone).length;
  const explains = (count: number) => known.olderTotal !== undefined && count - known.olderTotal === gone.length;
  const comparison = { rows, unread: answer.unread, gone: asked.filter(isGone), vanished };
  if (explains(older.length) || repeated.length === 0) {
    return { ...comparison, copies: 0, isExplained: explains(older.length) };
  }
  // A walk can repeat a row in place of another; a look-up by id returns all rows of the device.
  const copies = listCopies((await inventory.lookUp(repeated)).rows);
  const olderCopies = copies.filter((id) => Number(id) <= known.newest);
  return { ...comparison, copies: copies.length, isExplained: explains(older.length + olderCopies.length) };
}

function createComputersMissingError(who: string, received: number, total: number): MusterError {
  return new MusterError(
    'rows-missing',
    `${who} reports ${formatCount(total)} ${pluralize(total, 'computer')} but returned ${formatCount(received)} in ${maximumWalks} walks. ` +
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
  // page. The new device's id is higher than any before the walk.
  const { id: newest } = await inventory.askNewest();
  observer.onWalkStart();
  const countRows = async () => (await inventory.askNewest()).total;
  const options = { countRows, mayLeaveOut: isBearable, atOnce: pagesAtOnce, onPage: observer.onPage };
  const { rows: received, total, end, hasOneTotal, ...walk } = await walkPages(readPage, pace, options);
  const rows = indexBy(received, ({ id }) => id);
  const repeated = rows.size === received.length ? [] : listRepeated(received);
  const isNew = ({ id }: { readonly id: string }) => Number(id) > newest;
  const hasEach = rows.size === received.length && rows.size === total;
  const clean = hasOneTotal && hasEach && !received.some(isNew);
  const olderTotal = end && end.total - end.rows.filter(isNew).length;
  return { ...walk, rows, repeated, total, newest, olderTotal, clean };
}
