/**
 * One walk over the whole inventory: pages of rows ordered by id, several at once. The size of pages follows what the
 * server can handle, and the walk resumes by row so that little that was received is requested again.
 */
import { MusterError } from '../../errors.ts';
import { SlowAnswerError } from '../../http/client.ts';
import { hasCode } from './client.ts';
import type { Pace } from './pace.ts';

export interface WalkPage<Row> {
  /** How many rows there are in all. */
  readonly total: number;
  readonly rows: readonly Row[];
  readonly bytes: number;
  readonly milliseconds: number;
}

/** Throws a `SlowAnswerError` or `answer-too-large` where a smaller page may come. */
export type PageReader<Row> = (page: number, size: number) => Promise<WalkPage<Row>>;

export interface WalkResult<Row> {
  readonly rows: ReadonlyMap<string, Row>;
  /** The last answer's total. */
  readonly total: number;
  /** The last answer that reached the end of the list, where one did: its total and its rows are of one moment. */
  readonly end: Pick<WalkPage<Row>, 'total' | 'rows'> | undefined;
  /** The rows of the first page, where the server returned fewer than requested and than there are. */
  readonly serverLimit: number | undefined;
  /** A page had fewer rows than its own total says: the server hides some. */
  readonly hasGap: boolean;
  /** Every answer had the same total, no id came twice, and there are as many ids as the total says. */
  readonly steady: boolean;
}

/** The limit for a server that never ends its list. */
const maximumPages = 40_000;

export async function walkInventory<Row extends { readonly id: string }>(
  readPage: PageReader<Row>,
  pace: Pace,
  onPage: (page: WalkPage<Row>) => void,
): Promise<WalkResult<Row>> {
  const pieces: { readonly from: number; readonly rows: readonly Row[] }[] = [];
  const totals = new Set<number>();
  let total = 0;
  let end: WalkResult<Row>['end'];
  let serverLimit: number | undefined;
  let hasGap = false;
  let next = 0;
  let ended = false;
  let pages = 0;

  /** One page, or undefined when it must be requested again with a smaller size. */
  async function attempt(page: number, size: number): Promise<WalkPage<Row> | undefined> {
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
      if (page * size + answer.rows.length >= total) {
        end = answer;
      } else if (page > 0 && answer.rows.length < size) {
        // The first page is as long as the server likes.
        hasGap = true;
      }
      pace.onPage({ rows: answer.rows.length, bytes: answer.bytes, milliseconds: answer.milliseconds });
      onPage(answer);
      return answer;
    } catch (error) {
      if (size > 1 && error instanceof SlowAnswerError) {
        pace.onTooSlow(size);
      } else if (size > 1 && hasCode(error, 'answer-too-large')) {
        pace.onTooLarge(size);
      } else {
        throw error;
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
        serverLimit = answer.rows.length;
        pace.onServerLimit(serverLimit);
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

  async function readOtherPages(): Promise<void> {
    const underWay = new Set<Promise<void>>();
    let failure: { readonly error: unknown } | undefined;
    for (;;) {
      while (!ended && next < total && underWay.size < pace.atOnce) {
        const from = next;
        // To the end of a page, so that a range is one request where the size stays.
        next = (Math.floor(from / pace.size) + 1) * pace.size;
        const reading = readRange(from, next)
          .catch((error: unknown) => {
            ended = true;
            failure ??= { error };
          })
          .finally(() => underWay.delete(reading));
        underWay.add(reading);
      }
      if (underWay.size === 0) {
        break;
      }
      await Promise.race(underWay);
    }
    if (failure !== undefined) {
      throw failure.error;
    }
  }

  await readFirstPage();
  await readOtherPages();
  const received = pieces.toSorted((one, other) => one.from - other.from).flatMap((piece) => piece.rows);
  const rows = new Map(received.map((row) => [row.id, row]));
  const steady = totals.size === 1 && rows.size === received.length && rows.size === total;
  return { rows, total, end, serverLimit, hasGap, steady };
}
