/** Rows → columns of the page's data. */
import type { PackedFlags, PackedTexts, PackedTimes, PackedWords } from './page-data.ts';

/** Above, an index has no character of its own. */
const mostCodedWords = 2000;
const firstCode = 48;
/** JSON writes a backslash as two characters. */
const backslash = 92;

export function packWords(values: Iterable<string | undefined>): PackedWords {
  const indexes = new Map<string, number>();
  const at: number[] = [];
  for (const value of values) {
    if (value === undefined) {
      at.push(-1);
      continue;
    }
    const known = indexes.get(value);
    if (known === undefined) {
      indexes.set(value, indexes.size);
    }
    at.push(known ?? indexes.size - 1);
  }
  return { words: [...indexes.keys()], at: indexes.size > mostCodedWords ? at : at.map(encodeIndex).join('') };
}

function encodeIndex(index: number): string {
  const code = firstCode + index;
  return String.fromCharCode(code < backslash ? code : code + 1);
}

/** The index that a character stands for; −1 for "not known", which is the character before the first. */
export function decodeIndex(code: number): number {
  return code - firstCode - (code > backslash ? 1 : 0);
}

export function packTexts(values: readonly (string | undefined)[]): PackedTexts {
  return values.map((value) => value ?? null);
}

const separator = '\u007f';
const notKnown = '~';
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const bareUuid = /^[0-9a-f]{32}$/;

/** A long column of texts as one: quotation marks and the hyphens of ids would be a good part of the page's size. */
export function joinTexts(values: readonly (string | undefined)[]): string | PackedTexts {
  const isAmbiguous = values.some(
    (value) => value !== undefined && (value === notKnown || value.includes(separator) || isBareUuid(value)),
  );
  if (isAmbiguous || values.length === 0) {
    return packTexts(values);
  }
  const short = (value: string) => (value.length === 36 && uuid.test(value) ? value.replaceAll('-', '') : value);
  return values.map((value) => (value === undefined ? notKnown : short(value))).join(separator);
}

function isBareUuid(value: string): boolean {
  return value.length === 32 && bareUuid.test(value);
}

export function splitTexts(packed: string | PackedTexts): PackedTexts {
  if (typeof packed !== 'string') {
    return packed;
  }
  return packed.split(separator).map((text) => {
    if (text === notKnown) {
      return null;
    }
    return bareUuid.test(text) ? text.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') : text;
  });
}

/** Seconds where every date is whole seconds, otherwise milliseconds: a date is never rounded. */
export function packTimes(values: readonly (string | undefined)[]): PackedTimes {
  const times = values.map((value) => (value === undefined ? null : Date.parse(value)));
  const known = times.filter((time) => time !== null);
  const unit = known.every((time) => time % 1000 === 0) ? 1000 : 1;
  const base = known.reduce((least, time) => Math.min(least, time / unit), known.length === 0 ? 0 : Number.MAX_VALUE);
  const offsets = times.map((time) => (time === null ? null : time / unit - base));
  const most = offsets.reduce<number>((largest, value) => Math.max(largest, value ?? 0), 0);
  const width = Math.max(1, Math.ceil(Math.log(most + 1) / Math.log(digitBase)));
  const at = offsets.map((value) => (value === null ? unknownDigit.repeat(width) : encodeDigits(value, width)));
  return { unit, base, width, at: at.join('') };
}

/** Of a column of times, most of a decimal number is known from the others; fewer characters say as much. */
const digitBase = 90;
const firstDigit = 35;
const unknownDigit = '!';

function encodeDigits(value: number, width: number): string {
  let rest = value;
  let digits = '';
  for (let place = 0; place < width; place += 1) {
    const code = firstDigit + (rest % digitBase);
    digits = String.fromCharCode(code < backslash ? code : code + 1) + digits;
    rest = Math.floor(rest / digitBase);
  }
  return digits;
}

/** The number of a row; undefined where it is not known. */
export function decodeDigits(at: string, row: number, width: number): number | undefined {
  const start = row * width;
  if (start >= at.length || at[start] === unknownDigit) {
    return undefined;
  }
  let value = 0;
  for (let place = start; place < start + width; place += 1) {
    const code = at.charCodeAt(place);
    value = value * digitBase + code - firstDigit - (code > backslash ? 1 : 0);
  }
  return value;
}

export function packFlags(values: Iterable<boolean | undefined>): PackedFlags {
  let flags = '';
  for (const value of values) {
    flags += value === undefined ? '-' : value ? '1' : '0';
  }
  return flags;
}

/** Rising numbers as start and length, one after the other. */
export function packRanges(numbers: readonly number[]): number[] {
  const ranges: number[] = [];
  for (const number of numbers) {
    const start = ranges.at(-2);
    const length = ranges.at(-1) ?? 0;
    if (start !== undefined && number === start + length) {
      ranges[ranges.length - 1] = length + 1;
    } else {
      ranges.push(number, 1);
    }
  }
  return ranges;
}
