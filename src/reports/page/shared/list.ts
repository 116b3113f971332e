/** A list, described once for the first rows that the server writes and for all rows in the browser. */

export interface ListColumn<Row> {
  readonly key: string;
  readonly title: string;
  /** What is shown and copied. */
  text(row: Row): string;
  /** Shown quietly behind the text, and not copied. */
  note?(row: Row): string;
  /** What rows are sorted by, where it is not the text. Undefined is last in both directions. */
  sortKey?(row: Row): number | string | undefined;
  /** The rows that a number counts, as the page's address names them. */
  counts?(row: Row): string | undefined;
  /** `time`: the text is ISO 8601, shown in the reader's zone; `figure`: a number; `head`: names the row. */
  readonly kind?: 'time' | 'figure' | 'head';
  /** Shown when the reader asks for it. */
  readonly isHidden?: boolean;
}

export interface ListDescription<Row> {
  readonly id: ListName;
  readonly label: string;
  readonly empty: string;
  readonly columns: readonly ListColumn<Row>[];
}

/** The lists, as elements and the page's address name them. */
export type ListName = DeviceListName | 'unenrolled' | 'breakdown' | 'changes' | 'exemptions' | GroupListName;
type GroupListName = 'groups' | 'members';

export type DeviceListName = 'needs-action' | 'excluded' | 'all-devices';

/** Filters as the page's address has them: `needs-action.source=macs&needs-action.proven=proven`. */
export function toRows(list: ListName, filters: Readonly<Record<string, string>>): string {
  return Object.entries(filters)
    .map(([key, word]) => `${list}.${key}=${encodeText(word)}`)
    .join('&');
}

/** A text can hold half a character, which no address can. */
export function encodeText(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
