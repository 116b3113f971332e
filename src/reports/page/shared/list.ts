/** Describes a list once, both for the first rows from the server and for all rows in the browser. */

export interface ListColumn<Row> {
  readonly key: string;
  readonly title: string;
  /** The text that is shown and copied. */
  text(row: Row): string;
  /** A quiet note behind the text, which is not copied. */
  note?(row: Row): string;
  /** The value by which rows are sorted, if not the text. Undefined comes last in both directions. */
  sortKey?(row: Row): number | string | undefined;
  /** The rows that a number counts, in the form of the page's address. */
  counts?(row: Row): string | undefined;
  /** `time`: the text is ISO 8601, shown in the reader's zone; `figure`: a number; `head`: names the row. */
  readonly kind?: 'time' | 'figure' | 'head';
  /** True where it is shown on demand. */
  readonly isHidden?: boolean;
}

export interface ListDescription<Row> {
  readonly id: ListName;
  readonly label: string;
  readonly empty: string;
  readonly columns: readonly ListColumn<Row>[];
}

/** Names of the lists in elements and in the page's address. */
export type ListName = DeviceListName | 'unenrolled' | 'breakdown' | 'changes' | 'exemptions' | GroupListName;
type GroupListName = 'groups' | 'members';

export type DeviceListName = 'needs-action' | 'excluded' | 'all-devices';

/** Formats filters for the page's address: `needs-action.source=macs&needs-action.proven=proven`. */
export function toRows(list: ListName, filters: Readonly<Record<string, string>>): string {
  return Object.entries(filters)
    .map(([key, word]) => `${list}.${key}=${encodeText(word)}`)
    .join('&');
}

/** Encodes a text, which can contain half a character, unlike an address. */
export function encodeText(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
