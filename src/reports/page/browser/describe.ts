/** One device in a sentence: what is known of it, or why it is not counted. */
import { countDaysBetween } from '../../../core/calendar.ts';
import { type ExcludedBecause, exclusions, type Reason, reasons } from '../../../core/vocabulary.ts';
import type { PageData } from '../page-data.ts';
import { fillText, describeTexts as texts } from '../texts.ts';
import { formatLocalTime } from './dom.ts';
import { readFlag, readTime, readWord } from './unpack.ts';

export function describeDevice({ devices, slot }: PageData, row: number): string {
  const seenAt = readTime(devices.lastSeenAt, row);
  const seen = seenAt === undefined ? texts.neverSeen : fillText(texts.seen, { time: formatLocalTime(seenAt) });
  const because = readWord(devices.excludedBecause, row);
  if (because !== undefined) {
    return fillText(texts.notCounted, {
      because,
      meaning: exclusions[because as ExcludedBecause]?.meaning ?? '',
      seen,
    });
  }
  const proof = readFlag(devices.proven, row)
    ? texts.proven
    : readFlag(devices.stale, row)
      ? texts.stale
      : texts.notProven;
  const status = readWord(devices.status, row) ?? '';
  const since = readWord(devices.notInstalledSince, row);
  if (since === undefined) {
    return fillText(texts.installed, { status, proof, seen });
  }
  const reason = readWord(devices.reason, row) ?? '';
  const meaning = reasons[reason as Reason]?.meaning ?? '';
  const days = countDaysBetween(since, slot);
  return fillText(texts.notInstalled, { status, since, days, reason, meaning, proof, seen });
}
