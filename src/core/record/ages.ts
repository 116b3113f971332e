/** Dates of a device as judgement reads them: the age of its answer, its last contact, its enrolment. */

import type { DeviceFacts } from '../facts/facts.ts';
import type { SourceRules } from '../facts/rules.ts';
import { millisecondsPerDay, parseTime } from '../time/calendar.ts';

/** Time of a device's answer in milliseconds since 1970: the oldest of the kind's dates; undefined if one is not known. */
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

/** Whether a time is before the limit, or not known. Times after the moment have age 0. */
export function isOlderThan(time: number | undefined, moment: string, days: number): boolean {
  return time === undefined || Date.parse(moment) - time > days * millisecondsPerDay;
}

/** Clocks of servers differ, but not by more than a day. */
const toleratedLead = millisecondsPerDay;
const firstEnrolment = Date.parse('1971-01-01T00:00:00Z');

const dateFields = ['lastSeenAt', 'reportedAt', 'enrolledAt'] as const;

/** Drops dates that are later than the reading, and enrolments in 1970, which servers write for "never". */
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
