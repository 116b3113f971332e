/** Classifies a platform's answers as one status: exact words, never a substring, never case-folded. */

import type { Answer, DeviceFacts } from '../facts/facts.ts';
import type { SourceRules, Verdict } from '../facts/rules.ts';
import { compareCodePoints } from '../text/order.ts';
import { millisecondsPerDay, parseTime } from '../time/calendar.ts';

interface Classification {
  readonly verdict: Verdict;
  /** Index of the deciding answer among the device's answers; -1 where there is none. */
  readonly answerIndex: number;
  /** True where another outcome of the same app contradicts it and is not much older. */
  readonly contradicted: boolean;
}

/**
 * Classifies the answers of all apps together. One app that says Installed is enough, preferably a clear one. Not
 * Installed needs the word of every app, so that a contradiction about any of them removes the proof.
 */
export function classifyDevice({ answers, clientAppsWorkload }: DeviceFacts, rules: SourceRules): Classification {
  const choices = [...Map.groupBy(answers, ({ app }) => app).values()].map((ofApp) => chooseAnswer(ofApp, rules));
  const [best] = choices.sort(
    (left, right) =>
      Number(isInstalled(right)) - Number(isInstalled(left)) ||
      Number(isClear(right)) - Number(isClear(left)) ||
      compareAnswers(left.answer, right.answer, rules),
  );
  if (best === undefined) {
    const { elsewhere, silent } = rules;
    const isElsewhere = elsewhere !== undefined && elsewhere.workload === clientAppsWorkload;
    return { verdict: isElsewhere ? elsewhere.verdict : silent, answerIndex: -1, contradicted: false };
  }
  const { verdict, answer } = best;
  const contradicted = isInstalled(best) ? best.contradicted : choices.some((choice) => choice.contradicted);
  return { verdict, answerIndex: answers.indexOf(answer), contradicted };
}

interface Choice extends Pick<Classification, 'verdict' | 'contradicted'> {
  readonly answer: Answer;
}

/** Chooses among the answers about one app, of which there is at least one. */
function chooseAnswer(answers: readonly Answer[], rules: SourceRules): Choice {
  const answer = answers.reduce((best, other) => (compareAnswers(other, best, rules) < 0 ? other : best));
  const verdict = interpretAnswer(answer, rules);
  const contradicted =
    isOutcome(answer, rules) &&
    answers.some(
      (other) =>
        isOutcome(other, rules) &&
        interpretAnswer(other, rules).status !== verdict.status &&
        !isLongBefore(other, answer),
    );
  return { answer, verdict, contradicted };
}

function isInstalled({ verdict }: Choice): boolean {
  return verdict.status === 'Installed';
}

function isClear({ verdict, contradicted }: Choice): boolean {
  return verdict.provable && !contradicted;
}

function interpretAnswer({ value }: Answer, { words, blank, other }: SourceRules): Verdict {
  const word = value.trim();
  return word === '' ? blank : (words.get(word) ?? other);
}

/** Orders the best first: by rank, then the newest; ties go to the texts, so that input order never matters. */
function compareAnswers(left: Answer, right: Answer, { ranks }: SourceRules): number {
  return (
    rankAnswer(left, ranks) - rankAnswer(right, ranks) ||
    readAnswerTime(right) - readAnswerTime(left) ||
    compareCodePoints(left.value.trim(), right.value.trim()) ||
    compareCodePoints(left.value, right.value) ||
    compareCodePoints(left.detail ?? '', right.detail ?? '') ||
    compareCodePoints(left.app ?? '', right.app ?? '')
  );
}

function rankAnswer({ value }: Answer, ranks: SourceRules['ranks']): number {
  const rank = ranks.findIndex((words) => words.includes(value.trim()));
  return rank === -1 ? ranks.length : rank;
}

/** Whether the answer reports the result of a check or an installation. */
function isOutcome(answer: Answer, { ranks }: SourceRules): boolean {
  return rankAnswer(answer, ranks) === 0;
}

/** Time of the answer; an answer without a date is older than any dated one. */
function readAnswerTime({ at }: Answer): number {
  return parseTime(at) ?? -Number.MAX_VALUE;
}

/** Days between two users' contrary answers above which they do not contradict each other. */
const daysApart = 30;

/** Whether one answer is long before the other; false where a date is not known. */
function isLongBefore(other: Answer, chosen: Answer): boolean {
  const [before, after] = [parseTime(other.at), parseTime(chosen.at)];
  return before !== undefined && after !== undefined && after - before >= daysApart * millisecondsPerDay;
}
