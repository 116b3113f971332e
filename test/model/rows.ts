/** The shapes of the slow model: what it says about a night, in the words of the tables. */
import type { DeviceFacts, Facts, SourceFacts } from '../../src/core/facts/facts.ts';

export interface Row {
  source: string;
  kind: string;
  platform: string;
  facts: DeviceFacts;
  status: 'Installed' | 'Not Installed';
  reason: string;
  value: string | undefined;
  detail: string | undefined;
  valueAt: string | undefined;
  stale: boolean;
  /** Apart from the instrument: the table allows it, not stale, not contradicted. */
  isClear: boolean;
  proven: boolean;
  excludedBecause: string | undefined;
  /** It has a newer record of the same machine, whatever reason comes before that. */
  isSuperseded: boolean;
  since: string | undefined;
  /** Tonight's server could not return it. */
  isUnread: boolean;
  /** Undefined where nobody has ever answered: unread, and not in the baseline. */
  answeredOn: string | undefined;
  /** What the lists say; undefined: nothing. */
  isExpected?: boolean | undefined;
  reportingAt?: string | undefined;
  silent?: boolean | undefined;
  isContradicted?: boolean | undefined;
}

export interface ChangeRow {
  source: string;
  id: string;
  kind: string;
  from: string | undefined;
  to: string | undefined;
  reason: string;
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
  first: boolean;
  /** The slot of the baseline that tonight was compared with. */
  baseline: string | undefined;
}

export interface ExemptionResultRow {
  result: string;
  devices: number;
}

/** A counted record whose machine went on in another source. */
export interface Move {
  from: Row;
  to: string;
}

export interface ListNight {
  soundness: string;
  machines: number;
}

export interface ListsNight {
  expected?: ListNight & { expected: number; unenrolled?: string[] };
  reporting?: ListNight;
}

export interface ModelNight {
  lists: ListsNight;
  facts: Facts;
  sources: SourceNight[];
  rows: Row[];
  changes: ChangeRow[];
  /** How many machines explain a difference of the figures, by reason; undefined where they are not compared. */
  reasons: Record<string, number> | undefined;
  /** In the baselines. */
  countedBefore: number;
  moves: Move[];
  groups: GroupRow[];
  coverage: CoverageRow[];
  exemptions: ExemptionResultRow[];
}

/** Everything the model remembers: the attempts of each earlier slot, oldest first; the last one was published. */
export type Past = readonly (readonly ModelNight[])[];

export const day = 86_400_000;

export function isCounted(row: Row): boolean {
  return row.excludedBecause === undefined;
}

/** It answered in full, or but for a few devices. */
export function isWhole({ soundness }: Pick<SourceNight, 'soundness'>): boolean {
  return soundness === 'complete' || soundness === 'partial';
}

/** Nothing is known of it but its id. */
export function isBlank(row: Row): boolean {
  return row.answeredOn === undefined;
}

/** Milliseconds, or undefined when the date is not known. */
export function readTime(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(text);
}

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
