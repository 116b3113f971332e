/** The state that a run leaves to the next: ledger, readings of instruments, open alerts, history of coverage. Plain data. */
import type { OperatingSystem } from './device-places.ts';
import type { Instrument, Receipt, SourceKindName } from './facts.ts';
import type { Entry, SharedNumber } from './ledger.ts';
import type { ListMemory, ListName } from './lists.ts';
import type { RunsLeft } from './operations.ts';
import type { AlertState, InstrumentMemory } from './remembered.ts';
import type { Soundness } from './vocabulary.ts';

export interface ListingFigures extends Pick<Receipt, 'received' | 'unlisted' | 'overview'> {
  /** The number of devices listed when the overview was read, if that was in an earlier run. */
  readonly overviewOf?: number;
}

/** Enrolment dates of a source's devices, as far as its next reading needs them. */
export interface EnrolmentDates {
  /** Distinct dates that part the devices evenly, to the second, ordered. */
  readonly bounds: readonly string[];
  /** Devices whose date is not known. */
  readonly unknown: number;
}

/** The part of a source's last whole run that the next run is compared with; its machines are in the ledger. */
export interface Baseline {
  readonly slot: string;
  readonly instrument: Instrument;
  /** Rows of the apps' reports. */
  readonly answers?: number;
  /** Figures by which the next run judges gaps in its list. */
  readonly listing?: ListingFigures;
  /** Missing where its list is never read in ranges of these dates. */
  readonly enrolment?: EnrolmentDates;
}

export interface SourceState {
  readonly name: string;
  readonly kind: SourceKindName;
  /** Missing before its first whole run. */
  readonly baseline?: Baseline;
  readonly instrumentMemory: InstrumentMemory;
}

export interface State {
  readonly schema: 7;
  readonly slot: string;
  readonly sources: readonly SourceState[];
  /** One entry for each machine, ordered by name. */
  readonly ledger: readonly Entry[];
  /** Ordered by number. */
  readonly sharedNumbers: readonly SharedNumber[];
  /** The runs that are kept beside this one, and the work in the store that is still owed for them. */
  readonly runs: RunsLeft;
  /** Alerts that are open. */
  readonly openAlerts?: readonly AlertState[];
  /** Keys of the notices that were sent for this slot. */
  readonly noticed?: readonly string[];
  /** The slot of the last weekly reminders. */
  readonly reminded?: string;
  /** The last sound lists of machines; missing where there was none. */
  readonly lists?: Readonly<Partial<Record<ListName, ListMemory>>>;
  /** The last 400 runs, oldest first. */
  readonly history: readonly HistoryEntry[];
}

/** The figures of a run, which history keeps. */
export const coverageFigures = [
  'devices',
  'counted',
  // Excluded for any reason; `exempt` counts those excluded by an exemption.
  'excluded',
  'exempt',
  // Figures over counted devices from here on.
  'stale',
  'installed',
  'notInstalled',
  'provenInstalled',
  'provenNotInstalled',
  'lost',
  'recovered',
  // Devices that entered and left the count since the baseline: after = before + joined − left.
  'joined',
  'left',
] as const;

export type CoverageFigures = Readonly<Record<(typeof coverageFigures)[number], number>>;

/** Figures of the lists; missing where a list is not judged in a run, or not in the settings. */
export const listFigures = [
  // Machines on the list of expected ones, and those of them that no source knows: only of all sources together.
  'expected',
  'enrolledNowhere',
  // Figures over counted devices from here on; `notExpected` are not on the list of expected machines.
  'notExpected',
  // Installed, and not seen by the agent's console; seen by it, and those of them that are proven.
  'silent',
  'reporting',
  'provenReporting',
] as const;

export type ListFigures = Readonly<Partial<Record<(typeof listFigures)[number], number>>>;

export interface Coverage extends CoverageFigures, ListFigures {
  /** A source's name and platform, or `all` twice. */
  readonly source: string;
  readonly operatingSystem: OperatingSystem;
  readonly soundness: Soundness;
}

export interface HistoryEntry {
  readonly slot: string;
  readonly coverage: readonly Coverage[];
  readonly moment: string;
  /** The instrument of each source, where it could be read. */
  readonly instruments?: readonly ({ readonly source: string } & Instrument)[];
}

export const keptHistory = 400;
