/** Proof: a status is proven unless something speaks against it. The first reason of the vocabulary that holds is given. */
import type { Policy } from '../facts/company.ts';
import type { Judgement } from '../facts/judged.ts';
import type { SourceRules } from '../facts/rules.ts';
import { type UnprovenBecause, unprovenReasons } from '../facts/vocabulary.ts';
import { millisecondsPerDay } from '../time/calendar.ts';

const order = Object.keys(unprovenReasons) as readonly UnprovenBecause[];

/** The first of them in the order of the vocabulary. Missing reasons do not hold. */
export function findFirstReason(...reasons: readonly (UnprovenBecause | undefined)[]): UnprovenBecause | undefined {
  return order.find((reason) => reasons.includes(reason));
}

export function isAnswerProven({ unprovenBecause }: Partial<Pick<Judgement, 'unprovenBecause'>>): boolean {
  return unprovenBecause === undefined;
}

/**
 * When a contact proves an answer that has stayed as it was since before a repair, in milliseconds since 1970. Platforms
 * do not say how often they look again, so it is believed after a long while. Undefined where answers have no date of
 * their own.
 */
export function findUnchangedProvenFrom(
  repairedAt: string,
  { answerLimits }: Pick<SourceRules, 'answerLimits'>,
  policy: Policy,
): number | undefined {
  return answerLimits && Date.parse(repairedAt) + policy[answerLimits.repair] * millisecondsPerDay;
}
