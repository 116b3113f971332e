/** The rows that the pages of a walk brought, those that failed, and what the pages say about the list and the server. */
import type { MusterError } from '../../base/errors.ts';

export interface WalkPage<Row> {
  readonly total: number;
  readonly rows: readonly Row[];
  readonly bytes: number;
  readonly milliseconds: number;
}

export class ReceivedPages<Row> {
  /** The last answer's total; before the first page came, what a small request said. */
  total = Number.POSITIVE_INFINITY;
  /** The first row that an empty page showed not to be there. Rows before it may still be unread: their page failed. */
  endsAt = Number.POSITIVE_INFINITY;
  /** The last answer that reached the end of the list, where one did: its total and its rows are of one moment. */
  end: Pick<WalkPage<Row>, 'total' | 'rows'> | undefined;
  /** The rows of the first page, where the server returned fewer than requested and than there are. */
  serverLimit: number | undefined;
  /** A page had fewer rows than its own total says: the server hides some. */
  hasGap = false;
  /** Places of the rows that failed alone, again and again, while others came; counted from 0. */
  readonly unreadPlaces: number[] = [];
  /** How the last row failed that failed alone. */
  rowFailure: MusterError | undefined;
  readonly #totals = new Set<number>();
  readonly #pieces: { readonly from: number; readonly rows: readonly Row[] }[] = [];

  get hasOneTotal(): boolean {
    return this.#totals.size === 1;
  }

  /** In the order of the list. */
  get rows(): readonly Row[] {
    return this.#pieces.toSorted((one, other) => one.from - other.from).flatMap((piece) => piece.rows);
  }

  /** Keeps rows of a page, of which others may have come before. */
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
      // Only an empty page is the end; a short one may not be.
      this.endsAt = Math.min(this.endsAt, page * size);
    }
    if (page * size + rows.length >= total) {
      this.end = answer;
    } else if (page > 0 && rows.length < size) {
      this.hasGap = true;
    } else if (rows.length < size) {
      // A server reduces too large a page without notice, and then counts pages of its own size.
      this.serverLimit = rows.length;
    }
  }
}
