/** Chooses a machine's standing record, which alone is counted: first one of each kind, then one of all kinds. */

import type { Policy } from '../facts/company.ts';
import type { PlatformFacts } from '../facts/facts.ts';
import type { ExcludedBecause } from '../facts/vocabulary.ts';
import { isOlderThan, readAgeTime } from '../record/ages.ts';
import type { JudgedRecord } from '../record/judge-record.ts';
import { compareCodePoints, compareIds } from '../text/order.ts';
import { millisecondsPerDay, parseTime } from '../time/calendar.ts';

export interface StandingContext extends Pick<PlatformFacts, 'moment'>, Pick<Policy, 'staleAfterDays'> {
  /** Whether the record was the standing one when the ledger's entry was updated last. */
  readonly stoodBefore: (record: JudgedRecord) => boolean;
}

export interface ChosenRecord {
  /** The machine's standing record. */
  readonly standing: JudgedRecord;
  /** Records of several kinds whose clear, recent answers contradict each other, the standing one first; undefined if none do. */
  readonly contradicting: readonly JudgedRecord[] | undefined;
}

/** Days by which the contact of another record must be later to replace the standing one. */
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

/** The records to choose from. Where none was read, the previous standing record stays, since time alone changes nothing. */
function selectCandidates(records: readonly JudgedRecord[], { stoodBefore }: StandingContext): readonly JudgedRecord[] {
  const stood = records.some(({ isRead }) => isRead) ? [] : records.filter(stoodBefore);
  return stood.length > 0 ? stood : records;
}

function chooseOfEachKind(records: readonly JudgedRecord[], context: StandingContext): JudgedRecord[] {
  return [...Map.groupBy(records, ({ rules }) => rules.kind).values()].map((ofKind) => chooseOfKind(ofKind, context));
}

/** Exclusions that make a record give way to any other of its kind. */
const yielding: ReadonlySet<ExcludedBecause | undefined> = new Set(['unmanaged', 'retiring', 'not-manageable']);

/** The newest of one kind; the previous standing record stays unless another's contact is more than a day later. */
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

/** The best; of equals the previous standing record, unless another's contact is more than a week later; then the newest. */
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

/** The newest record of a list that is not empty. */
function findNewest(records: readonly JudgedRecord[]): JudgedRecord {
  return records.reduce((newest, record) => (compareAges(record, newest) > 0 ? record : newest));
}

/** Orders the newest last: by age date, then id, then source, since two servers can have equal ids. */
export function compareAges(left: JudgedRecord, right: JudgedRecord): number {
  const readAge = ({ facts, rules }: JudgedRecord) => readAgeTime(facts, rules) ?? -Number.MAX_VALUE;
  return (
    readAge(left) - readAge(right) ||
    compareIds(left.facts.id, right.facts.id) ||
    compareCodePoints(left.source, right.source)
  );
}

/** Time of the last contact; without one, earlier than any time. */
export function readHeardTime({ facts }: Pick<JudgedRecord, 'facts'>): number {
  return parseTime(facts.lastSeenAt) ?? -Number.MAX_VALUE;
}

function isClearAndRecent({ answer }: JudgedRecord): boolean {
  return answer.isProvable && !answer.stale;
}
