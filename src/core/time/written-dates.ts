/**
 * Parses days and times as people and spreadsheets write them. A text that can mean several days is rejected:
 * `03/04/2026` is in March or in April.
 */

import { isCalendarDate, toIsoDate } from './calendar.ts';

/** The day as YYYY-MM-DD, without a time that the text has; undefined where it names no day, or may mean several. */
export function readDay(text: string): string | undefined {
  const days = listDays(splitTime(text).day);
  return days.length === 1 ? days[0] : undefined;
}

/** Milliseconds since 1970, in UTC where the text names no zone; a day without a time is its beginning. */
export function readTime(text: string): number | undefined {
  const { day, clock = '00:00Z' } = splitTime(text);
  const days = listDays(day);
  const time = days.length === 1 ? Date.parse(`${days[0]}T${clock}`) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** The reason why a column of a file that people keep holds no day, or undefined. */
export function findDateProblem(column: string, text: string): string | undefined {
  const days = listDays(splitTime(text).day);
  if (days.length === 1) {
    return undefined;
  }
  return days.length === 0
    ? `${column} is "${text}"; it must be a date such as 2026-12-31`
    : `${column} is "${text}", which can mean ${days.join(' or ')}; write one of these`;
}

const timeForm =
  /^(.*?)(?:T| *,? +)(\d{1,2}):(\d{2})((?::\d{2}(?:\.\d{1,9})?)?) ?(?:([ap])\.?m\.?)? ?(?:(Z|UTC|GMT)|([+-]\d{2}):?(\d{2}))?$/i;

/** The part of a text that names the day, and its time as ISO 8601 has it. */
function splitTime(text: string): { readonly day: string; readonly clock?: string } {
  const trimmed = text.trim();
  const [, day, hour = '', minute = '', second = '', half, , zoneHour, zoneMinute] = timeForm.exec(trimmed) ?? [];
  if (day === undefined) {
    return { day: trimmed };
  }
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  const zone = zoneHour === undefined ? 'Z' : `${zoneHour}:${zoneMinute}`;
  return { day, clock: `${String(hours).padStart(2, '0')}:${minute}${second}${zone}` };
}

/** All days that the text can mean. */
function listDays(text: string): string[] {
  const compact = text.replace(/\. +/g, '.');
  const days = [...listNumericDays(compact), ...listNamedDays(compact)].filter(isCalendarDate);
  return [...new Set(days)].sort();
}

/** Days of a numeric date. With points, the day comes first everywhere; with other signs, day or month does, by country. */
function listNumericDays(text: string): string[] {
  const [, first = '', sign, second = '', third = ''] = /^(\d{1,4})([-./])(\d{1,2})\2(\d{1,4})$/.exec(text) ?? [];
  if (first.length === 4) {
    return [toIsoDate(first, second, third)];
  }
  if (first.length > 2) {
    return [];
  }
  const dayFirst = toIsoDate(third, second, first);
  if (sign === '.') {
    return [dayFirst];
  }
  const monthFirst = toIsoDate(third, first, second);
  return third.length === 4 ? [dayFirst, monthFirst] : [dayFirst, monthFirst, toIsoDate(first, second, third)];
}

const namedForms = [
  /^(?:\p{L}+\.?, ?)?(?<day>\d{1,2})(?:st|nd|rd|th|\.)?[ -]*(?:(?:de|of) )?(?<month>\p{L}{3,})[.,]?[ -]*(?:de )?(?<year>\d{4}|\d{2})$/u,
  /^(?:\p{L}+\.?, ?)?(?<month>\p{L}{3,})[ .-]*(?<day>\d{1,2})(?:st|nd|rd|th)?(?:, ?| )(?<year>\d{4})$/u,
];

function listNamedDays(text: string): string[] {
  return namedForms.flatMap((form) => {
    const { day = '', month = '', year = '' } = form.exec(text)?.groups ?? {};
    const number = findMonth(month.toLowerCase());
    return number === undefined ? [] : [toIsoDate(year, String(number), day)];
  });
}

const monthLanguages = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt'];

const monthNames = monthLanguages.flatMap((language) => {
  const { format } = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' });
  return Array.from({ length: 12 }, (_, index) => ({
    number: index + 1,
    name: format(Date.UTC(2026, index)).toLowerCase(),
  }));
});

/** The month whose name is or begins with the word, in any of these languages; undefined where several do. */
function findMonth(word: string): number | undefined {
  const numbers = new Set(
    word === '' ? [] : monthNames.filter(({ name }) => name.startsWith(word)).map((month) => month.number),
  );
  return numbers.size === 1 ? [...numbers][0] : undefined;
}
