/** A judged night: the one plain result in the middle. Everything before makes it, everything after only reads it. */

import type { AlertEvent } from './alerts/alert-event.ts';
import type {
  Acknowledgement,
  AcknowledgementRow,
  DeviceFacts,
  Facts,
  Finding,
  Instrument,
  Platform,
  Policy,
  Problem,
  Receipt,
  SourceKindName,
  Status,
} from './facts.ts';
import type { Coverage } from './figures.ts';
import type { BaselineMatch } from './match-devices.ts';
import type { RulesTable } from './rules.ts';
import type { State } from './state.ts';
import type { ChangeKind, ExcludedBecause, ExemptionResult, GroupVerdict, Reason, Soundness } from './vocabulary.ts';

export interface JudgedDevice {
  readonly source: string;
  readonly platform: Platform;
  readonly facts: DeviceFacts;
  readonly status: Status;
  readonly reason: Reason;
  /** The winning answer's raw word, detail and date. */
  readonly value: string | undefined;
  readonly detail: string | undefined;
  readonly valueAt: string | undefined;
  /** The time by which the age of its answer is judged, in milliseconds since 1970; undefined where it is not known. */
  readonly ageTime: number | undefined;
  readonly proven: boolean;
  readonly stale: boolean;
  readonly counted: boolean;
  readonly excludedBecause: ExcludedBecause | undefined;
  /** The newer record of the same machine, and whether that one was counted in its baseline itself. */
  readonly supersededBy: { readonly source: string; readonly id: string; readonly wasCounted: boolean } | undefined;
  /** Measured before the instrument was repaired: no event is raised until it is measured again. */
  readonly isBeforeRepair: boolean;
  /** A slot, read "at least since"; only while Not Installed. */
  readonly notInstalledSince: string | undefined;
  /** The slot whose answer this is. */
  readonly answeredOn: string;
  /** A person knows of it: no reminders until then. */
  readonly acknowledgement?: Acknowledgement | undefined;
}

/** Only while a night is judged: the baselines would otherwise be in memory as long as the night is. */
export interface MatchedDevice extends JudgedDevice {
  /** The device of a baseline that it is. */
  readonly match: BaselineMatch | undefined;
}

export interface JudgedAcknowledgement extends AcknowledgementRow {
  /** How many devices the row fits. */
  readonly devices: number;
  /** `expired`: its device is named in reminders again. */
  readonly result: 'active' | 'expired' | 'unmatched' | 'invalid';
}

export interface JudgedSource {
  readonly name: string;
  readonly kind: SourceKindName;
  /** What reports print for the source as a whole: the operating system of its devices. */
  readonly platform: Platform;
  /** Where people open a device, with `{id}` in place of its id; undefined where the server's address is not known. */
  readonly deviceAddress: string | undefined;
  readonly soundness: Soundness;
  /** True on a source's first complete night. */
  readonly first: boolean;
  /** Why it is not complete, in a sentence. */
  readonly problem: Problem | undefined;
  readonly receipt: Receipt;
  readonly instrument: Instrument;
  readonly findings: readonly Finding[];
  /** The slot of the baseline that tonight was compared with. */
  readonly baseline: string | undefined;
}

export interface Change {
  readonly source: string;
  readonly platform: Platform;
  readonly device: DeviceFacts;
  readonly kind: ChangeKind;
  readonly from: Status | undefined;
  readonly to: Status | undefined;
  readonly reason: Reason | ExcludedBecause;
  /** What it does to the count; `both`: a machine that came from another source joined here and left there. */
  readonly flow: 'joined' | 'left' | 'both' | undefined;
}

export interface GroupMember {
  readonly source: string;
  readonly platform: Platform;
  readonly group: string;
  readonly device: Pick<DeviceFacts, 'id' | 'name'>;
  /** Undefined: not known. */
  readonly inPlatformGroup: boolean | undefined;
  readonly inPicture: boolean;
  readonly verdict: GroupVerdict;
  readonly why: string;
  readonly change: 'joined' | 'stayed' | 'left';
}

export interface JudgedExemption {
  readonly match: string;
  readonly value: string;
  readonly source: string;
  readonly reason: string;
  readonly owner: string;
  readonly expires: string;
  /** How many devices the row fits. */
  readonly devices: number;
  readonly result: ExemptionResult;
}

/** The words of the other reports. */
export type FindingReason = Reason | ExcludedBecause | Extract<ChangeKind, 'moved' | 'removed'>;

export interface EndedFinding {
  readonly source: string;
  readonly platform: Platform;
  readonly device: DeviceFacts;
  /** The date of the answer that ended it, or of the last one there was. */
  readonly answeredAt: string | undefined;
  readonly why: FindingReason;
  /** It has the agent. */
  readonly isPassing: boolean;
}

export interface NightFindings {
  /** By `toDeviceKey`: open before this run. */
  readonly known: ReadonlySet<string>;
  readonly ended: readonly EndedFinding[];
}

export interface Night {
  readonly slot: string;
  readonly moment: string;
  readonly muster: string;
  readonly agent: string;
  /** Names that people read, by platform. */
  readonly platformTitles: RulesTable['platformTitles'];
  /** What it was judged by. */
  readonly policy: Policy;
  /** A person's word that these sources' tripped breaker was right. */
  readonly accepted: Facts['accepted'];
  readonly notes: NonNullable<Facts['notes']>;
  readonly sources: readonly JudgedSource[];
  /** By source, then device id. */
  readonly devices: readonly JudgedDevice[];
  readonly changes: readonly Change[];
  /** By source, then device id, then group. */
  readonly groups: Iterable<GroupMember>;
  /** One a source, then one for all. */
  readonly coverage: readonly Coverage[];
  readonly exemptions: readonly JudgedExemption[];
  readonly acknowledgements: readonly JudgedAcknowledgement[];
  /** Of devices that lack the agent: open before, and ended in this run. */
  readonly findings: NightFindings;
  /** What is worth telling, in the order of sources and devices. */
  readonly events: readonly AlertEvent[];
  /** What the next night is compared with. */
  readonly state: State;
}
