/** Results of looking up an object by name, and verdicts of checks in common words. */

import { MusterError } from '../../base/errors.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import type { CheckResult } from '../../core/facts/facts.ts';
import { findNearest } from '../../core/text/nearest-name.ts';

/** The result of a look-up; `unread` has the reason, such as a missing permission. */
export type LookupResult<T> =
  | { readonly kind: 'one'; readonly value: T }
  /** `near` is a name that differs by a few letters. */
  | { readonly kind: 'none'; readonly near?: string }
  | { readonly kind: 'several'; readonly count?: number }
  | ReadFailure;

export interface ReadFailure {
  readonly kind: 'unread';
  readonly why: string;
  readonly advice: string;
}

/** Result in place of a part that a source has not read yet. */
export const notReadYet: ReadFailure = {
  kind: 'unread',
  why: 'not read: the source ended before this was read',
  advice: 'See why the source could not be read.',
};

/** A failure with the error's code alone: its message contains addresses. */
export function toReadFailure(error: unknown): ReadFailure {
  const code = error instanceof MusterError ? error.code : 'unexpected';
  return {
    kind: 'unread',
    why: `could not be read [${code}]`,
    advice: 'Run again; docs/commands.md explains the code.',
  };
}

/** Finds the one entry with exactly that name; no server guarantees unique names. */
export function findByName<T extends { readonly name: unknown }>(all: readonly T[], name: string): LookupResult<T> {
  const found = all.filter((candidate) => candidate.name === name);
  const [first] = found;
  if (first === undefined) {
    const names = all.flatMap(({ name: other }) => (typeof other === 'string' && other !== '' ? [other] : []));
    return { kind: 'none', ...omitUndefined({ near: findNearest(name, names) }) };
  }
  return found.length === 1 ? { kind: 'one', value: first } : { kind: 'several', count: found.length };
}

export type Verdict = Pick<CheckResult, 'result' | 'found' | 'advice' | 'unread'>;

export function pass(found: string): Verdict {
  return { result: 'pass', found, advice: '' };
}

export function fail(found: string, advice: string): Verdict {
  return { result: 'fail', found, advice };
}

/** Passes where there is no problem; otherwise fails with all problems. */
export function passOrFail(problems: readonly string[], well: string, advice: string): Verdict {
  return problems.length === 0 ? pass(well) : fail(problems.join('; '), advice);
}

/** Sentences whose condition is true. */
export function collectProblems(table: readonly (readonly [isProblem: boolean, sentence: string])[]): string[] {
  return table.flatMap(([isProblem, sentence]) => (isProblem ? [sentence] : []));
}

/** The verdict on something that was read but cannot be judged. */
export function reportUnknown(why: string, advice: string): Verdict {
  return { result: 'unknown', found: why, advice };
}

export function reportUnread({ why, advice }: Omit<ReadFailure, 'kind'> = notReadYet): Verdict {
  return { ...reportUnknown(why, advice), unread: true };
}

/** The verdict where a setting that the check needs is missing. */
export function reportNotChecked(setting: string): Verdict {
  return { result: 'not-checked', found: '', advice: `Set ${setting} to have this checked.` };
}

/** Judges the one object of that name, and reports a missing, ambiguous or unread one. */
export function judgeOne<T>(
  found: LookupResult<T> | undefined,
  what: string,
  advice: string,
  judge: (value: T) => Verdict,
): Verdict {
  switch (found?.kind) {
    case 'one':
      return judge(found.value);
    case 'none': {
      const hint = found.near === undefined ? '' : `; did you mean ${quoteText(found.near)}?`;
      return fail(`there is no ${what} of that name${hint}`, advice);
    }
    case 'several':
      return fail(`there are ${found.count ?? 'several'} of that name`, `Leave only one ${what} of that name.`);
    default:
      return reportUnread(found);
  }
}

/** Fails where an account may do more than read, and names that. */
export function judgeReadOnly(all: readonly string[], what: string, isReading: RegExp, advice: string): Verdict {
  const beyond = all.filter((one) => !isReading.test(one)).toSorted();
  return beyond.length === 0
    ? pass(`${all.length} ${what}, all read-only`)
    : fail(`it may also: ${formatFirst(beyond.map(quoteText))}`, advice);
}

const longestQuote = 80;

/** Quotes a server's own text for a sentence, shortened. */
export function quoteText(text: unknown): string {
  const words = String(text ?? '');
  const shown = words.length > longestQuote ? `${words.slice(0, longestQuote)}…` : words;
  return `"${shown.toWellFormed()}"`;
}

/**
 * Describes an agent whose place differs between server and settings: both places, so that a reader sees which to
 * correct.
 */
export function describeOtherPlace(found: string, wanted: string): string {
  return `the server looks for ${quoteText(found)}, the settings say ${quoteText(wanted)}`;
}

const mostNamed = 3;

/** The first words, and the number of the others. */
export function formatFirst(words: readonly string[]): string {
  const more = words.length - mostNamed;
  return `${words.slice(0, mostNamed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
