/**
 * The data inside the page: the document of `report.json`, whose devices are columns, and what only lists need to know
 * of the run. Shared by the server, which writes it, and the page's script.
 */
import type { Change } from '../../../core/facts/judged.ts';
import type { HistoryStep } from '../../../core/facts/ledger.ts';
import type { NextSteps } from '../../../core/facts/rules.ts';
import type { Status } from '../../../core/facts/vocabulary.ts';
import type { ChangeReport, ReportedDevice } from '../../document/devices.ts';
import type { GroupReport, GroupRow } from '../../document/groups.ts';
import type { ReportDocument } from '../../document/report-document.ts';
import type { Measurement } from '../../document/sources.ts';

/** A device as the page lists it. `unprovenBecause` says what the omitted flags say. */
export type ListedDevice = Omit<ReportedDevice, 'contradicted' | 'contradictedByConsole'> & {
  /** Its place among all devices of the page. */
  readonly row: number;
  /** The age of the value, and of the last contact, as `upToDays` of report.json's `ages`. */
  readonly valueAge?: string;
  readonly contactAge?: string;
  /** Which instrument the value was measured with. */
  readonly measured?: Measurement;
  /** The groups that it belongs to without a change or a difference; the document lists all other members. */
  readonly memberships?: readonly Membership[];
  /** The history of its machine within the compared runs; missing where it has been the same in all of them. */
  readonly history?: readonly HistoryStep[];
};

export type Membership = Pick<GroupReport, 'group'> & Pick<GroupRow, 'inPlatformGroup' | 'verdict' | 'why'>;

/** Left within the last 90 days, or is not listed in a run that is no baseline. */
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
  /** What it adds to the figures of what joined and left the count. */
  readonly flow?: NonNullable<Change['flow']>;
};

export interface PageData {
  readonly document: Omit<ReportDocument, 'devices' | 'changes' | 'transitions'> & {
    readonly changes: readonly ListedChange[];
  };
  /**
   * First the devices of report.json, then all others, of which nothing is to be said: their columns of details end
   * before them.
   */
  readonly devices: Readonly<Record<string, Column>>;
  readonly count: number;
  /** How many of them are in report.json. */
  readonly reported: number;
  readonly gone: readonly GoneDevice[];
  /** The slot of the oldest run with which a later one is compared. */
  readonly comparedFrom: string;
  /** Each source's console, and its address of a device with `{id}` in place of the id. */
  readonly consoles: Readonly<Record<string, { readonly title: string; readonly address: string }>>;
  /** They are keyed by the kind of a source. */
  readonly nextSteps: Readonly<Record<string, NextSteps>>;
}

/** A word that repeats is written once, and each row has its index; texts that rarely repeat are one text, or a list. */
export type Column =
  | { readonly words: readonly unknown[]; readonly rows: readonly number[] }
  | string
  | readonly unknown[];

/** Stands between texts: the quotation marks of a list would be a fiftieth of the page. */
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
    // Nothing repeats enough: the other rows need not be looked at.
    if (words.length > values.length / 2) {
      const isText = values.every((one) => typeof one === 'string' && !one.includes(separator));
      return isText ? values.join(separator) : values;
    }
  }
  // Nobody has it: every row is beyond the end.
  return words.length === 1 && words[0] === null ? [] : { words, rows };
}

/** Reads the value of a row; undefined where it is not known, and beyond the end. */
export function createColumnReader(column: Column): (row: number) => unknown {
  if (typeof column === 'object' && 'words' in column) {
    const { words, rows } = column;
    return (row) => words[rows[row] ?? -1] ?? undefined;
  }
  const values = typeof column === 'string' ? column.split(separator) : column;
  return (row) => values[row] ?? undefined;
}

/** A time as seconds before the run, in fractions where it has them: half as long as its text. */
export function encodeAge(time: string, moment: number): number {
  return (moment - Date.parse(time)) / 1000;
}

export function decodeAge(seconds: unknown, moment: string): string {
  return new Date(Math.round(Date.parse(moment) - Number(seconds) * 1000)).toISOString();
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const bareUuid = /^[0-9a-f]{32}$/;

/** Intune's ids are UUIDs: without their hyphens the page is a twentieth smaller. */
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
