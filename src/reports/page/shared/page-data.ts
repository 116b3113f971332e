/**
 * The data inside the page: the document of `report.json`, whose devices are columns, and facts of the run that only
 * lists need. Shared by the server, which writes it, and the page's script.
 */
import type { Change } from '../../../core/facts/judged.ts';
import type { HistoryStep } from '../../../core/facts/ledger.ts';
import type { NextSteps } from '../../../core/facts/rules.ts';
import type { Status } from '../../../core/facts/vocabulary.ts';
import type { ChangeReport, ReportedDevice } from '../../document/devices.ts';
import type { GroupReport, GroupRow } from '../../document/groups.ts';
import type { ReportDocument } from '../../document/report-document.ts';
import type { Measurement } from '../../document/sources.ts';

/** A device of the page's lists. `unprovenBecause` implies the omitted flags. */
export type ListedDevice = Omit<ReportedDevice, 'contradicted' | 'contradictedByConsole'> & {
  /** Index among all devices of the page. */
  readonly row: number;
  /** Age of the value, as `upToDays` of report.json's `ages`; `contactAge` is that of the last contact. */
  readonly valueAge?: string;
  readonly contactAge?: string;
  /** The instrument that measured the value. */
  readonly measured?: Measurement;
  /** The groups to which it belongs without a change or a difference; the document lists all other members. */
  readonly memberships?: readonly Membership[];
  /** The history of its machine within the compared runs; missing where it has been the same in all of them. */
  readonly history?: readonly HistoryStep[];
};

export type Membership = Pick<GroupReport, 'group'> & Pick<GroupRow, 'inPlatformGroup' | 'verdict' | 'why'>;

/** A device that left within the last 90 days, or is missing in a run that is no baseline. */
export interface GoneDevice
  extends Pick<
    ChangeReport,
    'source' | 'id' | 'platform' | 'name' | 'serialNumber' | 'site' | 'department' | 'reason'
  > {
  readonly status: Status;
  readonly leftOn: string;
  readonly history?: readonly HistoryStep[];
}

export type ListedChange = ChangeReport & {
  /** Its effect on the figures of machines that joined and left the count. */
  readonly flow?: NonNullable<Change['flow']>;
};

export interface PageData {
  readonly document: Omit<ReportDocument, 'devices' | 'changes' | 'transitions'> & {
    readonly changes: readonly ListedChange[];
  };
  /** Devices of report.json first, then all others, which have no details: columns of details end before them. */
  readonly devices: Readonly<Record<string, Column>>;
  readonly count: number;
  /** Number of devices in report.json. */
  readonly reported: number;
  readonly gone: readonly GoneDevice[];
  /** The slot of the oldest run with which a later one is compared. */
  readonly comparedFrom: string;
  /** Each source's console, and its address of a device with `{id}` in place of the id. */
  readonly consoles: Readonly<Record<string, { readonly title: string; readonly address: string }>>;
  /** Next steps by kind of source. */
  readonly nextSteps: Readonly<Record<string, NextSteps>>;
}

/** A column. Repeated words are written once, with an index for each row; texts that rarely repeat are joined, or a list. */
export type Column =
  | { readonly words: readonly unknown[]; readonly rows: readonly number[] }
  | string
  | readonly unknown[];

/** Separates texts: the quotation marks of a list would be a fiftieth of the page. */
const separator = '\u007f';

export function encodeColumn(values: readonly unknown[]): Column {
  const indexes = new Map<unknown, number>();
  const words: unknown[] = [];
  const rows: number[] = [];
  for (const value of values) {
    const word = typeof value === 'object' && value !== null ? JSON.stringify(value) : (value ?? null);
    const index = indexes.get(word) ?? indexes.size;
    rows.push(index);
    if (index === words.length) {
      indexes.set(word, words.push(value ?? null) - 1);
    }
    // Too few values repeat, so that the other rows need no check.
    if (words.length > values.length / 2) {
      const isText = values.every((one) => typeof one === 'string' && !one.includes(separator));
      return isText ? values.join(separator) : values;
    }
  }
  // No row has a value, so that the column is empty.
  return words.length === 1 && words[0] === null ? [] : { words, rows };
}

/** Makes a reader of a row's value; undefined where it is not known, and beyond the end. */
export function createColumnReader(column: Column): (row: number) => unknown {
  if (typeof column === 'object' && 'words' in column) {
    const { words, rows } = column;
    return (row) => words[rows[row] ?? -1] ?? undefined;
  }
  const values = typeof column === 'string' ? column.split(separator) : column;
  return (row) => values[row] ?? undefined;
}

/** Encodes a time as seconds before the run, with fractions if needed: half as long as its text. */
export function encodeAge(time: string, moment: number): number {
  return (moment - Date.parse(time)) / 1000;
}

export function decodeAge(seconds: unknown, moment: string): string {
  return new Date(Math.round(Date.parse(moment) - Number(seconds) * 1000)).toISOString();
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const bareUuid = /^[0-9a-f]{32}$/;

/** Shortens Intune's ids, which are UUIDs: without hyphens the page is a twentieth smaller. */
export function encodeId(id: string): string {
  if (uuid.test(id)) {
    return id.replaceAll('-', '');
  }
  return id.startsWith('~') || bareUuid.test(id) ? `~${id}` : id;
}

export function decodeId(text: string): string {
  if (bareUuid.test(text)) {
    return text.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  }
  return text.startsWith('~') ? text.slice(1) : text;
}
