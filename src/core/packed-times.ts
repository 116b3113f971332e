/** Dates of ISO 8601 as numbers, from which the same text comes back. */
import { millisecondsPerDay } from './calendar.ts';

/** Twice the milliseconds since 1970, and one where they are left out of the text; undefined where it is written in another way. */
export function encodeTime(text: string): number | undefined {
  const time = Date.parse(text);
  if (Number.isNaN(time)) {
    return undefined;
  }
  const withMilliseconds = 2 * time;
  return [withMilliseconds, withMilliseconds + 1].find((encoded) => decodeTime(encoded) === text);
}

/** In milliseconds since 1970. */
export function decodeMilliseconds(encoded: number): number {
  return Math.floor(encoded / 2);
}

/** As `toISOString` would write it: that alone would be a fifth of judging and reporting. */
export function decodeTime(encoded: number): string {
  const time = decodeMilliseconds(encoded);
  const day = Math.floor(time / millisecondsPerDay);
  const rest = time - day * millisecondsPerDay;
  const hour = digits[Math.floor(rest / 3_600_000)];
  const minute = digits[Math.floor(rest / 60_000) % 60];
  const second = digits[Math.floor(rest / 1000) % 60];
  const fraction = encoded === 2 * time ? `.${String(rest % 1000).padStart(3, '0')}` : '';
  return `${formatDay(day)}T${hour}:${minute}:${second}${fraction}Z`;
}

const digits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));
const days = new Map<number, string>();
/** A hundred years of them. */
const mostDays = 36_525;

function formatDay(day: number): string {
  const known = days.get(day);
  if (known !== undefined) {
    return known;
  }
  const [date = ''] = new Date(day * millisecondsPerDay).toISOString().split('T');
  if (days.size < mostDays) {
    days.set(day, date);
  }
  return date;
}
