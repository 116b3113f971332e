/** How a check says what it found; and what a reading can come to besides the thing itself. */

import type { Finding } from '../core/facts.ts';
import type { FindingResult } from '../core/vocabulary.ts';
import { type CheckId, getCheckDefinition } from './catalogue.ts';

/** Something that was looked for by its name. `unread` carries the missing permission or another reason. */
export type LookupResult<T> =
  | { readonly is: 'one'; readonly value: T }
  | { readonly is: 'none' }
  | { readonly is: 'several'; readonly count?: number }
  | ReadFailure;

export interface ReadFailure {
  readonly is: 'unread';
  readonly why: string;
  readonly advice: string;
}

/** Exactly the things of that name; names are not unique on either platform. */
export function findByName<T extends { readonly name: unknown }>(all: readonly T[], name: string): LookupResult<T> {
  const found = all.filter((candidate) => candidate.name === name);
  const [first] = found;
  if (first === undefined) {
    return { is: 'none' };
  }
  return found.length === 1 ? { is: 'one', value: first } : { is: 'several', count: found.length };
}

export function pass(check: CheckId, found: string): Finding {
  return buildFinding(check, 'pass', found, '');
}

export function fail(check: CheckId, found: string, advice: string): Finding {
  return buildFinding(check, 'fail', found, advice);
}

export function reportUnknown(check: CheckId, { why, advice }: Omit<ReadFailure, 'is'>): Finding {
  return buildFinding(check, 'unknown', why, advice);
}

/** What the settings do not ask for. */
export function reportNotChecked(check: CheckId, setting: string): Finding {
  return buildFinding(check, 'not-checked', '', `Set ${setting} to have this checked.`);
}

/** A pass where nothing is wrong, otherwise every problem at once. */
export function passOrFail(check: CheckId, problems: readonly string[], well: string, advice: string): Finding {
  return problems.length === 0 ? pass(check, well) : fail(check, problems.join('; '), advice);
}

/** The one thing of a name is judged; its absence, a rival and unreadability are said alike everywhere. */
export function judgeOne<T>(
  check: CheckId,
  found: LookupResult<T>,
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
      return reportUnknown(check, found);
  }
}

function buildFinding(check: CheckId, result: FindingResult, found: string, advice: string): Finding {
  const { expected, instrument = false } = getCheckDefinition(check);
  return { check, result, expected, found, advice, instrument };
}

const longestQuote = 80;

/** A platform's own text in a sentence: bounded, in quotes. */
export function quoteText(text: unknown): string {
  const words = String(text ?? '');
  const shown = words.length > longestQuote ? `${words.slice(0, longestQuote)}…` : words;
  return `"${shown.toWellFormed()}"`;
}
