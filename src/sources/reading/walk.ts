/**
 * One walk over a list whose pages have numbers, several pages at once. The size of pages follows what the server can
 * handle, and the walk resumes by row so that little that was received is requested again.
 */
import { MusterError } from '../../base/errors.ts';
import { hasCode } from './attempt.ts';
import type { Pace } from './pace.ts';

export interface WalkPage<Row> {
  /** How many rows there are in all. */
  readonly total: number;
  readonly rows: readonly Row[];
  readonly bytes: number;
  readonly milliseconds: number;
}

/**
 * Throws one of `divided` where a smaller page may come. `tries`: how often a page is asked for that fails; as long as the
 * source has patience without it.
 */
export type PageReader<Row> = (page: number, size: number, tries?: number) => Promise<WalkPage<Row>>;

export interface WalkResult<Row> {
  /** In the order of the list. */
  readonly rows: readonly Row[];
  /** The last answer's total. */
  readonly total: number;
  /** The last answer that reached the end of the list, where one did: its total and its rows are of one moment. */
  readonly end: Pick<WalkPage<Row>, 'total' | 'rows'> | undefined;
  /** The rows of the first page, where the server returned fewer than requested and than there are. */
  readonly serverLimit: number | undefined;
  /** A page had fewer rows than its own total says: the server hides some. */
  readonly hasGap: boolean;
  /** Every answer had the same total. */
  readonly hasOneTotal: boolean;
  /** Places of the rows that failed alone, again and again, while others came; counted from 0. */
  readonly unreadPlaces: readonly number[];
  /** How the last row failed that failed alone. */
  readonly rowFailure: MusterError | undefined;
}

interface UnreadOptions {
  /** A small request that is answered where the server answers at all; waits as long as the source has patience. */
  readonly askServer: () => Promise<unknown>;
  /** With more unread rows than these, the walk fails; without it, with more than are bearable. */
  readonly most?: number;
}

interface WalkOptions<Row> {
  /** With it, rows that fail alone do not end the walk, and every failure divides a page, not only a slow one. */
  readonly unread?: UnreadOptions;
  /** Pages requested at once; one without it. */
  readonly atOnce?: number;
  readonly onPage?: (page: WalkPage<Row>) => void;
  /** The limit for a server that never ends its list. */
  readonly maximumPages?: number;
}

/** Failures that a smaller page may not have. */
const failuresOfSize = ['request-timed-out', 'answer-too-large'] as const;
/** With those of a row that the server cannot render: 5xx, or a web page, cut JSON, an endless body instead of the answer. */
const failuresOfRows = [...failuresOfSize, 'request-failed', 'answer-unreadable'] as const;
/** A page is divided after so many failures, and its parts after one. */
const triesOfPage = 3;
/** Where so many rows fail one after the other and nothing comes meanwhile, it may be the server that fails. */
const rowsInSilence = 10;
const mostUnread = 10;
const mostUnreadShare = 0.1;

/** Whether so many unread rows leave a list of which most was read. */
export function isBearable(unread: number, total: number): boolean {
  return unread <= mostUnread || unread <= total * mostUnreadShare;
}

export function walkPages<Row>(
  readPage: PageReader<Row>,
  pace: Pace,
  options: WalkOptions<Row> = {},
): Promise<WalkResult<Row>> {
  return new PageWalk(readPage, pace, options).run();
}

class PageWalk<Row> {
  readonly #readPage: PageReader<Row>;
  readonly #pace: Pace;
  readonly #options: WalkOptions<Row>;
  readonly #pieces: { readonly from: number; readonly rows: readonly Row[] }[] = [];
  readonly #totals = new Set<number>();
  /** Unknown until the first answer. */
  #total = Number.POSITIVE_INFINITY;
  #end: WalkResult<Row>['end'];
  #serverLimit: number | undefined;
  #hasGap = false;
  #pages = 0;
  /** The first row that nobody has asked for yet. */
  #next = 0;
  #hasEnded = false;
  /** What ends the walk: the others request no further page. */
  #failure: { readonly error: unknown } | undefined;
  /** Places of rows that failed alone. */
  #failedPlaces: number[] = [];
  #rowFailure: MusterError | undefined;
  /** Since something came: the first failure, which says how long was waited, and how many rows failed alone. */
  #firstFailure: MusterError | undefined;
  #rowsInSilence = 0;

  constructor(readPage: PageReader<Row>, pace: Pace, options: WalkOptions<Row>) {
    this.#readPage = readPage;
    this.#pace = pace;
    this.#options = options;
  }

  async run(): Promise<WalkResult<Row>> {
    // The first page alone: it shows the total and, if shorter than requested, the server's own page size.
    this.#next = await this.#readRange(0, this.#pace.size);
    await this.#readOtherPages();
    await this.#readFailedRows();
    return {
      rows: this.#pieces.toSorted((one, other) => one.from - other.from).flatMap((piece) => piece.rows),
      total: this.#total,
      end: this.#end,
      serverLimit: this.#serverLimit,
      hasGap: this.#hasGap,
      hasOneTotal: this.#totals.size === 1,
      unreadPlaces: this.#failedPlaces,
      rowFailure: this.#rowFailure,
    };
  }

