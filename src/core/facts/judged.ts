/** The judged result of a run, a night: everything before makes this plain object, everything after only reads it. */

import type { AlertEvent } from './alert-event.ts';
import type { Acknowledgement, AcknowledgementRow, ExemptionRow } from './company.ts';
import type { DeviceIdentity, OperatingSystem } from './device-places.ts';
import type { DeviceFacts, Facts, SourceFacts } from './facts.ts';
import type { Entry } from './ledger.ts';
import type { DeviceLists, JudgedLists } from './lists.ts';
import type { RulesTable, SourceRules } from './rules.ts';
import type { Coverage, State } from './state.ts';
import type {
  ChangeKind,
  DifferenceKind,
  ExcludedBecause,
  ExemptionResult,
  GroupVerdict,
  Problem,
  Reason,
  ShareKind,
  Soundness,
  Status,
  UnprovenBecause,
} from './vocabulary.ts';

/** A record of a source. */
export type DeviceReference = Readonly<Record<'source' | 'id', string>>;

/** How a device that its server did not return is shown: `kept` as it was read last, `blank` by its id alone. */
export type Unread = 'kept' | 'blank';

/** The conclusions about a record. Thousands of records share one judgement, since most conclusions are the same for them. */
export interface Judgement {
  readonly rules: SourceRules;
  readonly status: Status;
  readonly reason: Reason;
  /** Index of the deciding answer among the record's answers; -1 where it has none. */
  readonly answerIndex: number;
  /** Undefined where its status is proven. */
  readonly unprovenBecause: UnprovenBecause | undefined;
  readonly stale: boolean;
  /** True where the answer is older than the repair of the instrument: no event is raised until a newer one. */
  readonly isBeforeRepair: boolean;
  readonly unread: Unread | undefined;
  /** True where a record of another kind of source clearly contradicts it about the machine. */
  readonly isContradicted: boolean;
  readonly counted: boolean;
  readonly excludedBecause: ExcludedBecause | undefined;
  /** The machine's standing record, where that is another; undefined where it is this one. */
  readonly supersededBy: DeviceReference | undefined;
  /** A slot, read "at least since"; only while Not Installed. */
  readonly notInstalledSince: string | undefined;
  /** The slot whose answer this is; undefined where it has never been answered. */
  readonly answeredOn: string | undefined;
  /** A person's acknowledgement, while it holds: the machine is not named in reminders. */
  readonly acknowledgement: Acknowledgement | undefined;
}

/** A row for readers: a record of a run with the conclusions about it. */
export interface JudgedDevice {
  readonly source: string;
  readonly facts: DeviceFacts;
  readonly judgement: Judgement;
  /** The name of its machine in the ledger. */
  readonly machine: string;
  /** Missing where no list says anything about it. */
  readonly lists?: DeviceLists;
}

/** Reasons why a machine that lacks the agent gets no alert in a run, in words that follow a count. */
export const alertHolds = {
  grace: 'enrolled less than policy.graceHours ago',
  repair: 'answered before the repair',
  'older-answer': 'answered before the record that counted until now',
  unreadable: 'not read in this run',
  source: 'of a source that is not sound',
  'first-run': 'of a source’s first run',
  flapping: 'changing all the time, which is an alert of its own',
  canary: 'kept so on purpose (a canary)',
  open: 'with an alert that was open before',
} as const;

export type AlertHold = keyof typeof alertHolds;

/** Changes of a run that open no alert in it. */
export interface LaterAlerts {
  readonly kind: 'device.lost' | 'device.new-not-installed';
  readonly why: AlertHold;
  readonly devices: number;
}

/** A machine of a run: its entry before and after, and the row of its standing record. */
export interface JudgedMachine {
  readonly name: string;
  readonly device: JudgedDevice;
  readonly before: Entry | undefined;
  /** The entry after the run; the same as before where it was not updated. */
  readonly after: Entry | undefined;
  /** True where another record stands than before whose last contact is earlier: its answer counts as no change. */
  readonly isOlderAnswer: boolean;
}

/** How far the coverage and its bounds moved, with two decimals. */
export type Points = Readonly<Record<'coverage' | 'low' | 'high', number>>;

export interface DifferenceShare extends Points {
  readonly kind: ShareKind;
  /** Missing in the share that no device explains. */
  readonly devices?: number;
}

export interface Difference extends Points {
  /** The slot of the earlier run; `to` is that of the later one. */
  readonly from: string;
  readonly to: string;
  /** Shares that add up to the points of the whole, largest first. */
  readonly shares: readonly DifferenceShare[];
}

