/**
 * One walk over a list whose pages have numbers, several pages at once. The size of pages follows what the server can
 * handle, and the walk resumes by row so that little that was received is requested again.
 */
import { MusterError } from '../../base/errors.ts';
import { createRowsError, isFailureOfPage, mostUnread, triesOfPage } from './failed-page.ts';
import type { Pace } from './pace.ts';
import { ReceivedPages, type WalkPage } from './received-pages.ts';

/** `tries`: how often a page that fails is asked for before smaller ones are. */
export type PageReader<Row> = (page: number, size: number, tries?: number) => Promise<WalkPage<Row>>;

interface WalkOptions<Row> {
  /** How many rows there are: a small request that is answered where the server answers at all; waits as long as the source has patience. */
  readonly countRows: () => Promise<number>;
  /** Whether so many rows may stay unread; without it, none may. */
  readonly mayLeaveOut?: (unread: number, total: number) => boolean;
  /** Pages requested at once; one without it. */
  readonly atOnce?: number;
  readonly onPage?: (page: WalkPage<Row>) => void;
  /** The limit for a server that never ends its list. */
  readonly maximumPages?: number;
}

/** How often a row that failed alone is asked for again, each time after the server has answered something else. */
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
  /** The first row that nobody has asked for yet. */
  #next = 0;
  /** A failure ended it: nobody requests a further page. */
  #hasFailed = false;
  /** Something has come since the last failure, which is therefore not the server's. */
  #hasAnswered = false;

  constructor(readPage: PageReader<Row>, pace: Pace, options: WalkOptions<Row>) {
    this.#readPage = readPage;
    this.#pace = pace;
    this.#options = options;
  }

  async run(): Promise<ReceivedPages<Row>> {
    // The first page alone: it shows the total and, if shorter than requested, the server's own page size.
    this.#next = await this.#readRange(0, this.#pace.size);
    const { atOnce = 1 } = this.#options;
    const readers = Array.from({ length: atOnce }, () => this.#readOtherPages());
    // When one fails, the others request no further page.
    await Promise.allSettled(readers);
    await Promise.all(readers);
    await this.#readFailedRows();
    return this.#received;
  }

  async #readOtherPages(): Promise<void> {
    while (this.#isAhead(this.#next)) {
      const from = this.#next;
      // To the end of a page, so that a range is one request where the size stays.
      this.#next = (Math.floor(from / this.#pace.size) + 1) * this.#pace.size;
      await this.#readRange(from, this.#next);
    }
  }

  /**
   * Reads rows in pages of at most `largest`, and gives the first row that it did not ask for. A page that fails is divided,
   * down to the row.
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
        // A part of a page that failed is divided by more: each answer that never ends costs the whole time of one.
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

  /** Undefined where the page failed, while the server answers. */
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

  /** Throws where no smaller page helps: the server fails as a whole, or more rows fail alone than may. */
  async #onFailure(error: unknown, page: number, size: number): Promise<void> {
    if (!isFailureOfPage(error)) {
      throw error;
    }
    const received = this.#received;
    const { countRows, mayLeaveOut = () => false } = this.#options;
    if (!this.#hasAnswered && !this.#hasFailed) {
      received.onCount(await countRows());
    }
    // After a page or a small request that came, the next failure is taken for the page's own.
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
