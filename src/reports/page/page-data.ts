/**
 * The data inside the page: the document in columns, so that 100,000 devices stay small and fast. Times are whole
 * seconds; a word that repeats is written once. Types only, shared by the packer and the page's script.
 */

import type { ExemptionResult } from '../../core/vocabulary.ts';
import type { Trend } from '../document/report-document.ts';
import type { DeviceFieldTypes } from '../fields.ts';

/** A word for each row: an index into the words, or −1 for "not known". */
export interface PackedWords {
  readonly words: readonly string[];
  readonly at: readonly number[];
}

/** Text that rarely repeats. */
export type PackedTexts = readonly (string | null)[];

/** Unix time in units of `unit` milliseconds, less `base`; null is "not known". */
export interface PackedTimes {
  readonly unit: number;
  readonly base: number;
  readonly at: readonly (number | null)[];
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

/** A column for each field of `reports/fields.ts`, and for values that have no field of their own. */
export type DeviceColumns = {
  readonly [Key in keyof DeviceFieldTypes]: ColumnsByType[DeviceFieldTypes[Key] & keyof ColumnsByType];
} & {
  /** `[source, id]` as JSON. */
  readonly replacedBy: PackedWords;
  /** `[value, at, detail][]` as JSON. */
  readonly answers: PackedWords;
  /** `[slot, from, to][]` as JSON. */
  readonly transitions: PackedWords;
  /** Whether the device has been Not Installed for as long as the policy allows, or longer. */
  readonly overdue: PackedFlags;
};

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
  /** The others' names by code point: how many characters are shared with the name before, as a character from `0`, then the rest. */
  readonly names: readonly string[];
  /** Ids of those without a name. */
  readonly unnamed: readonly string[];
}

export interface PageData {
  readonly slot: string;
  readonly moment: string;
  readonly staleAfterDays: number;
  /** Sources on their first run: how long a device has been missing is not known there yet. */
  readonly first: readonly string[];
  readonly trend: readonly Trend[];
  /** Names that people read, by platform. */
  readonly platformTitles: Readonly<Record<string, string>>;
  readonly devices: DeviceColumns;
  readonly changes: ChangeColumns;
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
