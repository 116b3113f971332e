/**
 * Facts: everything that a run reads, as types, before any judgement. They are of three kinds, which are judged apart:
 * platforms, company, and operations.
 *
 * Facts are an allow-list in our own words: they never contain a platform's body, a URL, a script's text or a
 * parameter's value. A missing value is `undefined`, never an empty string, zero or false.
 */

import type { CompanyFacts } from './company.ts';
import type { DeviceIdentity, OperatingSystem } from './device-places.ts';
import type { OperationsFacts } from './operations.ts';
import type { AlertState, InstrumentMemory } from './remembered.ts';
import type { AnswersProof, FindingResult, Problem, Status } from './vocabulary.ts';

/** The name of a kind of source, which decides its rules. A string, so that a new kind does not change the core. */
export type SourceKindName = string;

/** One word that a platform has about the agent on one device. */
export interface Answer {
  /** The word or number exactly as it came, untrimmed. */
  readonly value: string;
  /** Error code and state detail, for people. */
  readonly detail?: string;
  /** The platform's date of the word, ISO 8601 UTC. */
  readonly at?: string;
  /** The id of the app whose report the row is in, where the source asks about several. */
  readonly app?: string;
}

export interface DeviceFacts extends DeviceIdentity {
  /** The device's operating system; a source can list several. */
  readonly operatingSystem: OperatingSystem;
  readonly osVersion?: string;
  readonly model?: string;
  /** Date of the last inventory report, where the platform dates it apart from the contact, ISO 8601 UTC. */
  readonly reportedAt?: string;
  readonly enrolledAt?: string;
  /** The platform's own words in `managementState`, `managementAgent` and `ownership`; the kind's `fields` explains them. */
  readonly managementState?: string;
  readonly managementAgent?: string;
  /** Another service that delivers the device's apps, so that the platform does not ask the device; the kind's rules name it. */
  readonly clientAppsWorkload?: string;
  readonly ownership?: string;
  /** All answers that the platform gave for the device; judgement chooses between them. */
  readonly answers: readonly Answer[];
}

/** A row that a run shows, or that the last whole run of its source showed. */
export interface ShownRow {
  readonly facts: DeviceFacts;
  /** The slot of the run whose answer it is; missing where its server has never returned the device. */
  readonly answeredOn?: string;
  /** True where its server could not return it in that run. */
  readonly unread?: true;
}

/** Rows of a source's last whole run, for a run in which the source, or one of its devices, could not be read. */
export interface CarriedRows {
  /** The slot of that run. */
  readonly slot: string;
  /** Ordered by id: all rows where the source was not whole, otherwise those of its unreadable devices. */
  readonly rows: readonly ShownRow[];
  readonly unlisted?: SourceFacts['unlisted'];
}

/** The reason why a list that can be read in ranges of its dates was read serially. */
export type WhySerially =
  | 'first run'
  | 'few devices'
  | 'dates not known'
  | 'dates alike'
  | 'last run not readable'
  | 'refused'
  | 'pages failed'
  | 'outside its range'
  | 'contradicted'
  | 'too many differences'
  | 'look-up failed'
  | 'missed by both'
  | 'no count'
  | 'count above';

/** The counts by which a source proves its completeness. They count rows of devices unless they say otherwise. */
export interface Receipt {
  /** Devices the platform says it has. */
  readonly claimed?: number;
  /** Distinct devices received. */
  readonly received: number;
  /** Rows of the apps' reports, by the second opinion and as received, where answers come apart from the devices. */
  readonly answersClaimed?: number;
  readonly answersReceived?: number;
  /** The kind of the second opinion on those rows. */
  readonly answersProof?: AnswersProof;
  /** Devices, not rows, that the apps' reports name and the device list does not. */
  readonly unlisted?: number;
  /** Devices by the platform's own overview. */
  readonly overview?: number;
  /** The way the list was read, where it can be read in ranges of its dates. */
  readonly listed?: 'in ranges' | `serially: ${WhySerially}`;
  readonly pages: number;
  readonly walks: number;
  readonly retries: number;
  /** Number of readings of the source: 2 where it was read once more before publishing; missing where once. */
  readonly readings?: number;
  readonly firstId?: string;
  readonly lastId?: string;
  readonly started: string;
  readonly ended: string;
}

