/** The shapes of the slow model: what it says about a run, in the words of the tables. */
import type { DeviceFacts, Facts, SourceFacts } from '../../src/core/facts/facts.ts';
import type { Status } from '../../src/core/facts/vocabulary.ts';
import type { InstrumentPast } from './instrument.ts';

/** One row of one source about one device. */
export interface Row {
  source: string;
  kind: string;
  platform: string;
  facts: DeviceFacts;
  status: Status;
  reason: string;
  value: string | undefined;
  detail: string | undefined;
  valueAt: string | undefined;
  stale: boolean;
  /** The reason that its answer gives, also where the device is unread. */
  answerReason: string;
  /** The table allows the last answer to be proven. */
  canBeProven: boolean;
  /** Another row of the same device speaks against the answer. */
  isDoubted: boolean;
  /** The answer's own date is too old. */
  isTooOld: boolean;
  /** All that speaks against its proof, in any order: words of `unproven_because`. */
  against: string[];
  excludedBecause: string | undefined;
  since: string | undefined;
  /** Its server could not return it. */
  isUnread: boolean;
  /** Undefined where nobody has ever answered: only the id is known. */
  answeredOn: string | undefined;
  /** From the lists; undefined where they say nothing. */
  isExpected?: boolean | undefined;
  reportingAt?: string | undefined;
  silent?: boolean | undefined;
  isContradicted?: boolean | undefined;
  /** The platform's own, or the list's where the platform has none. */
  site?: string | undefined;
  department?: string | undefined;
}

/** The records that are one device in a run. */
export interface Machine {
  records: readonly Row[];
  /** The record that stands for it. */
  standing: Row;
  /** Operating system and real serial number; undefined where that is not real. */
  number: string | undefined;
  /** Several machines have the number. */
  isShared: boolean;
  /** Records whose clear and recent answers disagree; empty where there are none. */
  disagreeing: readonly Row[];
}

/** Since a slot the machine is what the letter says. */
export type HistoryItem = readonly [since: string, letter: string];

/** What runs leave of a machine. */
export interface Entry {
  name: string;
  /** `source/id` of each record on the night on which it last moved on. */
  records: readonly string[];
  number: string | undefined;
  /** The record that stands, as its row was on that night. */
  standing: Row;
  counted: boolean;
  status: Status;
  proven: boolean;
  since: string | undefined;
  history: readonly HistoryItem[];
  listedOn: string;
  isGone: boolean;
  /** It became counted and Not Installed on its source’s first night. */
  isQuiet: boolean;
}

/** An entry before and after the run; a machine that no entry fits has none before. */
export interface Transition {
  machine: Machine | undefined;
  before: Entry | undefined;
  after: Entry | undefined;
  /** It moved on, or it is gone now. */
  isWritten: boolean;
  /** Its row of the changes is printed. */
  isShown: boolean;
  /** Of an entry that is gone: the machine that has its record or its number. */
  takenBy: Machine | undefined;
}

export interface ChangeRow {
  source: string;
  id: string;
  kind: string;
  from: string | undefined;
  to: string | undefined;
  reason: string;
  /** Site, department, building and category. */
  places: readonly (string | undefined)[];
}

export interface GroupRow {
  source: string;
  group: string;
  id: string;
  inPlatformGroup: boolean | undefined;
  inPicture: boolean;
  verdict: string;
  change: string;
}

export interface CoverageRow {
  source: string;
  soundness: string;
  devices: number;
  counted: number;
  excluded: number;
  exempt: number;
  stale: number;
  installed: number;
  notInstalled: number;
  provenInstalled: number;
  provenNotInstalled: number;
  lost: number;
  recovered: number;
  joined: number;
  left: number;
  expected?: number;
  enrolledNowhere?: number;
  notExpected?: number;
  silent?: number;
  reporting?: number;
  provenReporting?: number;
}

export interface SourceNight {
  facts: SourceFacts;
  soundness: 'missing' | 'carried' | 'untrusted' | 'suspect' | 'partial' | 'complete';
  /** It has no baseline yet. */
  first: boolean;
  /** The slot of the baseline. */
  baseline: string | undefined;
}

