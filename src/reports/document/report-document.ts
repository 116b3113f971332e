/** `report.json`, version 1, from which the page and the workbook's summary are made. Described in docs/report.md. */

import type { DefinedFields } from '../../base/omit-undefined.ts';
import type { Difference } from '../../core/facts/difference.ts';
import type { Acknowledgement, Answer, Facts, Note, OperatingSystem, Policy, Status } from '../../core/facts/facts.ts';
import type {
  Change,
  DeviceReference,
  GroupMember,
  JudgedAcknowledgement,
  JudgedExemption,
  JudgedSource,
} from '../../core/facts/judged.ts';
import type { JudgedLists } from '../../core/facts/lists.ts';
import type { Coverage, Transition } from '../../core/facts/state.ts';
import type { ExcludedBecause } from '../../core/facts/vocabulary.ts';
import type { DeviceFieldValues } from '../fields.ts';
import type { BreakdownRow } from './coverage-by.ts';

export interface ReportDocument {
  readonly schema: 1;
  readonly kind: 'muster-report';
  /** Muster's version. */
  readonly muster: string;
  readonly agent: string;
  readonly slot: string;
  readonly moment: string;
  readonly policy: Policy;
  /** Names that people read, by platform. */
  readonly platformTitles: Readonly<Record<string, string>>;
  readonly accepted?: Facts['accepted'];
  /** The rows of coverage.csv: one for each source, then one for all. */
  readonly coverage: readonly Figures[];
  /** The rows of coverage-by.csv. */
  readonly coverageBy: readonly BreakdownReport[];
  readonly sources: readonly SourceReport[];
  /** One for all, then one for each platform. */
  readonly trend: readonly Trend[];
  /** The days of the trend, oldest first. */
  readonly notes: readonly Note[];
  /** When the low figure reaches `policy.minimumCoverage`, where the last 14 sound runs say so. */
  readonly forecast?: Forecast;
  /** How many of the devices that need action have been missing for at least so many days. */
  readonly openFor: readonly OpenFor[];
  readonly exemptions: readonly JudgedExemption[];
  /** The rows of the acknowledgements file; missing where there are none. */
  readonly acknowledgements?: readonly JudgedAcknowledgement[];
  /** What the lists of machines say; missing where the settings name none. */
  readonly lists?: DefinedFields<JudgedLists>;
  readonly groups: readonly GroupReport[];
  /** The rows of changes.csv. */
  readonly changes: readonly ChangeReport[];
  /** Why coverage is not that of the baselines, in points; absent where a source cannot be compared with one. */
  readonly difference?: Difference;
  /** Every device's transitions of the last 30 runs after the first of them, oldest first; `to` is absent of one that left. */
  readonly transitions: readonly TransitionReport[];
  /** Devices that need action, have an old answer, are not counted, changed, or are in a group's differences. */
  readonly devices: readonly ReportedDevice[];
}

/** Percentages have two decimals and are absent when nothing is counted. */
export interface IntervalFigures {
  readonly coverage?: number;
  readonly low?: number;
  readonly high?: number;
}

export interface Figures extends Omit<Coverage, 'operatingSystem'>, IntervalFigures {
  /** Have the agent and report; absent where no list of machines that report says so. */
  readonly reportingInterval?: IntervalFigures;
  readonly platform: Coverage['operatingSystem'];
}

export interface BreakdownReport extends BreakdownRow, IntervalFigures {}

export interface SourceReport extends DefinedFields<Omit<JudgedSource, 'operatingSystem' | 'instrument'>> {
  readonly platform: OperatingSystem;
  readonly instrument: InstrumentReport;
  readonly values: ValuesReport;
  readonly ages: readonly AgeBucket[];
  readonly notCounted: readonly { readonly because: ExcludedBecause; readonly devices: number }[];
}

