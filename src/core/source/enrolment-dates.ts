/** The dates by which the next run can read a source's list in ranges. */
import type { DeviceFacts } from '../facts/facts.ts';
import type { EnrolmentDates } from '../facts/state.ts';

const parts = 8;
const lengthToSecond = 'YYYY-MM-DDThh:mm:ss'.length;

export function computeEnrolmentDates(devices: readonly DeviceFacts[]): EnrolmentDates {
  const dates = devices.flatMap(({ enrolledAt }) => enrolledAt?.slice(0, lengthToSecond) ?? []).sort();
  const bounds = Array.from({ length: parts - 1 }, (_, part) => dates[Math.floor((dates.length * (part + 1)) / parts)]);
  return {
    bounds: [...new Set(bounds.filter((bound) => bound !== undefined))],
    unknown: devices.length - dates.length,
  };
}
