/** From a platform's answers to one status: exact words, never a substring, never case-folded. */

import type { Answer, DeviceFacts } from '../facts/facts.ts';
import type { SourceRules, Verdict } from '../facts/rules.ts';
import { compareCodePoints } from '../text/order.ts';
import { millisecondsPerDay, parseTime } from '../time/calendar.ts';

interface Classification {
  readonly verdict: Verdict;
  /** The place of the answer that won among the device's answers; -1 where there was none. */
  readonly answerIndex: number;
  /** Another outcome of the same app says the contrary, and is not much older. */
  readonly contradicted: boolean;
}

/**
 * Apps stand for each other: one that says Installed is enough, and one that says so clearly is better. Not Installed is
 * what all of them say, so that a contradiction about one of them takes the proof from it.
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

/** All of them are about one app, and there is at least one. */
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

/** The best is first: by rank, then the newest; ties go to the texts, so that order never matters. */
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

/** Somebody looked at the file, or tried to change it, and says what came of it. */
function isOutcome(answer: Answer, { ranks }: SourceRules): boolean {
  return rankAnswer(answer, ranks) === 0;
}

/** An answer without a date is older than any dated one. */
function readAnswerTime({ at }: Answer): number {
  return parseTime(at) ?? -Number.MAX_VALUE;
}

/** What users of one machine saw at different times is no contradiction when it is so far apart. */
const daysApart = 30;

/** Where a date is not known, nobody can say so. */
function isLongBefore(other: Answer, chosen: Answer): boolean {
  const [before, after] = [parseTime(other.at), parseTime(chosen.at)];
  return before !== undefined && after !== undefined && after - before >= daysApart * millisecondsPerDay;
}
