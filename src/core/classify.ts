/** From a platform's answers to one status: exact words, never a substring, never case-folded. */
import type { Answer, DeviceFacts, Policy } from './facts.ts';
import { compareCodePoints } from './order.ts';
import type { SourceRules, Verdict } from './rules.ts';

export interface Classification {
  readonly verdict: Verdict;
  /** The answer that won; undefined when there was none. */
  readonly answer: Answer | undefined;
  /** A newer answer of the same device says the opposite. */
  readonly contradicted: boolean;
}

export function classifyDevice(device: DeviceFacts, rules: SourceRules): Classification {
  const answer = pickWinningAnswer(device.answers, rules);
  if (answer === undefined) {
    return { verdict: rules.silent, answer, contradicted: false };
  }
  const verdict = interpretAnswer(answer, rules);
  const contradicted = device.answers.some(
    (other) => isNewerAnswer(other, answer) && interpretAnswer(other, rules).status !== verdict.status,
  );
  return { verdict, answer, contradicted };
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

/** An answer without a date is older than any dated one: its age is not known. */
function isNewerAnswer(left: Answer, right: Answer): boolean {
  if (left.at === undefined) {
    return false;
  }
  return right.at === undefined || Date.parse(left.at) > Date.parse(right.at);
}

const millisecondsPerDay = 24 * 60 * 60 * 1000;

/** Older than the limit at the moment, or of unknown age. What is younger than the moment has age 0. */
function isOlder(date: string | undefined, moment: string, days: number): boolean {
  if (date === undefined) {
    return true;
  }
  // Turned round, so that a date that is none counts as unknown.
  return !(Date.parse(moment) - Date.parse(date) <= days * millisecondsPerDay);
}

export function isStale(device: DeviceFacts, rules: SourceRules, policy: Policy, moment: string): boolean {
  return isOlder(device[rules.age], moment, policy.staleAfterDays);
}

/**
 * Whether this status is proof: the word can be, it is recent, nothing newer contradicts it, and it was taken after
 * the instrument's last repair. Whether the instrument is sound tonight is the caller's to know.
 */
export function canProve(
  device: DeviceFacts,
  classified: Classification,
  rules: SourceRules,
  night: { policy: Policy; moment: string; soundAgainAt: string | undefined },
): boolean {
  if (!classified.verdict.provable || classified.contradicted) {
    return false;
  }
  if (isStale(device, rules, night.policy, night.moment)) {
    return false;
  }
  const maximumAge = rules.answerAges ? night.policy.windowsStateMaxAgeDays : undefined;
  if (maximumAge !== undefined && isOlder(classified.answer?.at, night.moment, maximumAge)) {
    return false;
  }
  return !isBeforeRepair(device, rules, night.soundAgainAt);
}

/** Measured before the instrument was sound again: a repaired script does not repair values already measured. */
export function isBeforeRepair(device: DeviceFacts, rules: SourceRules, soundAgainAt: string | undefined): boolean {
  if (soundAgainAt === undefined) {
    return false;
  }
  const taken = device[rules.age];
  return taken === undefined || Date.parse(taken) < Date.parse(soundAgainAt);
}