export interface ExemptionResultRow {
  result: string;
  devices: number;
}

export interface ListNight {
  soundness: string;
  machines: number;
}

export interface ListsNight {
  expected?: ListNight & { expected: number; unenrolled?: string[] };
  reporting?: ListNight;
}

/** An alert about a device, under the name of its entry. */
export interface Alert {
  name: string;
  kind: string;
  /** The slot whose run opened it. */
  since: string;
}

export interface AlertsNight {
  open: Alert[];
  opened: Alert[];
  /** `takenBy` is the name of the entry whose machine took this one. */
  ended: { name: string; kind: string; takenBy: string | undefined }[];
  /** Sources whose first night this is, each with how many machines with an entry came Installed and are not. */
  baselines: { source: string; cameInstalled: number }[];
  /** Sources whose first night this attempt or an earlier one at the slot has reported. */
  notifiedBaselines: string[];
}

export interface ModelNight {
  facts: Facts;
  isPublished: boolean;
  sources: SourceNight[];
  rows: Row[];
  machines: Machine[];
  transitions: Transition[];
  ledger: Entry[];
  /** The last night on which two records of a number lived at once, by number. */
  sharedOn: Record<string, string>;
  /** Records that share a number, of each number. */
  sharing: (readonly Row[])[];
  /** Records of each machine whose answers disagree. */
  contradicting: (readonly Row[])[];
  changes: ChangeRow[];
  /** How many machines explain a difference of the figures, by reason; undefined where they are not compared. */
  reasons: Record<string, number> | undefined;
  countedBefore: number;
  groups: GroupRow[];
  lists: ListsNight;
  coverage: CoverageRow[];
  exemptions: ExemptionResultRow[];
  alerts: AlertsNight;
  /** What is known of each source's instrument, by source. */
  instruments: ReadonlyMap<string, InstrumentPast>;
}

/** The attempts at one slot, in order. */
export type Slot = readonly ModelNight[];

/** Everything the model remembers, oldest first. */
export type Past = readonly Slot[];

export const day = 86_400_000;

/** The attempt that counts. */
export function findPublished(slot: Slot): ModelNight | undefined {
  return slot.findLast(({ isPublished }) => isPublished);
}

/** What each slot published, oldest first. */
export function listPublished(past: Past): ModelNight[] {
  return past.flatMap((slot) => findPublished(slot) ?? []);
}

export function toKey({ source, facts }: Pick<Row, 'source' | 'facts'>): string {
  return `${source}/${facts.id}`;
}

export function isCounted(row: Row): boolean {
  return row.excludedBecause === undefined;
}

/** It answered in full, or but for a few devices. */
export function isWhole({ soundness }: Pick<SourceNight, 'soundness'>): boolean {
  return soundness === 'complete' || soundness === 'partial';
}

/** Its rows are those of this run. */
export function isAnswered({ soundness }: Pick<SourceNight, 'soundness'>): boolean {
  return soundness !== 'missing' && soundness !== 'carried';
}

export function findSource(sources: readonly SourceNight[], name: string): SourceNight | undefined {
  return sources.find(({ facts }) => facts.name === name);
}

/** Nothing is known of it but its id. */
export function isBlank(row: Row): boolean {
  return row.answeredOn === undefined;
}

export function countDays(earlier: string, later: string): number {
  return (Date.parse(later) - Date.parse(earlier)) / day;
}

/** Milliseconds, or undefined when the date is not known. */
export function readTime(date: string | undefined): number | undefined {
  const time = date === undefined ? Number.NaN : Date.parse(date);
  return Number.isNaN(time) ? undefined : time;
}

/** By code point. */
export function compareText(left: string, right: string): number {
  const a = [...left].map((character) => character.codePointAt(0) ?? 0);
  const b = [...right].map((character) => character.codePointAt(0) ?? 0);
  for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) {
      return difference;
    }
  }
  return a.length - b.length;
}
