/** What to do next about a device, from what its kind of source says for its reason. */
import type { NextSteps } from '../../../core/facts/next-steps.ts';
import type { ReportedDevice } from '../../document/report-document.ts';

/** `createdAt` is the time since when the platform has had the instrument, where it says so. */
export function findNextStep(
  { reason, detail = '', lastSeenAt }: Pick<ReportedDevice, 'reason' | 'detail' | 'lastSeenAt'>,
  { byReason, beforeInstrument, byCode = {} }: NextSteps,
  createdAt: string | undefined,
): string | undefined {
  const isBefore =
    createdAt !== undefined && lastSeenAt !== undefined && Date.parse(lastSeenAt) < Date.parse(createdAt);
  if (reason === 'never-reported' && isBefore && beforeInstrument !== undefined) {
    return beforeInstrument;
  }
  const known = Object.entries(byCode).find(([code]) => new RegExp(`\\b${code}\\b`, 'i').test(detail));
  const steps: Readonly<Record<string, string>> = byReason;
  return known?.[1] ?? (Object.hasOwn(steps, reason) ? steps[reason] : undefined);
}
