/** What a night leaves to the next: baselines, history, and when an instrument was repaired. Plain data. */

import { omitUndefined } from '../../base/omit-undefined.ts';
import type { DeviceFacts, Instrument, OperatingSystem, Receipt, SourceKindName, Status } from './facts.ts';
import type { ListMemory, ListName } from './lists.ts';
import type { AlertState, InstrumentMemory } from './remembered.ts';
import type { ExcludedBecause, Reason, Soundness } from './vocabulary.ts';

export interface Transition {
  readonly slot: string;
  readonly from?: Status;
  readonly to: Status;
}

export interface MovedFrom {
  readonly source: string;
  readonly id: string;
  /** The slot of the night that reported it. */
  readonly on: string;
}

/**
 * What a device is in a run, as one letter. Counted: I Installed, N Not Installed, in small letters where that is not
 * proven. Not counted: X Installed, x Not Installed. A hyphen: not there.
 */
export type CountLetter = 'I' | 'i' | 'N' | 'n' | 'X' | 'x' | '-';

/** What a device was until a run, in which it became something else. */
export interface PastCountLetter {
  readonly slot: string;
  readonly was: CountLetter;
  /** In this run the machine came from another record. */
  readonly moved?: true | undefined;
}

export interface BaselineDevice {
  readonly facts: DeviceFacts;
  readonly status: Status;
  readonly reason: Reason;
  readonly counted: boolean;
  /** Missing where it is not. */
  readonly proven?: boolean | undefined;
  /** Missing where it is not. */
  readonly stale?: boolean | undefined;
  readonly excludedBecause?: ExcludedBecause | undefined;
  readonly notInstalledSince?: string | undefined;
  /** The slot of its answer, where that is older than the baseline. */
  readonly answeredOn?: string | undefined;
  /** Records of other sources whose place it took; their baselines can be older, and still count the machine. */
  readonly movedFrom?: readonly MovedFrom[] | undefined;
  /** The last 30 that ended, oldest first; the history of a machine is with its newest record alone. */
  readonly past?: readonly PastCountLetter[] | undefined;
  /** The last 20, oldest first. */
  readonly transitions: readonly Transition[];
}

/** What devices of a baseline have in common. */
export type BaselineFields = Omit<BaselineDevice, 'facts'>;

/** No other field: what a later version may have added is not kept, since this one knows nothing of it. */
export function selectBaselineFields(device: BaselineFields): BaselineFields {
  const { status, reason, counted, proven, stale, transitions } = device;
  const { excludedBecause, notInstalledSince, answeredOn, movedFrom, past } = device;
  return {
    status,
    reason,
    counted,
    ...(proven === true && { proven }),
    ...(stale === true && { stale }),
    ...omitUndefined({ excludedBecause, notInstalledSince, answeredOn, movedFrom, past }),
    transitions,
  };
}

export type ListingFigures = Pick<Receipt, 'received' | 'unlisted' | 'overview'>;

/** Where users are left out of the facts: the devices that a `user` row meant on the night of the baseline. */
export interface RememberedExemption {
  readonly row: string;
  readonly ids: readonly string[];
}

/** A source's last picture that was complete, sound and not suspect. */
export interface Baseline {
  readonly slot: string;
  readonly instrument: Instrument;
  /** Rows of the apps' reports. */
  readonly answers?: number;
  /** What its receipt said of devices that the list does not have. */
  readonly listing?: ListingFigures;
  /** Where users are left out of the facts. */
  readonly exemptUsers?: readonly RememberedExemption[];
  readonly devices: readonly BaselineDevice[];
}

export interface DepartedDevice extends BaselineDevice {
  /** The slot of the night that missed it first. */
  readonly leftOn: string;
}

export interface ProvisionalNight {
  readonly slot: string;
  readonly soundness: 'suspect' | 'untrusted';
}

/** What suspect and untrusted nights since the baseline have shown. */
export interface ProvisionalHistory {
  /** Oldest first. */
  readonly nights: readonly ProvisionalNight[];
  /** One letter a night: I Installed, N Not Installed, - not there. Without those that are as the baseline has them. */
  readonly devices: readonly { readonly id: string; readonly shown: string }[];
}

export interface SourceState {
  readonly name: string;
  readonly kind: SourceKindName;
  readonly baseline?: Baseline;
  /** Devices that left a baseline, so that one that comes back keeps its history. */
  readonly departed: readonly DepartedDevice[];
  readonly provisional: ProvisionalHistory;
  readonly instrumentMemory: InstrumentMemory;
}

/** A device that lacked the agent by a run that was retracted, and by no run before it. */
export interface RetractedFinding {
  readonly source: string;
  readonly kind: SourceKindName;
  readonly device: DeviceFacts;
}

/** Runs beyond the limit that are not removed yet, since a person may not have meant it. */
export interface HeldBack {
  /** The slot of the run that held them back first. */
  readonly since: string;
  readonly nights: number;
  /** `retention.nights`. */
  readonly limit: number;
}

export interface State {
  readonly schema: 4;
  readonly slot: string;
  readonly sources: readonly SourceState[];
  /** Slots of the published nights that are kept, oldest first; older ones were removed on purpose. */
  readonly published: readonly string[];
  readonly heldBack?: HeldBack;
  /** Matters that were told and are not over. */
  readonly told?: readonly AlertState[];
  /** Findings that are closed as soon as their source is complete, unless it says the same. */
  readonly retractedFindings?: readonly RetractedFinding[];
  /** The slot of the last weekly reminders. */
  readonly reminded?: string;
  /** The last sound lists of machines; missing where there was none. */
  readonly lists?: Readonly<Partial<Record<ListName, ListMemory>>>;
  /** The last 400 nights, oldest first. */
  readonly history: readonly HistoryEntry[];
}

/** The figures of a run, which history keeps. */
export const coverageFigures = [
  'devices',
  'counted',
  // Not counted for any reason; `exempt` of them by an exemption.
  'excluded',
  'exempt',
  // From here on over counted devices.
  'stale',
  'installed',
  'notInstalled',
  'provenInstalled',
  'provenNotInstalled',
  'lost',
  'recovered',
  // Devices that entered and left the count since the baseline: counted = before + joined − left.
  'joined',
  'left',
] as const;

export type CoverageFigures = Readonly<Record<(typeof coverageFigures)[number], number>>;

/** Figures of the lists; missing where the list says nothing tonight, or the settings name none. */
export const listFigures = [
  // Machines on the list of expected ones, and those of them that no source knows: only of all sources together.
  'expected',
  'enrolledNowhere',
  // From here on over counted devices: not on that list.
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
  /** What each source measured with, where it could be read. */
  readonly instruments?: readonly ({ readonly source: string } & Instrument)[];
}

export const keptTransitions = 20;
/** As many as runs can be compared on the page. */
export const keptCountLetters = 30;
export const keptHistory = 400;
/** Nights for which a device that left is remembered. */
export const keptDeparted = 400;
/** A source remembers as many. The first that left are forgotten first: one that comes back is then a new device. */
export const mostDepartedDevices = 250_000;
