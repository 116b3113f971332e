/**
 * The data inside the page: the document in columns, so that 100,000 devices stay small and fast. Times are whole
 * seconds; a word that repeats is written once. Shared by the packer and the page's script.
 */

import type { ExemptionResult } from '../../core/vocabulary.ts';
import type { BreakdownReport, Trend } from '../document/report-document.ts';
import type { DeviceFieldTypes } from '../fields.ts';

/**
 * A word for each row: an index into the words, or −1 for "not known". Where there are few words, the indexes are one
 * character each. A row beyond the end is not known either.
 */
export interface PackedWords {
  readonly words: readonly string[];
  readonly at: string | readonly number[];
}

/** Text that rarely repeats. */
export type PackedTexts = readonly (string | null)[];

/** Unix time in units of `unit` milliseconds, less `base`, as `width` characters a row. */
export interface PackedTimes {
  readonly unit: number;
  readonly base: number;
  readonly width: number;
  readonly at: string;
}

/** One character a row: `1` true, `0` false, `-` not known. */
export type PackedFlags = string;

/** A column for each type of field. */
interface ColumnsByType {
  readonly text: PackedTexts;
  readonly word: PackedWords;
  readonly slot: PackedWords;
  readonly time: PackedTimes;
  readonly flag: PackedFlags;
}

/**
 * A column for each field of `reports/fields.ts`, and for values that have no field of their own. The devices of
 * report.json come first, with everything; then all others, which are counted, Installed and heard of, with their main
 * fields: columns that end earlier know nothing of them.
 */
export type DeviceColumns = {
  readonly [Key in keyof DeviceFieldTypes]: ColumnsByType[DeviceFieldTypes[Key] & keyof ColumnsByType];
} & {
  /** `[source, id]` as JSON. */
  readonly replacedBy: PackedWords;
  /** `[value, at, detail][]` as JSON. */
  readonly answers: PackedWords;
  /** `[slot, from, to][]` as JSON. */
  readonly transitions: PackedWords;
  /** `[by, until, ticket]` as JSON, of a device that somebody has acknowledged. */
  readonly acknowledged: PackedWords;
  /** Whether the device has been Not Installed for as long as the policy allows, or longer. */
  readonly overdue: PackedFlags;
  /** The age of the value, and of the last contact, as `upToDays` of report.json's `ages`; not known: ''. */
  readonly valueAge: PackedWords;
  readonly contactAge: PackedWords;
  /** `current` or `earlier`: which instrument the value was measured with; without a value: ''. */
  readonly measured: PackedWords;
};

/** The columns of which a page has one long text each, as it is packed. */
export const joinedKeys = ['id', 'name', 'serialNumber', 'user'] as const;

export type JoinedColumns = Readonly<Record<(typeof joinedKeys)[number], string | PackedTexts>>;

/** The data as it is in the page. */
export type PackedPageData = Omit<PageData, 'devices'> & {
  readonly devices: Omit<DeviceColumns, keyof JoinedColumns> & JoinedColumns;
};

/** Devices that left within the last 90 days. */
export interface DepartedColumns {
  readonly source: PackedWords;
  readonly id: PackedTexts;
  readonly name: PackedTexts;
  readonly serialNumber: PackedTexts;
  readonly leftOn: PackedWords;
  readonly status: PackedWords;
}

export interface ChangeColumns {
  /** The device's row in the columns above; −1 where the device is no longer listed. */
  readonly device: readonly number[];
  /** Given only where there is no such row. */
  readonly id: PackedTexts;
  readonly name: PackedTexts;
  readonly serialNumber: PackedTexts;
  readonly source: PackedWords;
  readonly platform: PackedWords;
  readonly change: PackedWords;
  readonly from: PackedWords;
  readonly to: PackedWords;
  readonly reason: PackedWords;
  /** `joined`, `left` or `both`: what the row adds to those figures of coverage.csv. */
  readonly flow: PackedWords;
}

export interface TransitionColumns {
  readonly slot: PackedWords;
  readonly device: readonly number[];
  /** `source/id` and the name, given only where there is no such row. */
  readonly id: PackedTexts;
  readonly name: PackedTexts;
  readonly from: PackedWords;
  readonly to: PackedWords;
}

export interface GroupData {
  readonly source: string;
  readonly platform: string;
  readonly group: string;
  /** Absent where the platform's group could not be read; `problem` says why. */
  readonly onPlatform?: boolean;
  readonly problem?: string;
  readonly members: number;
  readonly joined: number;
  readonly left: number;
  readonly differences: number;
  readonly rows: {
    readonly device: readonly number[];
    readonly id: PackedTexts;
    readonly name: PackedTexts;
    readonly inPlatformGroup: PackedFlags;
    readonly inPicture: PackedFlags;
    readonly verdict: PackedWords;
    readonly why: PackedWords;
    readonly change: PackedWords;
  };
  /** Members without a change or a difference, who are not listed one by one. */
  readonly rest: readonly OtherGroupMembers[];
}

/** All with the same verdict and why. */
export interface OtherGroupMembers {
  readonly verdict: string;
  readonly why: string;
  readonly inPlatformGroup: PackedFlags;
  /** Rows of devices, as start and length, one after the other. */
  readonly deviceRanges: readonly number[];
}

export interface PageData {
  readonly slot: string;
  readonly moment: string;
  readonly staleAfterDays: number;
  /** Sources on their first run: how long a device has been missing is not known there yet. */
  readonly first: readonly string[];
  readonly trend: readonly Trend[];
  /** The rows of coverage-by.csv. */
  readonly coverageBy: readonly BreakdownReport[];
  /** By source: the platform's console, and its address of a device with `{id}` in place of the id. */
  readonly consoles: Readonly<Record<string, { readonly title: string; readonly address: string }>>;
  /** Names that people read, by platform. */
  readonly platformTitles: Readonly<Record<string, string>>;
  readonly devices: DeviceColumns;
  /** How many of them are in report.json. */
  readonly detailed: number;
  readonly departed: DepartedColumns;
  readonly changes: ChangeColumns;
  /** Transitions of the last runs; the device's row, or −1 where it is no longer listed. */
  readonly transitions: TransitionColumns;
  readonly groups: readonly GroupData[];
  readonly exemptions: readonly {
    readonly match: string;
    readonly value: string;
    readonly source: string;
    readonly reason: string;
    readonly owner: string;
    readonly expires: string;
    readonly devices: number;
    readonly result: ExemptionResult;
  }[];
}
