/** Serial numbers that several machines share: firmware is cloned, and a used mainboard keeps its number. */

import type { PlatformFacts } from '../facts/facts.ts';
import type { SharedNumber } from '../facts/ledger.ts';
import { fitsExclusion, type JudgedRecord } from '../record/judge-record.ts';
import { compareCodePoints } from '../text/order.ts';
import { addDays, millisecondsPerDay, parseTime } from '../time/calendar.ts';

/** Days for which a server that is being replaced is still contacted after a move, so that both records seem in use. */
const handoverDays = 7;
/** Days for which a number stays shared after the last run in which two of its records were in use at once. */
const sharedDays = 30;

/** Numbers that are shared in this run, ordered; `byNumber` holds the records of each number. */
export function findSharedNumbers(
  byNumber: ReadonlyMap<string, readonly JudgedRecord[]>,
  before: readonly SharedNumber[],
  { slot, moment }: Pick<PlatformFacts, 'slot' | 'moment'>,
): SharedNumber[] {
  const horizon = addDays(slot, -sharedDays);
  // A number none of whose records was read stays shared, however old: time alone changes nothing.
  const isAwaited = (number: string) => byNumber.get(number)?.every(({ isRead }) => !isRead) ?? false;
  const kept = before.filter(({ number, lastOn: last }) => last >= horizon || isAwaited(number));
  const lastOn = new Map(kept.map((one) => [one.number, one.lastOn]));
  for (const [number, records] of byNumber) {
    if (records.length > 1 && haveLivedAtOnce(records, moment)) {
      lastOn.set(number, slot);
    }
  }
  return [...lastOn]
    .map(([number, last]) => ({ number, lastOn: last }))
    .sort((left, right) => compareCodePoints(left.number, right.number));
}

/** Whether two records of one kind were in use at once; records of two kinds may well be one machine. */
function haveLivedAtOnce(records: readonly JudgedRecord[], moment: string): boolean {
  const manageable = records.filter((record) => !fitsExclusion('not-manageable', record));
  return [...Map.groupBy(manageable, ({ rules }) => rules.kind).values()].some(
    (ofKind) => haveLivedBeside(ofKind) || areHeardFromUndated(ofKind, moment),
  );
}

/** Whether two records were both heard from more than a week after the later one was enrolled. */
function haveLivedBeside(records: readonly JudgedRecord[]): boolean {
  const dated = records
    .flatMap(({ facts }) => {
      const [enrolled, heard] = [parseTime(facts.enrolledAt), parseTime(facts.lastSeenAt)];
      return enrolled === undefined || heard === undefined ? [] : [{ enrolled, heard }];
    })
    .sort((left, right) => left.enrolled - right.enrolled);
  let lastHeard = Number.NEGATIVE_INFINITY;
  for (const { enrolled, heard } of dated) {
    if (Math.min(lastHeard, heard) > enrolled + handoverDays * millisecondsPerDay) {
      return true;
    }
    lastHeard = Math.max(lastHeard, heard);
  }
  return false;
}

/** Whether two records, one of them without an enrolment date, were both heard from within the last week. */
function areHeardFromUndated(records: readonly JudgedRecord[], moment: string): boolean {
  const since = Date.parse(moment) - handoverDays * millisecondsPerDay;
  const heard = records.filter(({ facts }) => (parseTime(facts.lastSeenAt) ?? Number.NEGATIVE_INFINITY) >= since);
  return heard.length > 1 && heard.some(({ facts }) => parseTime(facts.enrolledAt) === undefined);
}
