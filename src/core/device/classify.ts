/** From a platform's answers to one status: exact words, never a substring, never case-folded. */

import { millisecondsPerDay, parseTime } from '../facts/calendar.ts';
import type { Answer, DeviceFacts, Policy } from '../facts/facts.ts';
import type { SourceRules, Verdict } from '../facts/rules.ts';
import { compareCodePoints } from '../text/order.ts';
import { isOlderThan, readAgeTime } from './ages.ts';

export interface Classification {
  readonly verdict: Verdict;
  /** The answer that won; undefined when there was none. */
  readonly answer: Answer | undefined;
  /** Its place among the device's answers; -1 where there was none. */
  readonly answerIndex: number;
  /** Another answer of the same device, newer or of unknown date, says the opposite. */
  readonly contradicted: boolean;
}

export function classifyDevice(device: DeviceFacts, rules: SourceRules): Classification {
  const { answers } = device;
  const answer = pickWinningAnswer(answers, rules);
  if (answer === undefined) {
    return { verdict: rules.silent, answer, answerIndex: -1, contradicted: false };
  }
  const verdict = interpretAnswer(answer, rules);
  const contradicted = answers.some(
    (other) => mayBeNewer(other, answer) && interpretAnswer(other, rules).status !== verdict.status,
  );
  return { verdict, answer, answerIndex: answers.indexOf(answer), contradicted };
}

function interpretAnswer(answer: Answer, rules: SourceRules): Verdict {
  const word = answer.value.trim();
  if (word === '') {
    return rules.blank;
  }
  return rules.words.get(word) ?? rules.other;
}

/** The strongest winning word, otherwise the newest answer; ties go to the word itself, so that order never matters. */
function pickWinningAnswer(answers: readonly Answer[], rules: SourceRules): Answer | undefined {
  let best: Answer | undefined;
  for (const answer of answers) {
    if (best === undefined || compareAnswers(answer, best, rules) > 0) {
      best = answer;
    }
  }
  return best;
}

function compareAnswers(left: Answer, right: Answer, rules: SourceRules): number {
  const strength = rankAnswer(left, rules) - rankAnswer(right, rules);
  if (strength !== 0) {
    return strength;
  }
  if (isNewerAnswer(left, right)) {
    return 1;
  }
  if (isNewerAnswer(right, left)) {
    return -1;
  }
  return compareCodePoints(right.value, left.value) || compareCodePoints(right.detail ?? '', left.detail ?? '');
}

function rankAnswer(answer: Answer, rules: SourceRules): number {
  const index = rules.winning.indexOf(answer.value.trim());
  return index === -1 ? 0 : rules.winning.length - index;
}

/** One is chosen by it: an answer without a date is older than any dated one. */
function isNewerAnswer(left: Answer, right: Answer): boolean {
  return (parseTime(left.at) ?? Number.NEGATIVE_INFINITY) > (parseTime(right.at) ?? Number.NEGATIVE_INFINITY);
}

/** One is doubted by it: an answer without a date can be newer than any other. */
function mayBeNewer(other: Answer, chosen: Answer): boolean {
  return other.at === undefined || chosen.at === undefined || isNewerAnswer(other, chosen);
}

export function isStale(device: DeviceFacts, rules: SourceRules, policy: Policy, moment: string): boolean {
  return isOlderThan(readAgeTime(device, rules), moment, policy.staleAfterDays);
}

export interface ProofContext {
  readonly policy: Policy;
  readonly moment: string;
  /** Values taken before this time were taken while the instrument was broken. */
  readonly repairedAt: string | undefined;
}

/**
 * Whether this status is proof: the word can be, it is recent, nothing contradicts it, and it was taken after the
 * instrument's last repair. Whether the instrument is sound tonight is the caller's to know.
 */
export function canProve(
  device: DeviceFacts,
  classified: Classification,
  rules: SourceRules,
  night: ProofContext,
): boolean {
  if (!classified.verdict.provable || classified.contradicted) {
    return false;
  }
  if (isStale(device, rules, night.policy, night.moment)) {
    return false;
  }
  const answeredAt = parseTime(classified.answer?.at);
  const maximumAge = rules.answersHaveDates ? night.policy.windowsStateMaxAgeDays : undefined;
  if (maximumAge !== undefined && isOlderThan(answeredAt, night.moment, maximumAge)) {
    return false;
  }
  return !isBeforeRepair(device, rules, night.repairedAt) && !isAnswerBeforeRepair(device, answeredAt, rules, night);
}

/** Measured before the instrument was sound again: a repaired script does not repair values already measured. */
export function isBeforeRepair(device: DeviceFacts, rules: SourceRules, repairedAt: string | undefined): boolean {
  if (repairedAt === undefined) {
    return false;
  }
  const taken = readAgeTime(device, rules);
  return taken === undefined || taken < Date.parse(repairedAt);
}

/** Platforms do not say how often they look again, so an answer that stays as it is is believed after a long while. */
function isAnswerBeforeRepair(
  device: DeviceFacts,
  answeredAt: number | undefined,
  rules: SourceRules,
  { policy, repairedAt }: ProofContext,
): boolean {
  if (repairedAt === undefined || !rules.answersHaveDates) {
    return false;
  }
  const repaired = Date.parse(repairedAt);
  if (answeredAt !== undefined && answeredAt >= repaired) {
    return false;
  }
  const taken = readAgeTime(device, rules);
  return taken === undefined || taken < repaired + policy.windowsRepairDays * millisecondsPerDay;
}
