/** From a platform's answers to one status: exact words, never a substring, never case-folded. */

import { parseTime } from '../facts/calendar.ts';
import type { Answer, DeviceFacts } from '../facts/facts.ts';
import type { SourceRules, Verdict } from '../facts/rules.ts';
import { compareCodePoints } from '../text/order.ts';

interface Classification {
  readonly verdict: Verdict;
  /** The place of the answer that won among the device's answers; -1 where there was none. */
  readonly answerIndex: number;
  /** Another answer of the same device, newer or of unknown date, says the opposite. */
  readonly contradicted: boolean;
}

export function classifyDevice({ answers }: DeviceFacts, rules: SourceRules): Classification {
  const [answer] = answers.toSorted((left, right) => compareAnswers(right, left, rules));
  if (answer === undefined) {
    return { verdict: rules.silent, answerIndex: -1, contradicted: false };
  }
  const verdict = interpretAnswer(answer, rules);
  const contradicted = answers.some(
    (other) => mayBeNewer(other, answer) && interpretAnswer(other, rules).status !== verdict.status,
  );
  return { verdict, answerIndex: answers.indexOf(answer), contradicted };
}

function interpretAnswer({ value }: Answer, { words, blank, other }: SourceRules): Verdict {
  const word = value.trim();
  return word === '' ? blank : (words.get(word) ?? other);
}

/** The strongest winning word is last, otherwise the newest answer; ties go to the word itself, so that order never matters. */
function compareAnswers(left: Answer, right: Answer, { winning }: SourceRules): number {
  return (
    rankAnswer(left, winning) - rankAnswer(right, winning) ||
    readAnswerTime(left) - readAnswerTime(right) ||
    compareCodePoints(right.value, left.value) ||
    compareCodePoints(right.detail ?? '', left.detail ?? '')
  );
}

function rankAnswer({ value }: Answer, winning: readonly string[]): number {
  const index = winning.indexOf(value.trim());
  return index === -1 ? 0 : winning.length - index;
}

/** An answer without a date is older than any dated one. */
function readAnswerTime({ at }: Answer): number {
  return parseTime(at) ?? -Number.MAX_VALUE;
}

/** A choice is doubted by it: an answer without a date can be newer than any other. */
function mayBeNewer(other: Answer, chosen: Answer): boolean {
  return other.at === undefined || chosen.at === undefined || readAnswerTime(other) > readAnswerTime(chosen);
}
