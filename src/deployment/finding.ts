/** How a check says what it found; and what a reading can come to besides the thing itself. */

import type { Finding } from '../core/facts.ts';
import type { FindingResult } from '../core/vocabulary.ts';
import { type Check, definitionOf } from './catalogue.ts';

/** Something that was looked for by its name. `unread` carries the missing permission or another reason. */
export type Found<T> =
  | { readonly is: 'one'; readonly value: T }
  | { readonly is: 'none' }
  | { readonly is: 'several'; readonly count?: number }
  | Unread;

export interface Unread {
  readonly is: 'unread';
  readonly why: string;
  readonly advice: string;
}

/** Exactly the things of that name; names are not unique on either platform. */
export function byName<T extends { readonly name: unknown }>(all: readonly T[], name: string): Found<T> {
  const found = all.filter((candidate) => candidate.name === name);
  const [first] = found;
  if (first === undefined) return { is: 'none' };
  return found.length === 1 ? { is: 'one', value: first } : { is: 'several', count: found.length };
}

export function pass(check: Check, found: string): Finding {
  return finding(check, 'pass', found, '');
}

export function fail(check: Check, found: string, advice: string): Finding {
  return finding(check, 'fail', found, advice);
}

export function unknown(check: Check, { why, advice }: Omit<Unread, 'is'>): Finding {
  return finding(check, 'unknown', why, advice);
}

/** What the settings do not ask for. */
export function notChecked(check: Check, setting: string): Finding {
  return finding(check, 'not-checked', '', `Set ${setting} to have this checked.`);
}

/** A pass where nothing is wrong, otherwise every problem at once. */
export function verdict(check: Check, problems: readonly string[], well: string, advice: string): Finding {
  return problems.length === 0 ? pass(check, well) : fail(check, problems.join('; '), advice);
}

/** The one thing of a name is judged; its absence, a rival and unreadability are said alike everywhere. */
export function judgeOne<T>(
  check: Check,
  found: Found<T>,
  what: string,
  advice: string,
  judge: (value: T) => Finding,
): Finding {
  switch (found.is) {
    case 'one':
      return judge(found.value);
    case 'none':
      return fail(check, `there is no ${what} of that name`, advice);
    case 'several':
      return fail(check, `there are ${found.count ?? 'several'} of that name`, `Leave only one ${what} of that name.`);
    case 'unread':
      return unknown(check, found);
  }
}

function finding(check: Check, result: FindingResult, found: string, advice: string): Finding {
  const { expected, instrument = false } = definitionOf(check);
  return { check, result, expected, found, advice, instrument };
}

const longestQuote = 80;

/** A platform's own text in a sentence: bounded, in quotes. */
export function quoted(text: unknown): string {
  const words = String(text ?? '');
  const shown = words.length > longestQuote ? `${words.slice(0, longestQuote)}…` : words;
  return `"${shown.toWellFormed()}"`;
}
