/**
 * The ledger: one entry for each machine, which runs leave to the next. Plain data; `core/ledger/` decides what stands
 * in it.
 */

import type { DevicePlace, OperatingSystem } from './device-places.ts';
import type { SourceKindName } from './facts.ts';
import type { ExcludedBecause, Reason, Status } from './vocabulary.ts';

/** A record: one row of one source. A source is its name and its kind, since a name may be given to another kind. */
export interface RecordReference {
  readonly source: string;
  readonly kind: SourceKindName;
  readonly id: string;
}

/**
 * What a machine is in a run, as one letter. Counted: I Installed, N Not Installed, in small letters where that is not
 * proven. Not counted: X Installed, x Not Installed. A hyphen: gone.
 */
export type CountLetter = 'I' | 'i' | 'N' | 'n' | 'X' | 'x' | '-';

/** From this slot on the machine is so. */
export type HistoryStep = readonly [since: string, letter: CountLetter];

/** The record that stands for a machine: what a row about it needs when the machine is gone. */
export interface StandingRecord extends RecordReference, Partial<Readonly<Record<DevicePlace, string | undefined>>> {
  readonly operatingSystem: OperatingSystem;
  readonly name?: string | undefined;
  readonly serialNumber?: string | undefined;
  readonly reason: Reason;
  readonly excludedBecause?: ExcludedBecause | undefined;
  /** Missing where it is not, as `isPersonal`. */
  readonly stale?: true | undefined;
  /** Its owner is a person, whether or not only company devices were counted. */
  readonly isPersonal?: true | undefined;
  /** Its last contact, ISO 8601 UTC. */
  readonly heardAt?: string | undefined;
}

export interface Entry {
  /** Given once, and never changed: alert keys and findings are made of it. */
  readonly name: string;
  /** Its operating system and folded serial number; missing where that is not real. Several machines may share it. */
  readonly number?: string | undefined;
  readonly standing: StandingRecord;
  /** The other records of the machine, in the run in which the entry moved on last. */
  readonly others?: readonly RecordReference[] | undefined;
  readonly counted: boolean;
  readonly status: Status;
  /** Missing where it is not. */
  readonly proven?: true | undefined;
  /** The slot in which it became Not Installed, read "at least since"; missing while it is Installed. */
  readonly notInstalledSince?: string | undefined;
  /** It became Not Installed in its source's first run, whose notice counts it: no alert opens while it stays so. */
  readonly opensNoAlert?: true | undefined;
  /** Oldest first; the last 30 changes. */
  readonly history: readonly HistoryStep[];
  /** The slot of the last run that listed it. */
  readonly listedOn: string;
  /** No record stands for it any more. */
  readonly isGone?: true | undefined;
}

/** A number that several machines share, and the last run in which two of its records lived at once. */
export interface SharedNumber {
  readonly number: string;
  readonly lastOn: string;
}

export const keptHistorySteps = 30;
/** Days for which an entry is kept whose machine is gone, or whose source left the settings. */
export const keptGoneDays = 400;
/** So many entries of gone machines are kept; those that were listed last come first. */
export const mostGoneEntries = 250_000;
