/** What is concluded from one device: its status and reason, whether they are proven and recent, and since when. */
import type { Acknowledgement, Answer, Facts } from '../facts/facts.ts';
import type { DeviceStanding, JudgedDevice, Judgement } from '../facts/judged.ts';
import { readAgeTime } from './ages.ts';
import { canProve, classifyDevice, isBeforeRepair, isStale } from './classify.ts';

export interface DeviceContext extends Pick<Facts, 'policy' | 'moment'> {
  /** Whether its source measures what it should. */
  readonly isTrusted: boolean;
  /** Values taken before this time were taken while the instrument was broken. */
  readonly repairedAt: string | undefined;
  readonly answeredOn: string;
}

/** What the last nights and other records say of the device. */
interface DeviceHistory {
  readonly notInstalledSince: string;
  readonly wasReplacementCounted: boolean;
  readonly acknowledgement: Acknowledgement | undefined;
}

export function judgeDevice(
  { facts, judgement: standing }: JudgedDevice<DeviceStanding>,
  context: DeviceContext,
  { notInstalledSince, wasReplacementCounted, acknowledgement }: DeviceHistory,
): Judgement {
  const { rules, counted, excludedBecause, supersededBy, sharesSerialNumber } = standing;
  const { policy, moment, repairedAt } = context;
  const classified = classifyDevice(facts, rules);
  const { status, reason } = classified.verdict;
  return {
    rules,
    counted,
    excludedBecause,
    supersededBy,
    sharesSerialNumber,
    status,
    reason,
    answerIndex: classified.answerIndex,
    proven: context.isTrusted && canProve(facts, classified, rules, context),
    stale: isStale(facts, rules, policy, moment),
    wasReplacementCounted,
    isBeforeRepair: isBeforeRepair(facts, rules, repairedAt),
    notInstalledSince: status === 'Not Installed' ? notInstalledSince : undefined,
    answeredOn: context.answeredOn,
    acknowledgement,
  };
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
