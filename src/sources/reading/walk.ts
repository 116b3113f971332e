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

/** Throws `request-timed-out` or `answer-too-large` where a smaller page may come. */
export type PageReader<Row> = (page: number, size: number) => Promise<WalkPage<Row>>;

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
}

interface WalkOptions<Row> {
  /** Pages requested at once; one without it. */
  readonly atOnce?: number;
  readonly onPage?: (page: WalkPage<Row>) => void;
  /** The limit for a server that never ends its list. */
  readonly maximumPages?: number;
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
  #total = 0;
  #end: WalkResult<Row>['end'];
  #serverLimit: number | undefined;
  #hasGap = false;
  #pages = 0;
  /** The first row that nobody has asked for yet. */
  #next = 0;
  #hasEnded = false;
  /** What ends the walk: the others request no further page. */
  #failure: { readonly error: unknown } | undefined;

  constructor(readPage: PageReader<Row>, pace: Pace, options: WalkOptions<Row>) {
    this.#readPage = readPage;
    this.#pace = pace;
    this.#options = options;
  }

  async run(): Promise<WalkResult<Row>> {
    await this.#readFirstPage();
    await this.#readOtherPages();
    return {
      rows: this.#pieces.toSorted((one, other) => one.from - other.from).flatMap((piece) => piece.rows),
      total: this.#total,
      end: this.#end,
      serverLimit: this.#serverLimit,
      hasGap: this.#hasGap,
      hasOneTotal: this.#totals.size === 1,
    };
  }

  /** The first page alone: it shows the total and, if shorter than requested, the server's own page size. */
  async #readFirstPage(): Promise<void> {
    const { rows, size } = await this.#readPageAt(0);
    this.#pieces.push({ from: 0, rows });
    // A server reduces too large a page without notice, and then counts pages of its own size.
    if (rows.length < size && rows.length < this.#total) {
      this.#serverLimit = rows.length;
      this.#pace.onServerLimit(rows.length);
    }
    this.#next = rows.length;
    this.#hasEnded = rows.length === 0;
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

  async #readRange(from: number, to: number): Promise<void> {
    for (let at = from; at < to && !this.#hasEnded; ) {
      const { rows, start, size } = await this.#readPageAt(at);
      // An empty page is the end; a short one may not be.
      this.#hasEnded ||= rows.length === 0;
      this.#pieces.push({ from: at, rows: rows.slice(at - start, to - start) });
      at = start + size;
    }
  }

  /** The page that holds a row. Where the page fails, a smaller one that holds the row is requested, down to that row alone. */
  async #readPageAt(
    row: number,
  ): Promise<{ readonly rows: readonly Row[]; readonly start: number; readonly size: number }> {
    let failure: MusterError | undefined;
    for (;;) {
      const { size } = this.#pace;
      const page = Math.floor(row / size);
      this.#countPage();
      try {
        const answer = await this.#readPage(page, size);
        this.#receive(answer, page, size);
        return { rows: answer.rows, start: page * size, size };
      } catch (error) {
        if (!hasCode(error, 'request-timed-out', 'answer-too-large')) {
          throw error;
        }
        // The first failure says how long was waited.
        failure ??= error;
        if (size === 1 || this.#failure !== undefined) {
          throw failure;
        }
        this.#pace.onFailure(error.code, size);
      }
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
    if (page * size + rows.length >= total) {
      this.#end = answer;
    } else if (page > 0 && rows.length < size) {
      // The first page is as long as the server likes.
      this.#hasGap = true;
    }
    this.#pace.onPage(answer);
    this.#options.onPage?.(answer);
  }
}
