/** Proof: a status is proven unless a reason of the vocabulary speaks against it. The first that holds is given. */
import type { Policy } from '../facts/company.ts';
import type { Judgement } from '../facts/judged.ts';
import type { SourceRules } from '../facts/rules.ts';
import { type UnprovenBecause, unprovenReasons } from '../facts/vocabulary.ts';
import { millisecondsPerDay } from '../time/calendar.ts';

const order = Object.keys(unprovenReasons) as readonly UnprovenBecause[];

/** The first of the given reasons in the order of the vocabulary; undefined ones do not hold. */
export function findFirstReason(...reasons: readonly (UnprovenBecause | undefined)[]): UnprovenBecause | undefined {
  return order.find((reason) => reasons.includes(reason));
}

export function isAnswerProven({ unprovenBecause }: Partial<Pick<Judgement, 'unprovenBecause'>>): boolean {
  return unprovenBecause === undefined;
}

/**
 * Time in milliseconds since 1970 from which a contact proves an answer that is unchanged since before a repair.
 * Platforms do not document how often they check again, hence the long wait. Undefined where answers have no date of
 * their own.
 */
export function findUnchangedProvenFrom(
  repairedAt: string,
  { answerLimits }: Pick<SourceRules, 'answerLimits'>,
  policy: Policy,
): number | undefined {
  return answerLimits && Date.parse(repairedAt) + policy[answerLimits.repair] * millisecondsPerDay;
}
