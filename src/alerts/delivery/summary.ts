/** What people are told at once and what waits for a later message, and what is said of events that waited. Pure. */
import type { AlertEvent } from '../../core/facts/alert-event.ts';
import { countDaysBetween } from '../../core/facts/calendar.ts';
import { pluralize } from '../../core/text/pluralize.ts';
import type { HeldEvents } from '../../storage/runs/outbox-record.ts';
import type { DigestSection } from '../message/digest.ts';
import { isUrgent } from '../message/digest-event.ts';
import { dropSuperseded } from './outbox.ts';

/** A weekly summary follows the first event in it by so many days. */
const summaryDays = 6;

type Summary = Pick<HeldEvents, 'since' | 'events'>;

/**
 * What is said at once, the summary where it is due, and what waits for it. With `quiet`, all but errors waits for a week;
 * otherwise what asks nothing of anybody waits for the next message, and no longer than a week.
 */
export function holdForSummary(
  own: readonly AlertEvent[],
  held: readonly HeldEvents[],
  slot: string,
  { isQuiet, isEveryNight }: { readonly isQuiet: boolean; readonly isEveryNight: boolean },
): { urgent: readonly AlertEvent[]; summary?: Summary; kept?: Summary } {
  const earlier = held.flatMap((one) => one.events);
  const isSentNow = !isQuiet && (isEveryNight || own.some((event) => isUrgent(event)));
  const urgent = isSentNow ? own : own.filter((event) => isUrgent(event, isQuiet));
  const waiting = own.filter((event) => !urgent.includes(event));
  const events = isQuiet ? dropSuperseded([...earlier, ...waiting], urgent) : [...earlier, ...waiting];
  if (events.length === 0) {
    return { urgent };
  }
  const since = held[0]?.since ?? slot;
  const isDue = isSentNow || countDaysBetween(since, slot) >= summaryDays;
  return isDue ? { urgent, summary: { since, events } } : { urgent, kept: { since, events } };
}

/** The last event of each key. What opened and ended meanwhile is only counted, unless it was open before. */
export function mergeEvents(events: readonly AlertEvent[]): { events: readonly AlertEvent[]; ended: number } {
  const byKey = Map.groupBy(events, ({ key }) => key);
  const merged: AlertEvent[] = [];
  let ended = 0;
  for (const group of byKey.values()) {
    const [first, last] = [group[0], group.at(-1)] as [AlertEvent, AlertEvent];
    const wasOpen = first.phase !== 'first';
    if (last.phase === 'over' && !wasOpen) {
      ended += 1;
    } else {
      const shown = last.phase === 'again' ? (group.findLast(({ phase }) => phase === 'first') ?? last) : last;
      // It may be merged again, with its end.
      merged.push(shown);
    }
  }
  return { events: merged, ended };
}

export function describeMerged(since: string, ended: number, isLate: boolean): DigestSection {
  const lines = ended === 0 ? [] : [`${ended} ${pluralize(ended, 'alert')} opened and ended meanwhile.`];
  const ask = isLate
    ? 'This channel did not accept messages; this one stands for all of them.'
    : 'What was not urgent is reported once a week.';
  return { title: `Since ${since}`, ask, count: 1, lines, more: 0 };
}
