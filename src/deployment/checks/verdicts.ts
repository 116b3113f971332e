/** The verdicts of checks, in the same words for every check. */
import type { Finding } from '../../core/facts/facts.ts';
import { type LookupResult, notReadYet, type ReadFailure } from './lookup.ts';

export type Verdict = Pick<Finding, 'result' | 'found' | 'advice' | 'unread'>;

export function pass(found: string): Verdict {
  return { result: 'pass', found, advice: '' };
}

export function fail(found: string, advice: string): Verdict {
  return { result: 'fail', found, advice };
}

/** Passes where there is no problem; otherwise fails with all of them. */
export function passOrFail(problems: readonly string[], well: string, advice: string): Verdict {
  return problems.length === 0 ? pass(well) : fail(problems.join('; '), advice);
}

/** The sentences whose condition holds. */
export function collectProblems(table: readonly (readonly [isProblem: boolean, sentence: string])[]): string[] {
  return table.flatMap(([isProblem, sentence]) => (isProblem ? [sentence] : []));
}

/** It was read, and nobody can judge it. */
export function reportUnknown(why: string, advice: string): Verdict {
  return { result: 'unknown', found: why, advice };
}

export function reportUnread({ why, advice }: Omit<ReadFailure, 'is'> = notReadYet): Verdict {
  return { ...reportUnknown(why, advice), unread: true };
}

/** The check needs a setting that is missing. */
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
  switch (found?.is) {
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

/** Names what an account may do besides reading. */
export function judgeReadOnly(all: readonly string[], what: string, isReading: RegExp, advice: string): Verdict {
  const beyond = all.filter((one) => !isReading.test(one)).toSorted();
  return beyond.length === 0
    ? pass(`${all.length} ${what}, all read-only`)
    : fail(`it may also: ${formatFirst(beyond.map(quoteText))}`, advice);
}

const longestQuote = 80;

/** A server's own text for a sentence: shortened and in quotes. */
export function quoteText(text: unknown): string {
  const words = String(text ?? '');
  const shown = words.length > longestQuote ? `${words.slice(0, longestQuote)}…` : words;
  return `"${shown.toWellFormed()}"`;
}

const mostNamed = 3;

/** The first of them, and how many more there are. */
export function formatFirst(words: readonly string[]): string {
  const more = words.length - mostNamed;
  return `${words.slice(0, mostNamed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
