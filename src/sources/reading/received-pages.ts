/** The rows that the pages of a walk brought, and what the pages say about the list and the server. */

export interface WalkPage<Row> {
  /** How many rows there are in all. */
  readonly total: number;
  readonly rows: readonly Row[];
  readonly bytes: number;
  readonly milliseconds: number;
}

export class ReceivedPages<Row> {
  /** The last answer's total. */
  total = Number.POSITIVE_INFINITY;
  /** The last answer that reached the end of the list, where one did: its total and its rows are of one moment. */
  end: Pick<WalkPage<Row>, 'total' | 'rows'> | undefined;
  /** The rows of the first page, where the server returned fewer than requested and than there are. */
  serverLimit: number | undefined;
  /** A page had fewer rows than its own total says: the server hides some. */
  hasGap = false;
  readonly #totals = new Set<number>();
  readonly #pieces: { readonly from: number; readonly rows: readonly Row[] }[] = [];

  /** Every answer had the same total. */
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

  onPage(answer: WalkPage<Row>, page: number, size: number): void {
    const { total, rows } = answer;
    this.total = total;
    this.#totals.add(total);
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
