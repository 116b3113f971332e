/** What looking for one object by its name came to: found, missing, ambiguous or unread. */
import { MusterError } from '../../base/errors.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { findNearest } from '../../core/text/nearest-name.ts';

/** `unread` has the reason, such as a missing permission. */
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

/** In place of what a source has not read yet. */
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
    advice: 'Run again; docs/commands.md explains the code.',
  };
}

/** Finds the one entry with exactly that name; names are unique on no server. */
export function findByName<T extends { readonly name: unknown }>(all: readonly T[], name: string): LookupResult<T> {
  const found = all.filter((candidate) => candidate.name === name);
  const [first] = found;
  if (first === undefined) {
    const names = all.flatMap((candidate) => (typeof candidate.name === 'string' ? [candidate.name] : []));
    return { is: 'none', ...omitUndefined({ near: findNearest(name, names) }) };
  }
  return found.length === 1 ? { is: 'one', value: first } : { is: 'several', count: found.length };
}
