/** The ledger: one entry for each machine, which a run leaves to the next. Plain data; `core/ledger/` makes it. */

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
 * The state of a machine in a run, as one letter. Counted: I Installed, N Not Installed; i and n the same where it is
 * not proven. Not counted: X Installed, x Not Installed. A hyphen: gone.
 */
export type CountLetter = 'I' | 'i' | 'N' | 'n' | 'X' | 'x' | '-';

/** A change in the history of a machine: its letter from this slot on. */
export type HistoryStep = readonly [since: string, letter: CountLetter];

/** The standing record of a machine, with the fields that a row about it needs when the machine is gone. */
export interface StandingRecord extends RecordReference, Partial<Readonly<Record<DevicePlace, string | undefined>>> {
  readonly operatingSystem: OperatingSystem;
  readonly name?: string | undefined;
  readonly serialNumber?: string | undefined;
  readonly reason: Reason;
  readonly excludedBecause?: ExcludedBecause | undefined;
  /** Missing where it is not stale; so is `isPersonal`. */
  readonly stale?: true | undefined;
  /** True where its owner is a person, whether or not only company devices were counted. */
  readonly isPersonal?: true | undefined;
  /** Its last contact, ISO 8601 UTC. */
  readonly heardAt?: string | undefined;
}

export interface Entry {
  /** Name that never changes: alert keys and findings contain it. */
  readonly name: string;
  /** Its operating system and folded serial number; missing where that is not real. Several machines may share it. */
  readonly number?: string | undefined;
  readonly standing: StandingRecord;
  /** The other records of the machine in the run that updated the entry last. */
  readonly others?: readonly RecordReference[] | undefined;
  readonly counted: boolean;
  readonly status: Status;
  /** Missing where it is not proven. */
  readonly proven?: true | undefined;
  /** The slot in which it became Not Installed, read "at least since"; missing while it is Installed. */
  readonly notInstalledSince?: string | undefined;
  /** True where it became Not Installed in its source's first run, whose notice counts it: no alert opens while it stays so. */
  readonly opensNoAlert?: true | undefined;
  /** Oldest first; the last 30 changes. */
  readonly history: readonly HistoryStep[];
  /** The slot of the last run that listed it. */
  readonly listedOn: string;
  /** True where it has no standing record any more. */
  readonly isGone?: true | undefined;
}

/** A number that several machines share, and the last run in which two of its records were in use at once. */
export interface SharedNumber {
  readonly number: string;
  readonly lastOn: string;
}

export const keptHistorySteps = 30;
/** Days for which an entry is kept after its machine is gone or its source has left the settings. */
export const keptGoneDays = 400;
/** Entries of gone machines that are kept at most, those listed last first. */
export const mostGoneEntries = 250_000;
