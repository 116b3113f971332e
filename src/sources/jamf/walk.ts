/**
 * One walk over the whole inventory: pages of rows ordered by id, several at once. Pages become smaller when the server
 * times out, and the walk resumes by row so that nothing already received is requested again.
 */
import { pluralize } from '../../core/pluralize.ts';
import { MusterError } from '../../errors.ts';
import { hasCode } from './client.ts';
import type { InventoryPage, InventoryRow } from './parse.ts';

export type PageReader = (page: number, size: number) => Promise<InventoryPage>;

/** Page size and parallel requests that the server can handle; the next walk continues with them. */
export interface Pace {
  size: number;
  atOnce: number;
}

export interface WalkResult {
  readonly rows: ReadonlyMap<string, InventoryRow>;
  /** The last answer's total. */
  readonly total: number;
  /** Every answer had the same total, no id came twice, and there are as many ids as the total says. */
  readonly steady: boolean;
}

/** A server should manage so many rows: a page of less than twice as many is not halved, but requested once more. */
const minimumPageSize = 50;
/** The limit for a server that never ends its list. */
const maximumPages = 40_000;

export async function walkInventory(
  readPage: PageReader,
  pace: Pace,
  onPage: (page: InventoryPage) => void,
): Promise<WalkResult> {
  const pieces: { readonly from: number; readonly rows: readonly InventoryRow[] }[] = [];
  const totals = new Set<number>();
  let total = 0;
  let next = 0;
  let ended = false;
  let pages = 0;
  /** Pages, by number and size, that timed out once and cannot be made smaller. */
  const lastChances = new Set<string>();

  /** One page, or undefined when it must be requested again with a smaller size. */
  async function attempt(page: number, size: number): Promise<InventoryPage | undefined> {
    pages += 1;
    if (pages > maximumPages) {
      throw new MusterError(
        'paging-broken',
        `The inventory did not end after ${maximumPages} pages. See the server's log.`,
      );
    }
    try {
      const answer = await readPage(page, size);
      total = answer.total;
      totals.add(total);
      onPage(answer);
      return answer;
    } catch (error) {
      if (!hasCode(error, 'request-timed-out')) {
        throw error;
      }
      if (pace.size !== size) {
        return undefined;
      }
      if (size >= 2 * minimumPageSize) {
        slowDown(pace);
      } else if (lastChances.has(`${page} ${size}`)) {
        throw createTooSlowError(size, error);
      } else {
        lastChances.add(`${page} ${size}`);
      }
      return undefined;
    }
  }

  /** The first page alone: it shows the total and, if shorter than requested, the server's own page size. */
  async function readFirstPage(): Promise<void> {
    for (;;) {
      const size = pace.size;
      const answer = await attempt(0, size);
      if (!answer) {
        continue;
      }
      pieces.push({ from: 0, rows: answer.rows });
      // A server reduces too large a page without notice, and then counts pages of its own size.
      if (answer.rows.length < size && answer.rows.length < total) {
        pace.size = Math.max(1, answer.rows.length);
      }
      next = answer.rows.length;
      ended = answer.rows.length === 0;
      return;
    }
  }

  async function readRange(from: number, to: number): Promise<void> {
    for (let at = from; at < to && !ended; ) {
      const size = pace.size;
      const page = Math.floor(at / size);
      const answer = await attempt(page, size);
      if (!answer) {
        continue;
      }
      // An empty page is the end; a short one may not be.
      if (answer.rows.length === 0) {
        ended = true;
      }
      const start = page * size;
      pieces.push({ from: at, rows: answer.rows.slice(at - start, to - start) });
      at = start + size;
    }
  }

  async function work(worker: number): Promise<void> {
    try {
      while (!ended && next < total && worker < pace.atOnce) {
        const from = next;
        next += pace.size;
        await readRange(from, next);
      }
    } catch (error) {
      ended = true;
      throw error;
    }
  }

  await readFirstPage();
  const workers = await Promise.allSettled(Array.from({ length: pace.atOnce }, (_, worker) => work(worker)));
  const failed = workers.find((outcome) => outcome.status === 'rejected');
  if (failed) {
    throw failed.reason;
  }
  const received = pieces.toSorted((one, other) => one.from - other.from).flatMap((piece) => piece.rows);
  const rows = new Map(received.map((row) => [row.id, row]));
  return { rows, total, steady: totals.size === 1 && rows.size === received.length && rows.size === total };
}

/** Half the rows and half the requests at once. */
function slowDown(pace: Pace): void {
  pace.size = Math.floor(pace.size / 2);
  pace.atOnce = Math.max(1, Math.floor(pace.atOnce / 2));
}

function createTooSlowError(size: number, failure: MusterError): MusterError {
  const sentence = `${failure.message} Pages of ${size} ${pluralize(size, 'row')} take the server too long; Muster requests no smaller ones.`;
  return new MusterError('request-timed-out', sentence, { cause: failure });
}