/** An entry whose machine is missing from the run, which marks it as gone. */
export interface GoneMachine {
  readonly before: Entry;
  /** The name of another machine that has one of its records, or its number. */
  readonly takenBy: string | undefined;
}

export interface JudgedAcknowledgement extends AcknowledgementRow {
  /** How many devices the row fits. */
  readonly devices: number;
  /** `expired`: its device is named in reminders again. */
  readonly result: 'active' | 'expired' | 'unmatched' | 'invalid';
}

export interface JudgedSource extends Pick<SourceFacts, 'name' | 'kind' | 'receipt' | 'instrument' | 'findings'> {
  /** Operating system that reports print for the source as a whole. */
  readonly operatingSystem: OperatingSystem;
  /** Address at which people open a device, with `{id}` in place of its id; undefined where the server's address is not known. */
  readonly deviceAddress: string | undefined;
  readonly soundness: Soundness;
  /** True on a source's first complete night. */
  readonly first: boolean;
  /** A sentence that says why it is not complete. */
  readonly problem: Problem | undefined;
  /** The slot of the baseline that the run was compared with. */
  readonly baseline: string | undefined;
}

export interface Change<Kind extends DifferenceKind = ChangeKind> {
  readonly source: string;
  readonly operatingSystem: OperatingSystem;
  /** The machine's standing record, or the last one of a machine that is gone. */
  readonly device: DeviceIdentity;
  readonly kind: Kind;
  readonly from: Status | undefined;
  readonly to: Status | undefined;
  readonly reason: Reason | ExcludedBecause;
  /** Its effect on the count; `both`: a machine that came from another source joined here and left there. */
  readonly flow: 'joined' | 'left' | 'both' | undefined;
}

export interface GroupMember extends Pick<Change, 'source' | 'operatingSystem'> {
  readonly group: string;
  readonly device: Pick<DeviceFacts, 'id'> & { readonly name?: string | undefined };
  /** Undefined where it is not known. */
  readonly inPlatformGroup: boolean | undefined;
  readonly inPicture: boolean;
  readonly verdict: GroupVerdict;
  readonly why: string;
  readonly change: 'joined' | 'stayed' | 'left';
  /** True where the platform keeps no such group. */
  readonly isOurs?: true;
}

export interface JudgedExemption extends ExemptionRow {
  /** How many devices the row fits. */
  readonly devices: number;
  readonly result: ExemptionResult;
}

/** A reason in the words of the other reports. */
export type FindingReason = Reason | ExcludedBecause | Extract<ChangeKind, 'removed'>;

export interface EndedFinding extends Pick<Change, 'source' | 'operatingSystem' | 'device'> {
  /** The name of the machine's entry. */
  readonly machine: string;
  /** The date of the answer that ended it; undefined where there is none. */
  readonly answeredAt: string | undefined;
  readonly why: FindingReason;
  /** True where the machine has the agent. */
  readonly isPassing: boolean;
}

export interface NightFindings {
  /** Names of the machines whose findings were open before this run. */
  readonly known: ReadonlySet<string>;
  readonly ended: readonly EndedFinding[];
}

export interface Night extends Pick<Facts, 'slot' | 'moment' | 'muster' | 'agent' | 'policy'> {
  /** Names that people read, by operating system. */
  readonly operatingSystemTitles: RulesTable['operatingSystemTitles'];
  /** Set when a person accepted the tripped breaker of these sources. */
  readonly accepted: Facts['accepted'];
  readonly notes: NonNullable<Facts['notes']>;
  readonly sources: readonly JudgedSource[];
  /** Ordered by source, then device id. */
  readonly devices: readonly JudgedDevice[];
  readonly changes: readonly Change[];
  /** The explanation why its figures differ from the baselines'; undefined where a source cannot be compared. */
  readonly difference: Difference | undefined;
  /** Ordered by source, then device id, then group. */
  readonly groups: readonly GroupMember[];
  /** One a source, then one for all. */
  readonly coverage: readonly Coverage[];
  readonly exemptions: readonly JudgedExemption[];
  readonly acknowledgements: readonly JudgedAcknowledgement[];
  readonly lists: JudgedLists;
  /** Names of machines that are kept on purpose as they are: no event is raised about them. */
  readonly canaries: ReadonlySet<string>;
  /** Findings open before the run, and those that ended in it: one for each device that lacks the agent. */
  readonly findings: NightFindings;
  /** Notices first, then the events of each rule: those of alerts that hold, then those of alerts that end. */
  readonly events: readonly AlertEvent[];
  /** Changes that get no alert in this run. */
  readonly later: readonly LaterAlerts[];
  /** The state that the next run is compared with. */
  readonly state: State;
}
