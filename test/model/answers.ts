/** What one device's answers mean: status, reason, age, and whether they could be proven. */
import type { Policy } from '../../src/core/facts/company.ts';
import type { DeviceFacts } from '../../src/core/facts/facts.ts';
import { isOlder, type Meaning } from './kind.ts';
import { findKindModel } from './kinds.ts';
import { type Row, readTime } from './rows.ts';

export function readDevice(
  device: DeviceFacts,
  kind: string,
  policy: Policy,
  moment: number,
): Required<Meaning> & Pick<Row, 'answerReason'> {
  const stale = isOlder(findAgeDate(device, kind), policy.staleAfterDays, moment);
  const meaning = findKindModel(kind).readAnswer(device, stale, policy, moment);
  return { isDoubted: false, isTooOld: false, ...meaning, answerReason: meaning.reason };
}

/** The oldest of the kind's dates, where all are known. */
export function findAgeDate(device: DeviceFacts, kind: string): number | undefined {
  const dates = findKindModel(kind).ageDates.map((name) => readTime(device[name]) ?? Number.NaN);
  const oldest = Math.min(...dates);
  return Number.isNaN(oldest) ? undefined : oldest;
}
