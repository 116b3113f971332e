/** Readers of fields whose type is `unknown`. They ignore unexpected values, since servers add fields without notice. */
import { isRecord } from '../../base/is-record.ts';

export function readRecord(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return isRecord(value) ? value : undefined;
}

export function readList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The records of a list; other entries are left out. */
export function readRecords(value: unknown): Record<string, unknown>[] {
  return readList(value).filter(isRecord);
}

/** Longest text that facts keep. */
export const longestText = 1024;

/** An id as trimmed text; some answers give a number. Refuses a longer one: shortened, it could be another device's. */
export function readId(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isSafeInteger(value)) {
    return String(value);
  }
  const id = readString(value).trim();
  return id !== '' && id.length <= longestText ? id : undefined;
}

/** Bounds a text, and makes it well-formed, for facts. */
export function boundText(value: string): string {
  return value.slice(0, longestText).toWellFormed();
}

/** A field's text, bounded; undefined where it is empty. */
export function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? boundText(value) : undefined;
}

/** The exact text; empty where there is none. */
export function readString(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

const timePattern = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,12}))?(Z|[+-]\d\d:?\d\d)?)?$/i;

/**
 * A time as ISO 8601 UTC with milliseconds; undefined when it is invalid or means "not known", as years 1 and 9999 and
 * the beginning of Unix time do. A time without a zone is in `assumedZone`, and undefined where that is missing.
 */
export function readTime(value: unknown, assumedZone?: 'Z'): string | undefined {
  const parts = timePattern.exec(readString(value).trim());
  if (parts === null) {
    return undefined;
  }
  const [, year, month, day, time, fraction = '', zone = time === undefined ? 'Z' : assumedZone] = parts;
  // Date.parse would read 30 February as 2 March.
  const isDay = Number(day) >= 1 && (Number(day) <= 28 || Number(day) <= countDaysOfMonth(Number(year), Number(month)));
  if (!isDay || zone === undefined || Number(year) <= 1 || year === '9999') {
    return undefined;
  }
  const milliseconds = fraction.slice(0, 3).padEnd(3, '0');
  const offset = zone.length === 1 ? 'Z' : zone.replace(/(\d\d)(\d\d)$/, '$1:$2');
  const text = `${year}-${month}-${day}T${time ?? '00:00:00'}.${milliseconds}${offset}`;
  const moment = Date.parse(text);
  // Some servers write the beginning of Unix time in their own zone.
  if (Number.isNaN(moment) || Math.abs(moment) <= 86_400_000) {
    return undefined;
  }
  // Nearly all times have this form already; 24:00:00 is the next day.
  return offset === 'Z' && !time?.startsWith('24') ? text : new Date(moment).toISOString();
}

function countDaysOfMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}
