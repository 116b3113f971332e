/** The record that stands for a machine: one of each kind, then one of all kinds. The others are listed and not counted. */

import type { Policy } from '../facts/company.ts';
import type { PlatformFacts } from '../facts/facts.ts';
import type { ExcludedBecause } from '../facts/vocabulary.ts';
import { isOlderThan, readAgeTime } from '../record/ages.ts';
import type { JudgedRecord } from '../record/judge-record.ts';
import { compareCodePoints, compareIds } from '../text/order.ts';
import { millisecondsPerDay, parseTime } from '../time/calendar.ts';

export interface StandingContext extends Pick<PlatformFacts, 'moment'>, Pick<Policy, 'staleAfterDays'> {
  /** Whether the record stood for a machine when the ledger's entry of it moved on last. */
  readonly stoodBefore: (record: JudgedRecord) => boolean;
}

export interface ChosenRecord {
  /** The record that is counted for the machine, if any is. */
  readonly standing: JudgedRecord;
  /** Records of several kinds whose clear, recent answers contradict each other, the one that stands first; if any do. */
  readonly contradicting: readonly JudgedRecord[] | undefined;
}

/** Days by which another record must have been heard from later than the one that stands, to take its place. */
const daysToReplace = { sameKind: 1, otherKind: 7 } as const;

export function chooseStandingRecord(records: readonly JudgedRecord[], context: StandingContext): ChosenRecord {
  const [only] = records;
  if (only !== undefined && records.length === 1) {
    return { standing: only, contradicting: undefined };
  }
  const clear = chooseOfEachKind(records, context).filter(isClearAndRecent);
  const isContrary = clear.some(({ answer }) => answer.status !== clear[0]?.answer.status);
  const candidates = selectCandidates(records, context);
  const standing = chooseOfKinds(chooseOfEachKind(candidates, context), context);
  if (!isContrary) {
    return { standing, contradicting: undefined };
  }
  const others = clear.filter((record) => record !== standing);
  return { standing, contradicting: clear.includes(standing) ? [standing, ...others] : others };
}

/** Where none of them was read, the record that stood goes on to stand: time alone changes nothing about the machine. */
function selectCandidates(records: readonly JudgedRecord[], { stoodBefore }: StandingContext): readonly JudgedRecord[] {
  const stood = records.some(({ isRead }) => isRead) ? [] : records.filter(stoodBefore);
  return stood.length > 0 ? stood : records;
}

function chooseOfEachKind(records: readonly JudgedRecord[], context: StandingContext): JudgedRecord[] {
  return [...Map.groupBy(records, ({ rules }) => rules.kind).values()].map((ofKind) => chooseOfKind(ofKind, context));
}

/** Reasons of its own for which a record gives way to any other of its kind. */
const yielding: ReadonlySet<ExcludedBecause | undefined> = new Set(['unmanaged', 'retiring', 'not-manageable']);

/** The newest; but one that stood gives way only to one that was heard from more than a day later. */
function chooseOfKind(records: readonly JudgedRecord[], context: StandingContext): JudgedRecord {
  const { moment, staleAfterDays, stoodBefore } = context;
  const live = records.filter(
    ({ exclusion, facts }) =>
      !yielding.has(exclusion) && !isOlderThan(parseTime(facts.lastSeenAt), moment, staleAfterDays),
  );
  const candidates = live.length > 0 ? live : records;
  const newest = findNewest(candidates);
  const stood = candidates.filter(stoodBefore);
  if (stood.length === 0) {
    return newest;
  }
  const incumbent = findNewest(stood);
  return isHeardLater(newest, incumbent, daysToReplace.sameKind) ? newest : incumbent;
}

/** The best of them; then one that stood, unless another was heard from more than a week later; then the newest. */
function chooseOfKinds(records: readonly JudgedRecord[], { stoodBefore }: StandingContext): JudgedRecord {
  const rank = (record: JudgedRecord) => (record.exclusion === undefined ? 2 : 0) + (isClearAndRecent(record) ? 1 : 0);
  const best = Math.max(...records.map(rank));
  const tied = records.filter((record) => rank(record) === best);
  const isReplaced = (record: JudgedRecord) =>
    tied.some((other) => isHeardLater(other, record, daysToReplace.otherKind));
  const held = tied.filter((record) => stoodBefore(record) && !isReplaced(record));
  return findNewest(held.length > 0 ? held : tied);
}

function isHeardLater(record: JudgedRecord, other: JudgedRecord, days: number): boolean {
  return readHeardTime(record) > readHeardTime(other) + days * millisecondsPerDay;
}

/** There is at least one. */
function findNewest(records: readonly JudgedRecord[]): JudgedRecord {
  return records.reduce((newest, record) => (compareAges(record, newest) > 0 ? record : newest));
}

/** The newest is last: age date decides, then the higher id, then the source, as two servers can have equal ids. */
export function compareAges(left: JudgedRecord, right: JudgedRecord): number {
  const readAge = ({ facts, rules }: JudgedRecord) => readAgeTime(facts, rules) ?? -Number.MAX_VALUE;
  return (
    readAge(left) - readAge(right) ||
    compareIds(left.facts.id, right.facts.id) ||
    compareCodePoints(left.source, right.source)
  );
}

/** A record that was never heard from is older than any. */
export function readHeardTime({ facts }: Pick<JudgedRecord, 'facts'>): number {
  return parseTime(facts.lastSeenAt) ?? -Number.MAX_VALUE;
}

function isClearAndRecent({ answer }: JudgedRecord): boolean {
  return answer.isProvable && !answer.stale;
}
