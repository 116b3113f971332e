/** Reading again until the answers agree. */
import type { ErrorCode } from '../../base/errors.ts';
import { hasCode } from './attempt.ts';

/** What a further answer shows: the result, once two answers agree, or what is known so far. */
export type Agreement<Known, Result> = { readonly agreed: Result } | { readonly known: Known };

export async function readUntilAgreed<Known, Result>(
  maximumAnswers: number,
  first: Known,
  readAndCompare: (known: Known, answers: number) => Promise<Agreement<Known, Result>>,
  createError: (known: Known) => Error,
): Promise<Result> {
  let known = first;
  for (let answers = 1; answers <= maximumAnswers; answers += 1) {
    const comparison = await readAndCompare(known, answers);
    if ('agreed' in comparison) {
      return comparison.agreed;
    }
    known = comparison.known;
  }
  throw createError(known);
}

/** Reads a list a second time where the first answer contradicts itself, as it does while devices come and go. */
export async function readConsistently<T>(contradictions: readonly ErrorCode[], read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!hasCode(error, ...contradictions)) {
      throw error;
    }
    return read();
  }
}
