/** Finds the next step for a device, in the texts of its kind of source for its reason. */
import type { NextSteps, Step } from '../../../core/facts/rules.ts';
import type { ReportedDevice } from '../../document/devices.ts';

/**
 * `createdAt` is the time since when the platform has had the instrument, where it says so; a device that was last seen
 * before `seenAfter` has to be found first, whatever its reason.
 */
export function findNextStep(
  { reason, platform, detail = '', lastSeenAt }: Pick<ReportedDevice, 'reason' | 'platform' | 'detail' | 'lastSeenAt'>,
  { byReason, notSeen, beforeInstrument, byCode = {} }: NextSteps,
  createdAt: string | undefined,
  seenAfter?: number,
): string | undefined {
  const seen = lastSeenAt === undefined ? undefined : Date.parse(lastSeenAt);
  const isBefore = createdAt !== undefined && seen !== undefined && seen < Date.parse(createdAt);
  if (reason === 'never-reported' && isBefore && beforeInstrument !== undefined) {
    return chooseText(beforeInstrument, platform);
  }
  if (reason !== 'unread' && seenAfter !== undefined && seen !== undefined && seen < seenAfter) {
    return chooseText(notSeen, platform);
  }
  const known = Object.entries(byCode).find(([code]) => new RegExp(`\\b${code}\\b`, 'i').test(detail));
  const steps: Readonly<Record<string, Step<string>>> = byReason;
  return chooseText(known?.[1] ?? (Object.hasOwn(steps, reason) ? steps[reason] : undefined), platform);
}

function chooseText(step: Step<string> | undefined, platform: string): string | undefined {
  return typeof step === 'object' ? step[platform] : step;
}