  async #readOtherPages(): Promise<void> {
    const { atOnce = 1 } = this.#options;
    const underWay = new Set<Promise<void>>();
    for (;;) {
      while (!this.#hasEnded && this.#next < this.#total && underWay.size < atOnce) {
        const from = this.#next;
        // To the end of a page, so that a range is one request where the size stays.
        this.#next = (Math.floor(from / this.#pace.size) + 1) * this.#pace.size;
        const reading = this.#readRange(from, this.#next)
          .then(() => undefined)
          .catch((error: unknown) => {
            this.#hasEnded = true;
            this.#failure ??= { error };
          })
          .finally(() => underWay.delete(reading));
        underWay.add(reading);
      }
      if (underWay.size === 0) {
        break;
      }
      await Promise.race(underWay);
    }
    if (this.#failure !== undefined) {
      throw this.#failure.error;
    }
  }

  /**
   * Reads rows in pages of at most `largest`, and gives the first row that it did not ask for. A page that fails is divided,
   * down to the row.
   */
  async #readRange(from: number, to: number, largest = to - from, tries = triesOfPage): Promise<number> {
    let at = from;
    while (at < to && at < this.#total && !this.#hasEnded) {
      const size = Math.min(largest, this.#pace.size);
      const page = Math.floor(at / size);
      const start = page * size;
      await this.#endSilence();
      const rows = await this.#askForPage(page, size, this.#isPatient() ? undefined : size === 1 ? 1 : tries);
      if (rows !== undefined) {
        // An empty page is the end; a short one may not be.
        this.#hasEnded ||= rows.length === 0;
        this.#pieces.push({ from: at, rows: rows.slice(at - start, to - start) });
        if (page === 0 && this.#serverLimit !== undefined) {
          return rows.length;
        }
        at = start + size;
      } else if (size === 1) {
        this.#failedPlaces.push(at);
        this.#rowsInSilence += 1;
        this.#pace.onFailedRow();
        at += 1;
      } else {
        at = await this.#readRange(at, Math.min(to, start + size), Math.floor(size / 2), 1);
      }
    }
    return Math.min(at, to);
  }

  async #endSilence(): Promise<void> {
    if (this.#rowsInSilence >= rowsInSilence) {
      await this.#options.unread?.askServer();
      this.#rowsInSilence = 0;
    }
  }

  /** With too many failed rows, the walk is lost unless the others come: they are waited for. */
  #isPatient(): boolean {
    const { length: failed } = this.#failedPlaces;
    const total = Number.isFinite(this.#total) ? this.#total : 0;
    const { most } = this.#options.unread ?? {};
    return most === undefined ? !isBearable(failed, total) : failed > most;
  }

  /** Rows that failed alone are asked for again, while the server answers. */
  async #readFailedRows(): Promise<void> {
    for (const tries of [2, 1]) {
      const places = this.#failedPlaces.filter((place) => place < this.#total);
      this.#failedPlaces = [];
      if (places.length > 0) {
        await this.#options.unread?.askServer();
      }
      await Promise.all(
        places.map(async (place) => {
          const rows = await this.#askForPage(place, 1, tries);
          if (rows === undefined) {
            this.#failedPlaces.push(place);
          } else {
            this.#pieces.push({ from: place, rows });
          }
        }),
      );
    }
  }

  /** Undefined where the page failed and smaller ones may come, or the walk can do without the row. */
  async #askForPage(page: number, size: number, tries: number | undefined): Promise<readonly Row[] | undefined> {
    const leavesRowsOut = this.#options.unread !== undefined;
    this.#countPage();
    try {
      const answer = await (leavesRowsOut ? this.#readPage(page, size, tries) : this.#readPage(page, size));
      this.#receive(answer, page, size);
      return answer.rows;
    } catch (error) {
      if (this.#failure !== undefined || !hasCode(error, ...(leavesRowsOut ? failuresOfRows : failuresOfSize))) {
        throw error;
      }
      this.#firstFailure ??= error;
      if (size === 1 && (!leavesRowsOut || tries === undefined)) {
        throw leavesRowsOut ? error : this.#firstFailure;
      }
      if (size === 1) {
        this.#rowFailure = error;
      }
      this.#pace.onFailure(error.code, size);
      return undefined;
    }
  }

  #countPage(): void {
    const { maximumPages = 40_000 } = this.#options;
    this.#pages += 1;
    if (this.#pages > maximumPages) {
      throw new MusterError('paging-broken', `The list did not end after ${maximumPages} pages. See the server's log.`);
    }
  }

  #receive(answer: WalkPage<Row>, page: number, size: number): void {
    const { total, rows } = answer;
    this.#total = total;
    this.#totals.add(total);
    this.#firstFailure = undefined;
    this.#rowsInSilence = 0;
    if (page * size + rows.length >= total) {
      this.#end = answer;
    } else if (page > 0 && rows.length < size) {
      this.#hasGap = true;
    } else if (rows.length < size) {
      // A server reduces too large a page without notice, and then counts pages of its own size.
      this.#serverLimit = rows.length;
      this.#pace.onServerLimit(rows.length);
    }
    this.#pace.onPage(answer);
    this.#options.onPage?.(answer);
  }
}
