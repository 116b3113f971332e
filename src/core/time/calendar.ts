/** Calendar days (YYYY-MM-DD), the days between them, times, and durations in words. */
import { pluralize } from '../text/pluralize.ts';

export const millisecondsPerDay = 24 * 60 * 60 * 1000;

export function countDaysBetween(earlier: string, later: string): number {
  return (toTime(later) - toTime(earlier)) / millisecondsPerDay;
}

export function addDays(date: string, days: number): string {
  return new Date(toTime(date) + days * millisecondsPerDay).toISOString().slice(0, 10);
}

/** Whether the text is a day that exists, as YYYY-MM-DD. */
export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) {
    return false;
  }
  const time = toTime(text);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** An ISO date from numbers as written; a year of two digits is one of this century. The day may not exist. */
export function toIsoDate(year: string, month: string, day: string): string {
  return `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

function toTime(date: string): number {
  return Date.parse(`${date}T00:00:00Z`);
}

/** Milliseconds since 1970, or undefined where the date is not known. */
export function parseTime(date: string | undefined): number | undefined {
  const time = date === undefined ? Number.NaN : Date.parse(date);
  return Number.isNaN(time) ? undefined : time;
}

/** A duration in its two largest units, for people: `2 hours 5 minutes`, `364 days 3 hours`. */
export function formatDuration(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  const units = [
    [Math.floor(minutes / 1440), 'day'],
    [Math.floor(minutes / 60) % 24, 'hour'],
    [minutes % 60, 'minute'],
  ] as const;
  const first = units.findIndex(([count]) => count > 0);
  const shown = units.slice(first, first + 2).filter(([count]) => count > 0);
  return first === -1 ? '0 minutes' : shown.map(([count, unit]) => `${count} ${pluralize(count, unit)}`).join(' ');
}
