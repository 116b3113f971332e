/** Readers of fields whose type is `unknown`. They ignore what they do not expect, since servers add fields without notice. */
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

/** An id as text; some answers give it as a number. A longer one is refused: shortened, it could be another device's. */
export function readId(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isSafeInteger(value)) {
    return String(value);
  }
  return typeof value === 'string' && value !== '' && value.length <= longestText ? value : undefined;
}

/** Text as facts keep it: bounded and well-formed. */
export function boundText(value: string): string {
  return value.slice(0, longestText).toWellFormed();
}

/** A field's text, bounded; undefined where it is empty. */
export function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? boundText(value) : undefined;
}

/** Text exactly as it is; '' where there is none. */
export function readString(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
