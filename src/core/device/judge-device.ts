/** What is concluded from one device: its status and reason, whether they are proven and recent, and since when. */
import { millisecondsPerDay, parseTime } from '../facts/calendar.ts';
import type { Answer, DeviceFacts, Facts } from '../facts/facts.ts';
import type { DeviceStanding, JudgedDevice, Judgement } from '../facts/judged.ts';
import type { SourceRules } from '../facts/rules.ts';
import { isOlderThan, readAgeTime } from './ages.ts';
import { classifyDevice } from './classify.ts';

export interface AnswerContext extends Pick<Facts, 'policy' | 'moment'> {
  /** Whether its source measures what it should. */
  readonly isTrusted: boolean;
  /** Values taken before this time were taken while the instrument was broken. */
  readonly repairedAt: string | undefined;
}

/** What the last nights and other records say of the device. */
type DeviceHistory = Pick<Judgement, 'notInstalledSince' | 'wasReplacementCounted' | 'acknowledgement' | 'answeredOn'>;

export function judgeDevice(
  { facts, judgement: standing }: JudgedDevice<DeviceStanding>,
  context: AnswerContext,
  history: DeviceHistory,
): Judgement {
  const answer = judgeAnswer(facts, standing, context);
  return {
    ...standing,
    ...history,
    ...answer,
    proven: answer.proven && !standing.isContradicted,
    notInstalledSince: answer.status === 'Not Installed' ? history.notInstalledSince : undefined,
  };
}

export type JudgedAnswer = Pick<Judgement, 'status' | 'reason' | 'answerIndex' | 'proven' | 'stale' | 'isBeforeRepair'>;

/** What its own source says of it, whatever other records of the machine say. */
export function judgeAnswer(
  facts: DeviceFacts,
  { rules, unread }: Pick<DeviceStanding, 'rules' | 'unread'>,
  context: AnswerContext,
): JudgedAnswer {
  const { policy, moment, isTrusted, repairedAt } = context;
  const { verdict, answerIndex, contradicted } = classifyDevice(facts, rules);
  const { status, reason, provable } = verdict;
  const age = readAgeTime(facts, rules);
  const stale = isOlderThan(age, moment, policy.staleAfterDays);
  // A repaired script does not repair values that were measured before.
  const isBeforeRepair = repairedAt !== undefined && (age === undefined || age < Date.parse(repairedAt));
  const isClear = unread === undefined && provable && !contradicted && !stale && !isBeforeRepair;
  const answeredAt = parseTime(facts.answers[answerIndex]?.at);
  const proven = isTrusted && isClear && isAnswerCurrent(answeredAt, age, rules.answerLimits, context);
  return { status, reason: unread === undefined ? reason : 'unread', answerIndex, proven, stale, isBeforeRepair };
}

/** An answer's own date counts against proof where it is too old, or from before the instrument's last repair. */
function isAnswerCurrent(
  answeredAt: number | undefined,
  age: number | undefined,
  limits: SourceRules['answerLimits'],
  { policy, moment, repairedAt }: AnswerContext,
): boolean {
  if (limits === undefined) {
    return true;
  }
  const maximumAge = policy[limits.maximumAge];
  if (maximumAge !== undefined && isOlderThan(answeredAt, moment, maximumAge)) {
    return false;
  }
  if (repairedAt === undefined || (answeredAt !== undefined && answeredAt >= Date.parse(repairedAt))) {
    return true;
  }
  // Platforms do not say how often they look again, so an answer that stays as it is is believed after a long while.
  return age !== undefined && age >= Date.parse(repairedAt) + policy[limits.repair] * millisecondsPerDay;
}

/** Its platform says something about the agent, whatever it is worth. */
export function hasAnswer({ answers }: DeviceFacts): boolean {
  return answers.some(({ value }) => value.trim() !== '');
}

/** The answer that decided its status, if it has any. */
export function findAnswer({ facts, judgement }: JudgedDevice): Answer | undefined {
  return facts.answers[judgement.answerIndex];
}

/** A blank answer is no value. */
export function readValue(device: JudgedDevice): string | undefined {
  const value = findAnswer(device)?.value;
  return value?.trim() === '' ? undefined : value;
}

/** Where a platform dates its answers by the inventory report, "no value" has that date too. */
export function readValueTime(device: JudgedDevice): string | undefined {
  return findAnswer(device)?.at ?? device.facts.reportedAt;
}

/** The time by which the age of its answer is judged, in milliseconds since 1970; undefined where it is not known. */
export function readAnswerAge({ facts, judgement }: JudgedDevice): number | undefined {
  return readAgeTime(facts, judgement.rules);
}
