/** "Shared numbers": several machines of one kind that have one number. */
import type { Facts } from '../../src/core/facts/facts.ts';
import { findKindModel } from './kinds.ts';
import { isRead } from './records.ts';
import { countDays, day, type ModelNight, type Row, readTime } from './rows.ts';
import { readNumber } from './serial-numbers.ts';

/**
 * "Of past nights only that one date is remembered": the last on which two records of a number lived at once. Numbers
 * that are not shared have none.
 */
export function rememberShared(before: ModelNight | undefined, rows: readonly Row[], facts: Facts) {
  const { slot, moment } = facts;
  const sharedOn: Record<string, string> = { ...before?.sharedOn };
  for (const [number, records] of Map.groupBy(rows, ({ facts: device }) => readNumber(device))) {
    const hasLivedAtOnce = (row: Row) =>
      records.some((other) => other !== row && livedAtOnce(row, other, Date.parse(moment)));
    if (number !== undefined && records.some(hasLivedAtOnce)) {
      sharedOn[number] = slot;
    }
  }
  return Object.fromEntries(
    Object.entries(sharedOn).filter(([number, last]) => {
      const records = rows.filter((row) => readNumber(row.facts) === number);
      // "And for 30 days after the last night on which two did"; where none of its records was read, it stays shared.
      return countDays(last, slot) <= 30 || (records.length > 0 && !records.some((row) => isRead(row, facts)));
    }),
  );
}

/** "Two records of one kind and one number, neither not-manageable, lived at once"; these are of one number. */
function livedAtOnce(one: Row, other: Row, moment: number): boolean {
  const isOneKind = one.kind === other.kind;
  const canReceiveApps = [one, other].every(
    ({ kind, facts }) => !findKindModel(kind).notManageable.includes(facts.managementAgent ?? ''),
  );
  if (!isOneKind || !canReceiveApps) {
    return false;
  }
  const heard = [one, other].map(findHeard);
  const enrolled = [one, other].flatMap(({ facts }) => readTime(facts.enrolledAt) ?? []);
  return enrolled.length === 2
    ? // "When both were heard from more than 7 days after the later one was enrolled."
      heard.every((time) => time > Math.max(...enrolled) + 7 * day)
    : // "Or when an enrolment date is not known and both were heard from within the last 7 days."
      heard.every((time) => moment - time <= 7 * day);
}

/** "Heard from is the last contact." */
export function findHeard({ facts }: Pick<Row, 'facts'>): number {
  return readTime(facts.lastSeenAt) ?? -Infinity;
}
