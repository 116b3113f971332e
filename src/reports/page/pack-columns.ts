/** Rows → columns of the page's data. */
import type { PackedFlags, PackedTexts, PackedTimes, PackedWords } from './page-data.ts';

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
  return { words: [...indexes.keys()], at };
}

export function packTexts(values: readonly (string | undefined)[]): PackedTexts {
  return values.map((value) => value ?? null);
}

/** Seconds where every date is whole seconds, otherwise milliseconds: a date is never rounded. */
export function packTimes(values: readonly (string | undefined)[]): PackedTimes {
  const times = values.map((value) => (value === undefined ? null : Date.parse(value)));
  const known = times.filter((time) => time !== null);
  const unit = known.every((time) => time % 1000 === 0) ? 1000 : 1;
  const base = known.reduce((least, time) => Math.min(least, time / unit), known.length === 0 ? 0 : Number.MAX_VALUE);
  return { unit, base, at: times.map((time) => (time === null ? null : time / unit - base)) };
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

const longestShared = 60;

/** Names in order, each without the beginning that it shares with the one before. */
export function frontCodeNames(names: readonly string[]): string[] {
  let previous = '';
  return [...names].sort().map((name) => {
    const limit = Math.min(previous.length, name.length, longestShared);
    let shared = 0;
    while (shared < limit && previous[shared] === name[shared]) {
      shared += 1;
    }
    previous = name;
    return `${String.fromCharCode(48 + shared)}${name.slice(shared)}`;
  });
}
