/** Dates of a device as judgement reads them: how old its answer is, when it was heard from, when it was enrolled. */

import type { DeviceFacts } from '../facts/facts.ts';
import type { SourceRules } from '../facts/rules.ts';
import { millisecondsPerDay, parseTime } from '../time/calendar.ts';

/** How old a device's answer is: the oldest of the kind's dates. Unknown where one of them is. */
export function readAgeTime(device: DeviceFacts, rules: Pick<SourceRules, 'ageDates'>): number | undefined {
  let oldest: number | undefined;
  for (const field of rules.ageDates) {
    const time = parseTime(device[field]);
    if (time === undefined) {
      return undefined;
    }
    oldest = oldest === undefined ? time : Math.min(oldest, time);
  }
  return oldest;
}

/** Older than the limit at the moment, or of unknown age. What is younger than the moment has age 0. */
export function isOlderThan(time: number | undefined, moment: string, days: number): boolean {
  return time === undefined || Date.parse(moment) - time > days * millisecondsPerDay;
}

/** Clocks of servers differ, but not by more than a day. */
const toleratedLead = millisecondsPerDay;
const firstEnrolment = Date.parse('1971-01-01T00:00:00Z');

const dateFields = ['lastSeenAt', 'reportedAt', 'enrolledAt'] as const;

/** Without the dates that are later than the reading, and without an enrolment in the 1970 that servers write for "never". */
export function dropUnknownDates(device: DeviceFacts, readAt: number): DeviceFacts {
  const isAhead = (date: string | undefined) => date !== undefined && Date.parse(date) > readAt + toleratedLead;
  const isNever = device.enrolledAt !== undefined && !(Date.parse(device.enrolledAt) >= firstEnrolment);
  const unknown = dateFields.filter((field) => isAhead(device[field]) || (field === 'enrolledAt' && isNever));
  const hasAnswerAhead = device.answers.some(({ at }) => isAhead(at));
  if (unknown.length === 0 && !hasAnswerAhead) {
    return device;
  }
  const known: { -readonly [Name in keyof DeviceFacts]: DeviceFacts[Name] } = { ...device };
  for (const field of unknown) {
    delete known[field];
  }
  known.answers = device.answers.map(({ at, ...rest }) => (at === undefined || isAhead(at) ? rest : { ...rest, at }));
  return known;
}