export interface InstrumentReport {
  readonly id?: string;
  readonly fingerprint?: string;
  /** Since when the platform has had it, where it says so. */
  readonly createdAt?: string;
  /** The first run, without a change up to this one, that had this instrument. */
  readonly since?: string;
  /** True when an earlier run in history had another; false: none is known. */
  readonly changed: boolean;
  /** When it was first seen sound again, where it had been another or a wrong one; values taken before are not its own. */
  readonly repairedAt?: string;
}

/** The devices that have a value: how many, the newest and oldest by the date that judges their age, and how many have the current instrument. */
export interface ValuesReport {
  readonly count: number;
  readonly newest?: string;
  readonly oldest?: string;
  /** Values of the current instrument, as far as history shows. */
  readonly byPresentInstrument: number;
}

/** Counted devices whose value (by the date that judges its age), and whose last contact, is at most this many days old at the run's moment. */
export interface AgeBucket {
  /** Absent in the last bucket: date not known. */
  readonly upToDays?: number;
  readonly values: number;
  readonly contacts: number;
}

export interface Forecast {
  /** Percent. */
  readonly target: number;
  readonly on: string;
}

export interface OpenFor {
  readonly days: number;
  readonly devices: number;
}

export interface Trend {
  readonly platform: OperatingSystem;
  /** Oldest first, at most 90 days back. A run that is not listed was not published. */
  readonly nights: readonly TrendNight[];
}

type TrendFigure = 'soundness' | 'counted' | 'notInstalled' | 'provenInstalled' | 'provenNotInstalled';

export interface TrendNight extends IntervalFigures, Pick<Coverage, TrendFigure> {
  readonly slot: string;
  /** Percent of the counted devices that have it and report; absent where no list says so. */
  readonly reporting?: number;
  /** Sources whose instrument differs from the last one known. */
  readonly instrumentChanged: readonly string[];
}

export interface GroupReport {
  readonly source: string;
  readonly platform: OperatingSystem;
  readonly group: string;
  /** False where only Muster has the group; absent where the platform's group could not be read. */
  readonly onPlatform?: boolean;
  /** Why it could not be read. */
  readonly problem?: string;
  /** Devices that belong to the group by their status. */
  readonly members: number;
  readonly joined: number;
  readonly left: number;
  readonly missing: number;
  readonly unexpected: number;
  readonly outside: number;
  readonly unknown: number;
  /** Who joined or left, and where the platform's group differs; groups.csv has every member. */
  readonly rows: readonly GroupRow[];
}

export type GroupRow = NamedDevice &
  DefinedFields<Pick<GroupMember, 'inPlatformGroup' | 'inPicture' | 'verdict' | 'why' | 'change'>>;

/** What a row says of a device that it names. */
export type NamedDevice = Pick<ReportedDevice, 'id' | 'name'>;

export interface TransitionReport extends Omit<Transition, 'to'>, NamedDevice {
  readonly source: string;
  readonly to?: Status;
}

export type ChangeReport = Pick<ReportedDevice, 'source' | 'platform' | 'id' | 'name' | 'serialNumber'> &
  DefinedFields<Pick<Change, 'from' | 'to' | 'reason'>> & { readonly change: Change['kind'] };

/** A device as readers get it: its known fields of `reports/fields.ts`, and values that have no column of their own. */
export type ReportedDevice = DefinedFields<DeviceFieldValues> & {
  /** The newer record of the same machine, where this one is superseded. */
  readonly replacedBy?: DeviceReference;
  /** Another kind of source says the contrary of the same machine, with proof. */
  readonly contradicted?: true;
  /** The agent’s console has seen it lately, and its platform says Not Installed. */
  readonly contradictedByConsole?: true;
  /** A person knows of it: no reminders until then. */
  readonly acknowledged?: Acknowledgement;
  /** Every answer, where the platform gave more than one. */
  readonly answers?: readonly Answer[];
  /** The last 20, oldest first. */
  readonly transitions: readonly Transition[];
};
