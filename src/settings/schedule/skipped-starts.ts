/** Starts in the hour that clocks skip when they are set forward. */
import { millisecondsPerDay } from '../../core/time/calendar.ts';
import { formatTimeOfDay, listSlots, type Schedule, type Slot } from './schedule.ts';
import { formatZonedDate, formatZonedTime, isSkippedTime } from './zoned-time.ts';

/** Days to search: zones set their clocks forward once a year, not always on the same date. */
const daysLookedAt = 400;

/** Slots from now on whose time the zone's clocks skip; they start at the next existing moment. */
export function listSkippedStarts(schedule: Schedule, now: Date): Slot[] {
  const time = formatTimeOfDay(schedule);
  const end = new Date(now.getTime() + daysLookedAt * millisecondsPerDay);
  return listSlots(schedule, now, end).filter(({ slot }) => isSkippedTime(schedule.timezone, slot, time));
}

/** A sentence about the next such start; undefined where there is none. */
export function describeSkippedStart(schedule: Schedule, now: Date): string | undefined {
  const [skipped] = listSkippedStarts(schedule, now);
  if (skipped === undefined) {
    return undefined;
  }
  const { slot, moment } = skipped;
  const date = formatZonedDate(schedule.timezone, moment);
  const start = `${formatZonedTime(schedule.timezone, moment)}${date === slot ? '' : ` on ${date}`}`;
  return `${describeSkippedTime(schedule, slot)}: the run of that date starts at ${start}.`;
}

export function describeSkippedTime(schedule: Schedule, slot: string): string {
  return `Clocks in ${schedule.timezone} skip ${formatTimeOfDay(schedule).slice(0, 'HH:MM'.length)} on ${slot}`;
}
