/** A judged night: the one plain result in the middle. Everything before makes it, everything after only reads it. */

import type { AlertEvent } from './alert-event.ts';
import type { Difference } from './difference.ts';
import type {
  Acknowledgement,
  AcknowledgementRow,
  DeviceFacts,
  ExemptionRow,
  Facts,
  OperatingSystem,
  Problem,
  SourceFacts,
  Status,
} from './facts.ts';
import type { DeviceLists, JudgedLists } from './lists.ts';
import type { RulesTable, SourceRules } from './rules.ts';
import type { BaselineDevice, Coverage, State } from './state.ts';
import type {
  ChangeKind,
  DifferenceKind,
  ExcludedBecause,
  ExemptionResult,
  GroupVerdict,
  Reason,
  Soundness,
} from './vocabulary.ts';

/** A record of a source. */
export type DeviceReference = Readonly<Record<'source' | 'id', string>>;

/** What is known of a device before its answer is judged: whether it counts, and which record stands for its machine. */
export interface DeviceStanding {
  readonly rules: SourceRules;
  readonly counted: boolean;
  readonly excludedBecause: ExcludedBecause | undefined;
  /** The newer record of the same machine that took its place, whatever the reason is that is shown. */
  readonly supersededBy: DeviceReference | undefined;
  /** A record of another kind of source says the contrary of the machine, and could be proven. */
  readonly isContradicted: boolean;
  /** Its server could not return it: it is as its baseline has it, or nothing but its id is known. */
  readonly unread: 'kept' | 'blank' | undefined;
  /** Other records that live at once have the same serial number: it tells nothing about where a machine went. */
  readonly sharesSerialNumber: boolean;
}

/** What is concluded from a device. Most of it is the same for thousands of devices, which then share one judgement. */
export interface Judgement extends DeviceStanding {
  readonly status: Status;
  readonly reason: Reason;
  /** Which of the device's answers won; -1 where it has none. */
  readonly answerIndex: number;
  readonly proven: boolean;
  readonly stale: boolean;
  /** The record that took its place was counted in its baseline itself. */
  readonly wasReplacementCounted: boolean;
  /** Measured before the instrument was repaired: no event is raised until it is measured again. */
  readonly isBeforeRepair: boolean;
  /** A slot, read "at least since"; only while Not Installed. */
  readonly notInstalledSince: string | undefined;
  /** The slot whose answer this is; undefined where nobody has ever answered. */
  readonly answeredOn: string | undefined;
  /** A person knows of it: no reminders until then. */
  readonly acknowledgement: Acknowledgement | undefined;
}

/** A device of a run: what its source said, and what is concluded from it. */
export interface JudgedDevice<Known extends DeviceStanding = Judgement> {
  readonly source: string;
  readonly facts: DeviceFacts;
  readonly judgement: Known;
  /** Missing where no list says anything of it. */
  readonly lists?: DeviceLists;
}

export interface BaselineMatch {
  readonly source: string;
  readonly known: BaselineDevice;
  /** The same id as in the baseline; or moved here under a new id; or back under its old id. */
  readonly how: 'same' | 'moved' | 'back';
  /** It had left the picture before, and was reported as removed then. */
  readonly wasAway: boolean;
  /** What was counted under its own old id, where it took another's place; what each of the two was stays with it. */
  readonly ownPast?: BaselineDevice['past'];
}

/** The device of a baseline that a source's device with this id is; undefined where it is new. */
export type FindMatch = (source: string, id: string) => BaselineMatch | undefined;

export interface JudgedAcknowledgement extends AcknowledgementRow {
  /** How many devices the row fits. */
  readonly devices: number;
  /** `expired`: its device is named in reminders again. */
  readonly result: 'active' | 'expired' | 'unmatched' | 'invalid';
}

export interface JudgedSource extends Pick<SourceFacts, 'name' | 'kind' | 'receipt' | 'instrument' | 'findings'> {
  /** What reports print for the source as a whole: the operating system of its devices. */
  readonly operatingSystem: OperatingSystem;
  /** Where people open a device, with `{id}` in place of its id; undefined where the server's address is not known. */
  readonly deviceAddress: string | undefined;
  readonly soundness: Soundness;
  /** True on a source's first complete night. */
  readonly first: boolean;
  /** Why it is not complete, in a sentence. */
  readonly problem: Problem | undefined;
  /** The slot of the baseline that tonight was compared with. */
  readonly baseline: string | undefined;
}

export interface Change<Kind extends DifferenceKind = ChangeKind> {
  readonly source: string;
  readonly operatingSystem: OperatingSystem;
  readonly device: DeviceFacts;
  readonly kind: Kind;
  readonly from: Status | undefined;
  readonly to: Status | undefined;
  readonly reason: Reason | ExcludedBecause;
  /** What it does to the count; `both`: a machine that came from another source joined here and left there. */
  readonly flow: 'joined' | 'left' | 'both' | undefined;
}

export interface GroupMember extends Pick<Change, 'source' | 'operatingSystem'> {
  readonly group: string;
  readonly device: Pick<DeviceFacts, 'id' | 'name'>;
  /** Undefined: not known. */
  readonly inPlatformGroup: boolean | undefined;
  readonly inPicture: boolean;
  readonly verdict: GroupVerdict;
  readonly why: string;
  readonly change: 'joined' | 'stayed' | 'left';
  /** The platform keeps no such group. */
  readonly isOurs?: true;
}

export interface JudgedExemption extends Omit<ExemptionRow, 'devices'> {
  /** How many devices the row fits. */
  readonly devices: number;
  readonly result: ExemptionResult;
}

/** The words of the other reports. */
export type FindingReason = Reason | ExcludedBecause | Extract<ChangeKind, 'moved' | 'removed'>;

export interface EndedFinding extends Pick<Change, 'source' | 'operatingSystem' | 'device'> {
  /** The date of the answer that ended it, or of the last one there was. */
  readonly answeredAt: string | undefined;
  readonly why: FindingReason;
  /** It has the agent. */
  readonly isPassing: boolean;
}

export interface NightFindings {
  /** Keys (`toDeviceKey`) of findings that were open before this run. */
  readonly known: ReadonlySet<string>;
  readonly ended: readonly EndedFinding[];
}

export interface Night extends Pick<Facts, 'slot' | 'moment' | 'muster' | 'agent' | 'policy'> {
  /** Names that people read, by operating system. */
  readonly operatingSystemTitles: RulesTable['operatingSystemTitles'];
  /** A person's word that these sources' tripped breaker was right. */
  readonly accepted: Facts['accepted'];
  readonly notes: NonNullable<Facts['notes']>;
  readonly sources: readonly JudgedSource[];
  /** They are ordered by source, then device id. */
  readonly devices: readonly JudgedDevice[];
  readonly changes: readonly Change[];
  /** Why its figures are not those of the baselines; undefined where a source is not to be compared. */
  readonly difference: Difference | undefined;
  /** They are ordered by source, then device id, then group. */
  readonly groups: readonly GroupMember[];
  /** One a source, then one for all. */
  readonly coverage: readonly Coverage[];
  readonly exemptions: readonly JudgedExemption[];
  readonly acknowledgements: readonly JudgedAcknowledgement[];
  readonly lists: JudgedLists;
  /** A device that lacks the agent has one: those open before, and those that ended in this run. */
  readonly findings: NightFindings;
  /** What is worth telling, in the order of sources and devices. */
  readonly events: readonly AlertEvent[];
  /** What the next night is compared with. */
  readonly state: State;
}
