/** Converts between moments and the clock time of a time zone. */
import { millisecondsPerDay } from '../../core/time/calendar.ts';

/** Formats a moment as the zone's clocks show it, such as `2026-11-20T05:15:00`. */
type ZoneClock = (moment: number) => string;

/** The first moment at which the zone's clocks show this time or, where they skip it on this date, a later one. */
export function toZonedMoment(timezone: string, date: string, time: string): Date {
  return createMomentReader(timezone)(date, time);
}

/** Makes `toZonedMoment` for many times of a zone. */
export function createMomentReader(timezone: string): (date: string, time: string) => Date {
  const clock = createZoneClock(timezone);
  return (date, time) => findMomentOn(clock, date, time);
}

/** Whether the zone's clocks skip this time on this date. */
export function isSkippedTime(timezone: string, date: string, time: string): boolean {
  const clock = createZoneClock(timezone);
  return clock(findMomentOn(clock, date, time).getTime()) !== `${date}T${time}`;
}

export function formatZonedDate(timezone: string, moment: Date): string {
  return createZoneClock(timezone)(moment.getTime()).slice(0, 'YYYY-MM-DD'.length);
}

/** Formats a moment for people, such as `2026-11-20 05:15 (Europe/London)`. */
export function formatZonedMoment(timezone: string, moment: Date): string {
  return `${formatZonedDate(timezone, moment)} ${formatZonedTime(timezone, moment)} (${timezone})`;
}

/** Formats the time of day as HH:MM. */
export function formatZonedTime(timezone: string, moment: Date): string {
  return createZoneClock(timezone)(moment.getTime()).slice('YYYY-MM-DDT'.length, 'YYYY-MM-DDTHH:MM'.length);
}

/** Makes a clock; Swedish is the locale that writes dates as ISO does. */
function createZoneClock(timezone: string): ZoneClock {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'medium' });
  return (moment) => format.format(moment).replace(' ', 'T');
}

function findMomentOn(clock: ZoneClock, date: string, time: string): Date {
  const wall = Date.parse(`${date}T${time}Z`);
  const [before = wall, after = wall] = [-millisecondsPerDay, millisecondsPerDay]
    .map((shift) => wall - computeOffset(clock, wall + shift))
    .sort((one, other) => one - other);
  const exact = [before, after].find((moment) => readAsUtc(clock, moment) === wall);
  return new Date(exact ?? findEndOfGap(clock, wall, [before, after]));
}

/** The end of a gap; clocks are behind `wall` at the earlier moment, and beyond it at the later one. */
function findEndOfGap(clock: ZoneClock, wall: number, [earlier, later]: readonly [number, number]): number {
  let [behind, beyond] = [earlier, later];
  while (beyond - behind > 1000) {
    const middle = behind + Math.floor((beyond - behind) / 2000) * 1000;
    if (readAsUtc(clock, middle) < wall) {
      behind = middle;
    } else {
      beyond = middle;
    }
  }
  return beyond;
}

/** Milliseconds that the zone is ahead of UTC. */
function computeOffset(clock: ZoneClock, moment: number): number {
  return readAsUtc(clock, moment) - moment;
}

/** The time that the clocks show, as if it were UTC. */
function readAsUtc(clock: ZoneClock, moment: number): number {
  return Date.parse(`${clock(moment)}Z`);
}
