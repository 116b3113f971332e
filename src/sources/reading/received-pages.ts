/** The rows from the pages of a walk, those that failed, and facts about the list and the server. */
import type { MusterError } from '../../base/errors.ts';

export interface WalkPage<Row> {
  readonly total: number;
  readonly rows: readonly Row[];
  readonly bytes: number;
  readonly milliseconds: number;
}

export class ReceivedPages<Row> {
  /** The last answer's total; before the first page, the count of a small request. */
  total = Number.POSITIVE_INFINITY;
  /** The first row that an empty page showed to be missing. Rows before it may still be unread if their page failed. */
  endsAt = Number.POSITIVE_INFINITY;
  /** The last answer that reached the end of the list, if any: its total and its rows are of one moment. */
  end: Pick<WalkPage<Row>, 'total' | 'rows'> | undefined;
  /** The number of rows of the first page, where the server returned fewer than requested and than there are. */
  serverLimit: number | undefined;
  /** True where a page had fewer rows than its own total implies: the server hides some. */
  hasGap = false;
  /** Places of rows that kept failing while others succeeded, counted from 0. */
  readonly unreadPlaces: number[] = [];
  /** The last failure of a single row. */
  rowFailure: MusterError | undefined;
  readonly #totals = new Set<number>();
  readonly #pieces: { readonly from: number; readonly rows: readonly Row[] }[] = [];

  get hasOneTotal(): boolean {
    return this.#totals.size === 1;
  }

  /** All rows, in the order of the list. */
  get rows(): readonly Row[] {
    return this.#pieces.toSorted((one, other) => one.from - other.from).flatMap((piece) => piece.rows);
  }

  /** Keeps rows of a page; those before them may have come already. */
  addRows(from: number, rows: readonly Row[]): void {
    this.#pieces.push({ from, rows });
  }

  onCount(total: number): void {
    if (this.#totals.size === 0) {
      this.total = total;
    }
  }

  onFailedRow(place: number, failure: MusterError): void {
    this.unreadPlaces.push(place);
    this.rowFailure = failure;
  }

  onPage(answer: WalkPage<Row>, page: number, size: number): void {
    const { total, rows } = answer;
    this.total = total;
    this.#totals.add(total);
    if (rows.length === 0) {
      // Only an empty page is surely the end; a short one may not be.
      this.endsAt = Math.min(this.endsAt, page * size);
    }
    if (page * size + rows.length >= total) {
      this.end = answer;
    } else if (page > 0 && rows.length < size) {
      this.hasGap = true;
    } else if (rows.length < size) {
      // A server reduces too large a page silently, and then counts pages of its own size.
      this.serverLimit = rows.length;
    }
  }
}