/** The result of one deployment check. Checks of the `instrument` decide whether the values mean anything. */
export interface CheckResult {
  readonly check: string;
  readonly result: FindingResult;
  readonly expected: string;
  readonly found: string;
  readonly advice: string;
  readonly instrument: boolean;
  /** True where the subject of the check could not be read, so that another reading may give another result. */
  readonly unread?: true;
}

/** The identity of whatever produces the values, without its content. */
export interface Instrument {
  /** The attribute's definition id, or the apps' ids joined by a comma. */
  readonly id?: string;
  /** SHA-256 over everything that decides the values. */
  readonly fingerprint?: string;
  /** Creation time on the platform, where it reports one: devices whose last contact is earlier were never asked. */
  readonly createdAt?: string;
}

/** The platform's own group, as this run read it. */
export type GroupFacts = { readonly holds: Status; readonly name: string } & GroupReading;

/** The ordered device ids, or the reason why they could not be read. */
export type GroupReading =
  | { readonly members: readonly string[]; readonly problem?: undefined }
  | { readonly members?: undefined; readonly problem: string };

export interface SourceFacts {
  readonly name: string;
  readonly kind: SourceKindName;
  /** The origin at which people work with the platform: scheme, host and port alone. */
  readonly address?: string;
  /** `company` counts only devices that the company owns. */
  readonly population?: 'all' | 'company';
  /** `complete` only when completeness is proved; otherwise `problem` says why. */
  readonly reading: 'complete' | 'incomplete';
  readonly problem?: Problem;
  readonly receipt: Receipt;
  readonly instrument: Instrument;
  readonly findings: readonly CheckResult[];
  readonly groups: readonly GroupFacts[];
  /** Ordered by id, by code point. */
  readonly devices: readonly DeviceFacts[];
  /** Devices of a complete reading that the server lists and could not return, ordered; only their ids are known. */
  readonly unread?: readonly Pick<DeviceFacts, 'id' | 'operatingSystem'>[];
  /** Ids of devices that only the apps' reports name, ordered, so that the next reading knows that they are not new. */
  readonly unlisted?: readonly string[];
  /** Ids of devices that the platform’s list has in several equal rows; ordered. */
  readonly repeated?: readonly string[];
  /** Missing where the source was read whole, and before its first whole run. */
  readonly carried?: CarriedRows;
}

/** A machine that lacks the agent. */
export interface OpenFinding {
  /** The name of its entry. */
  readonly machine: string;
  readonly source: string;
  readonly kind: SourceKindName;
  readonly operatingSystem: OperatingSystem;
  readonly device: DeviceIdentity;
}

/** Facts of the first kind: the answers of the platforms. */
export interface PlatformFacts {
  /** The date that the run was scheduled for, YYYY-MM-DD. */
  readonly slot: string;
  /** The slot's scheduled moment, ISO 8601 UTC; ages are judged at it. */
  readonly moment: string;
  /** Ordered by name, by code point. */
  readonly sources: readonly SourceFacts[];
  /** Readings of each source's instrument in earlier attempts at this slot, also in those that were replaced or not published. */
  readonly earlierReadings?: readonly {
    readonly name: string;
    readonly kind: SourceKindName;
    readonly instrumentMemory: InstrumentMemory;
  }[];
  /** The alerts that are open after an earlier attempt at this slot, or after the run that this one takes back. */
  readonly openAlerts?: readonly AlertState[];
  /** Keys of the notices that an earlier attempt at this slot sent. */
  readonly noticed?: readonly string[];
  /** Findings that were opened by the run that this one takes back. */
  readonly retractedFindings?: readonly OpenFinding[];
}

export interface Facts extends PlatformFacts, CompanyFacts, OperationsFacts {
  readonly schema: 5;
  /** Muster's version. */
  readonly muster: string;
}
