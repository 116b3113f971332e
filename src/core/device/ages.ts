/** Dates of a device as judgement reads them: how old its answer is, when it was heard from, when it was enrolled. */

import { millisecondsPerDay, parseTime } from '../facts/calendar.ts';
import type { DeviceFacts } from '../facts/facts.ts';
import type { SourceRules } from '../facts/rules.ts';

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

/** Without an enrolment date that is later than the reading, or the 1970 that servers write for "never". */
export function dropImpossibleEnrolment(device: DeviceFacts, readAt: string): DeviceFacts {
  const time = parseTime(device.enrolledAt);
  const isPossible =
    time !== undefined && time >= millisecondsPerDay * 366 && time <= Date.parse(readAt) + toleratedLead;
  if (device.enrolledAt === undefined || isPossible) {
    return device;
  }
  const { enrolledAt: _, ...rest } = device;
  return rest;
}
