/**
 * The words of the product as types: everything that a run was told, before any judgement. Facts are of three kinds,
 * judged apart: what the platforms said, what the company says, and what happened to runs.
 *
 * Facts are an allow-list in our own words. A platform's body, a URL, a script's text or a parameter's value never
 * gets in here. "Did not say" is `undefined`, never an empty string, zero or false.
 */

import type { CompanyFacts } from './company.ts';
import type { DeviceIdentity, OperatingSystem } from './device-places.ts';
import type { OperationsFacts } from './operations.ts';
import type { AlertState, InstrumentMemory } from './remembered.ts';
import type { AnswersProof, FindingResult, Problem, Status } from './vocabulary.ts';

/** How a source is read and judged: its rules hang on it. A string, so that a third kind leaves the core alone. */
export type SourceKindName = string;

/** One word that a platform holds about the agent on one device. */
export interface Answer {
  /** The word or number exactly as it came, untrimmed. */
  readonly value: string;
  /** Error code and state detail, for people. */
  readonly detail?: string;
  /** ISO 8601 UTC, when the platform says the word was taken. */
  readonly at?: string;
  /** The id of the app whose report the row is in, where the source asks about several. */
  readonly app?: string;
}

export interface DeviceFacts extends DeviceIdentity {
  /** The device's operating system; a source can list several. */
  readonly operatingSystem: OperatingSystem;
  readonly osVersion?: string;
  readonly model?: string;
  /** Last inventory report, where the platform dates it apart from the contact, ISO 8601 UTC. */
  readonly reportedAt?: string;
  readonly enrolledAt?: string;
  /** The platform's own word, as `managementAgent` and `ownership`; what it means is in the kind's `fields`. */
  readonly managementState?: string;
  readonly managementAgent?: string;
  /** Another service that delivers the device's apps, so that the platform asks it nothing; the kind's rules name it. */
  readonly clientAppsWorkload?: string;
  readonly ownership?: string;
  /** Every answer the platform gave for the device; choosing between them is judgement. */
  readonly answers: readonly Answer[];
}

/** A row that a run shows, or that the last whole run of its source showed. */
export interface ShownRow {
  readonly facts: DeviceFacts;
  /** The slot of the run whose answer it is; missing where its server has never returned the device. */
  readonly answeredOn?: string;
  /** Its server could not return it in that run. */
  readonly unread?: true;
}

/** Rows of a source's last whole run, for a run in which the source, or a device of it, could not be read. */
export interface CarriedRows {
  /** The slot of that run. */
  readonly slot: string;
  /** Ordered by id: all rows where the source was not whole, otherwise those of its unreadable devices. */
  readonly rows: readonly ShownRow[];
  readonly unlisted?: SourceFacts['unlisted'];
}

/** Why a list that can be read in ranges of its dates was not. */
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

/** What a source proved about its completeness. Counts are rows of devices unless they say otherwise. */
export interface Receipt {
  /** Devices the platform says it has. */
  readonly claimed?: number;
  /** Distinct devices received. */
  readonly received: number;
  /** Rows of the apps' reports, received and by the second opinion, where answers come apart from the devices. */
  readonly answersClaimed?: number;
  readonly answersReceived?: number;
  /** What the second opinion was. */
  readonly answersProof?: AnswersProof;
  /** Devices, not rows, that the apps' reports name and the device list does not. */
  readonly unlisted?: number;
  /** Devices by the platform's own overview. */
  readonly overview?: number;
  /** How the list was read, where it can be read in ranges of its dates. */
  readonly listed?: 'in ranges' | `serially: ${WhySerially}`;
  readonly pages: number;
  readonly walks: number;
  readonly retries: number;
  /** How often the source was read: 2 where it was asked once more before publishing; missing where once. */
  readonly readings?: number;
  readonly firstId?: string;
  readonly lastId?: string;
  readonly started: string;
  readonly ended: string;
}

/** The result of one deployment check. `instrument` findings decide whether the values mean anything. */
export interface CheckResult {
  readonly check: string;
  readonly result: FindingResult;
  readonly expected: string;
  readonly found: string;
  readonly advice: string;
  readonly instrument: boolean;
  /** What the check looks at could not be read: reading it again may give another result. */
  readonly unread?: true;
}

/** What produces the values: identity only, never content. */
export interface Instrument {
  /** The attribute's definition id, or the apps' ids joined by a comma. */
  readonly id?: string;
  /** SHA-256 of what decides the values. */
  readonly fingerprint?: string;
  /** Since when the platform has had it, where it says so: devices that were last in contact before were never asked. */
  readonly createdAt?: string;
}

/** The platform's own group, as this run read it. */
export type GroupFacts = { readonly holds: Status; readonly name: string } & GroupReading;

/** The device ids, ordered, or why they could not be read. */
export type GroupReading =
  | { readonly members: readonly string[]; readonly problem?: undefined }
  | { readonly members?: undefined; readonly problem: string };

export interface SourceFacts {
  readonly name: string;
  readonly kind: SourceKindName;
  /** The origin at which people work with the platform: scheme, host and port, nothing else of a URL. */
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
  /** Devices of a complete reading that the server lists and could not return, each known by its id alone; ordered. */
  readonly unread?: readonly Pick<DeviceFacts, 'id' | 'operatingSystem'>[];
  /** Ids of devices that only the apps' reports name, ordered: the next reading knows then that they are not new. */
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

/** What the platforms said. */
export interface PlatformFacts {
  /** The date that the run was scheduled for, YYYY-MM-DD. */
  readonly slot: string;
  /** The slot's scheduled moment, ISO 8601 UTC; ages are judged at it. */
  readonly moment: string;
  /** Ordered by name, by code point. */
  readonly sources: readonly SourceFacts[];
  /** How earlier attempts at this slot read each source's instrument, also where they were replaced or not published. */
  readonly earlierReadings?: readonly {
    readonly name: string;
    readonly kind: SourceKindName;
    readonly instrumentMemory: InstrumentMemory;
  }[];
  /** The alerts that are open after an earlier attempt at this slot, or after the run that this one takes back. */
  readonly openAlerts?: readonly AlertState[];
  /** Keys of the notices that an earlier attempt at this slot sent. */
  readonly noticed?: readonly string[];
  /** Findings that a run has open which this one takes back, and the run before it had not. */
  readonly retractedFindings?: readonly OpenFinding[];
}

export interface Facts extends PlatformFacts, CompanyFacts, OperationsFacts {
  readonly schema: 5;
  /** Muster's version. */
  readonly muster: string;
}
