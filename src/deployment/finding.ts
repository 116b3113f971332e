/** Builds the findings of checks, and defines the results of a lookup: found, missing, ambiguous or unread. */

import type { Finding } from '../core/facts.ts';
import { findNearest } from '../core/nearest-name.ts';
import type { FindingResult } from '../core/vocabulary.ts';
import { MusterError } from '../errors.ts';
import { omitUndefined } from '../omit-undefined.ts';
import { type CheckId, getCheckDefinition } from './catalogue.ts';

/** The result of a lookup by name. `unread` has the reason, such as a missing permission. */
export type LookupResult<T> =
  | { readonly is: 'one'; readonly value: T }
  /** `near`: the name that differs from it by a few letters. */
  | { readonly is: 'none'; readonly near?: string }
  | { readonly is: 'several'; readonly count?: number }
  | ReadFailure;

export interface ReadFailure {
  readonly is: 'unread';
  readonly why: string;
  readonly advice: string;
}

/** For everything that a source has not read yet. */
export const notReadYet: ReadFailure = {
  is: 'unread',
  why: 'not read: the source ended before this was read',
  advice: 'See why the source could not be read.',
};

/** Only the error's code: its message holds addresses. */
export function toReadFailure(error: unknown): ReadFailure {
  const code = error instanceof MusterError ? error.code : 'unexpected';
  return {
    is: 'unread',
    why: `could not be read [${code}]`,
    advice: 'Run again; README, "When something goes wrong", explains the code.',
  };
}

/** Finds the one entry with exactly that name; names are not unique on either platform. */
export function findByName<T extends { readonly name: unknown }>(all: readonly T[], name: string): LookupResult<T> {
  const found = all.filter((candidate) => candidate.name === name);
  const [first] = found;
  if (first === undefined) {
    const names = all.flatMap((candidate) => (typeof candidate.name === 'string' ? [candidate.name] : []));
    return { is: 'none', ...omitUndefined({ near: findNearest(name, names) }) };
  }
  return found.length === 1 ? { is: 'one', value: first } : { is: 'several', count: found.length };
}

export function pass(check: CheckId, found: string): Finding {
  return buildFinding(check, 'pass', found, '');
}

export function fail(check: CheckId, found: string, advice: string): Finding {
  return buildFinding(check, 'fail', found, advice);
}

/** For what could not be read, and for what was read but nobody can judge. */
export function reportUnknown(check: CheckId, unknown: ReadFailure | Omit<ReadFailure, 'is'>): Finding {
  const finding = buildFinding(check, 'unknown', unknown.why, unknown.advice);
  return 'is' in unknown ? { ...finding, unread: true } : finding;
}

/** For a check whose setting is missing. */
export function reportNotChecked(check: CheckId, setting: string): Finding {
  return buildFinding(check, 'not-checked', '', `Set ${setting} to have this checked.`);
}

/** For what no API shows and nobody has attested. */
export function reportNotAttested(check: CheckId, advice: string): Finding {
  return buildFinding(check, 'not-checked', '', advice);
}

/** Passes where there is no problem; otherwise fails with all of them. */
export function passOrFail(check: CheckId, problems: readonly string[], well: string, advice: string): Finding {
  return problems.length === 0 ? pass(check, well) : fail(check, problems.join('; '), advice);
}

/** Judges the one object of that name; reports a missing, ambiguous or unread one in the same words for every check. */
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
      return fail(check, `there is no ${what} of that name${askNear(found.near)}`, advice);
    case 'several':
      return fail(check, `there are ${found.count ?? 'several'} of that name`, `Leave only one ${what} of that name.`);
    case 'unread':
      return reportUnknown(check, found);
  }
}

function buildFinding(check: CheckId, result: FindingResult, found: string, advice: string): Finding {
  const { expected, instrument } = getCheckDefinition(check);
  const decides = instrument === true || (instrument === 'when-read' && result !== 'unknown');
  return { check, result, expected, found, advice, instrument: decides };
}

function askNear(near: string | undefined): string {
  return near === undefined ? '' : `; did you mean ${quoteText(near)}?`;
}

const longestQuote = 80;

/** A platform's own text for a sentence: shortened and in quotes. */
export function quoteText(text: unknown): string {
  const words = String(text ?? '');
  const shown = words.length > longestQuote ? `${words.slice(0, longestQuote)}…` : words;
  return `"${shown.toWellFormed()}"`;
}
