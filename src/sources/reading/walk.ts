/**
 * Walks once over a list whose pages have numbers, reading several pages at once. The page size follows the server's
 * pace, and the walk resumes by row, so that it requests few rows twice.
 */
import { MusterError } from '../../base/errors.ts';
import { createRowsError, isFailureOfPage, mostUnread, triesOfPage } from './failed-page.ts';
import type { Pace } from './pace.ts';
import { ReceivedPages, type WalkPage } from './received-pages.ts';

/** Reads a page; `tries` are the attempts before smaller pages are requested. */
export type PageReader<Row> = (page: number, size: number, tries?: number) => Promise<WalkPage<Row>>;

interface WalkOptions<Row> {
  /** Counts the rows with a small request, which a working server answers; waits as long as the source has patience. */
  readonly countRows: () => Promise<number>;
  /** Whether this number of rows may stay unread; without it, none may. */
  readonly mayLeaveOut?: (unread: number, total: number) => boolean;
  /** Pages requested at once; one without it. */
  readonly atOnce?: number;
  readonly onPage?: (page: WalkPage<Row>) => void;
  /** Pages after which a list without end stops. */
  readonly maximumPages?: number;
}

/** Attempts for a row that failed alone, in each of two rounds, after the server has answered another request. */
const triesOfRow = [2, 1];

export function walkPages<Row>(
  readPage: PageReader<Row>,
  pace: Pace,
  options: WalkOptions<Row>,
): Promise<ReceivedPages<Row>> {
  return new PageWalk(readPage, pace, options).run();
}

class PageWalk<Row> {
  readonly #readPage: PageReader<Row>;
  readonly #pace: Pace;
  readonly #options: WalkOptions<Row>;
  readonly #received = new ReceivedPages<Row>();
  #pages = 0;
  /** The first row that was not requested yet. */
  #next = 0;
  /** True after a failure that ends the walk: no further page is requested. */
  #hasFailed = false;
  /** True where an answer has come since the last failure, so that the server itself works. */
  #hasAnswered = false;

  constructor(readPage: PageReader<Row>, pace: Pace, options: WalkOptions<Row>) {
    this.#readPage = readPage;
    this.#pace = pace;
    this.#options = options;
  }

  async run(): Promise<ReceivedPages<Row>> {
    // Reads the first page alone, since it shows the total and, if shorter than requested, the server's own page size.
    this.#next = await this.#readRange(0, this.#pace.size);
    const { atOnce = 1 } = this.#options;
    const readers = Array.from({ length: atOnce }, () => this.#readOtherPages());
    // If one fails, the others request no further page.
    await Promise.allSettled(readers);
    await Promise.all(readers);
    await this.#readFailedRows();
    return this.#received;
  }

  async #readOtherPages(): Promise<void> {
    while (this.#isAhead(this.#next)) {
      const from = this.#next;
      // Reads to the end of a page, so that a range is one request while the size stays.
      this.#next = (Math.floor(from / this.#pace.size) + 1) * this.#pace.size;
      await this.#readRange(from, this.#next);
    }
  }

  /**
   * Reads rows in pages of at most `largest`, and returns the first row that it did not request. Divides a page that
   * fails, down to the row.
   */
  async #readRange(from: number, to: number, largest = to - from, tries = triesOfPage): Promise<number> {
    let at = from;
    while (at < to && this.#isAhead(at)) {
      const size = Math.min(largest, this.#pace.size);
      const page = Math.floor(at / size);
      const start = page * size;
      const rows = await this.#askForPage(page, size, size === 1 ? 1 : tries);
      if (rows !== undefined) {
        this.#received.addRows(at, rows.slice(at - start, to - start));
        if (page === 0 && this.#received.serverLimit !== undefined) {
          return rows.length;
        }
        at = start + size;
      } else if (size === 1) {
        this.#pace.onFailedRow();
        at += 1;
      } else {
        // Divides a part of a failed page more strongly, since each request that times out costs its whole time.
        const parts = tries === 1 ? 4 : 2;
        at = await this.#readRange(at, Math.min(to, start + size), Math.max(1, Math.floor(size / parts)), 1);
      }
    }
    return Math.min(at, to);
  }

  #isAhead(row: number): boolean {
    return !this.#hasFailed && row < Math.min(this.#received.total, this.#received.endsAt);
  }

  async #readFailedRows(): Promise<void> {
    const received = this.#received;
    for (const tries of triesOfRow) {
      const places = received.unreadPlaces.splice(0).filter((place) => place < received.total);
      if (places.length > 0) {
        await this.#options.countRows();
      }
      await Promise.all(
        places.map(async (place) => received.addRows(place, (await this.#askForPage(place, 1, tries)) ?? [])),
      );
    }
    const { mayLeaveOut = (unread) => unread === 0 } = this.#options;
    const { rowFailure, unreadPlaces, total } = received;
    if (rowFailure !== undefined && !mayLeaveOut(unreadPlaces.length, total)) {
      throw createRowsError(rowFailure, unreadPlaces.length);
    }
  }

  /** Requests a page; undefined where it failed although the server answers. */
  async #askForPage(page: number, size: number, tries: number): Promise<readonly Row[] | undefined> {
    this.#countPage();
    try {
      const answer = await this.#readPage(page, size, tries);
      this.#hasAnswered = true;
      this.#received.onPage(answer, page, size);
      this.#pace.onServerLimit(this.#received.serverLimit ?? Number.POSITIVE_INFINITY);
      this.#pace.onPage(answer);
      this.#options.onPage?.(answer);
      return answer.rows;
    } catch (error) {
      await this.#onFailure(error, page, size).catch((failure: unknown) => {
        this.#hasFailed = true;
        throw failure;
      });
      return undefined;
    }
  }

  /** Handles a failed page; throws where a smaller one cannot help: the server fails as a whole, or too many rows fail. */
  async #onFailure(error: unknown, page: number, size: number): Promise<void> {
    if (!isFailureOfPage(error)) {
      throw error;
    }
    const received = this.#received;
    const { countRows, mayLeaveOut = () => false } = this.#options;
    if (!this.#hasAnswered && !this.#hasFailed) {
      received.onCount(await countRows());
    }
    // After an answer, the next failure counts as the page's own.
    this.#hasAnswered = !this.#hasAnswered;
    this.#pace.onFailure(error.code, size);
    if (size === 1) {
      received.onFailedRow(page, error);
    }
    const failed = received.unreadPlaces.length;
    if (failed > mostUnread && !mayLeaveOut(failed, received.total)) {
      throw createRowsError(error, failed);
    }
  }

  #countPage(): void {
    const { maximumPages = 40_000 } = this.#options;
    this.#pages += 1;
    if (this.#pages > maximumPages) {
      throw new MusterError('paging-broken', `The list did not end after ${maximumPages} pages. See the server's log.`);
    }
  }
}
