/** Merges the events of a range of runs for one message: each alert once, as it is after the last run. Pure. */
import type { AlertEvent } from '../../core/facts/alert-event.ts';
import type { AlertState } from '../../core/facts/remembered.ts';

export interface LackedRange {
  /** The number of the first commit. */
  readonly first: number;
  /** Events of the runs that can be read, oldest first. */
  readonly events: readonly AlertEvent[];
  /** Alerts that are open after the last run; missing where the events say so. */
  readonly open?: readonly AlertState[] | undefined;
  /** Alerts that unreadable runs opened, and that are still open. */
  readonly lost: readonly AlertEvent[];
}

export interface MergedRange {
  readonly events: readonly AlertEvent[];
  /** Number of alerts that opened and ended in the range. */
  readonly ended: number;
}

/**
 * The events to name: alerts that opened in the range and are open, alerts that were open before and ended in it, all
 * notices, and reminders of alerts that are still open.
 */
export function mergeRange({ first, events, open, lost }: LackedRange): MergedRange {
  const openKeys = open && new Set(open.map(({ key }) => key));
  const isLost = new Set(lost.map(({ key }) => key));
  const named: AlertEvent[] = [];
  let ended = 0;
  for (const [key, own] of Map.groupBy(events, (event) => event.key)) {
    named.push(...own.filter(({ phase }) => phase === 'notice'));
    const last = own.findLast(({ phase }) => phase !== 'notice');
    if (last === undefined || isLost.has(key)) {
      continue;
    }
    if (openKeys?.has(key) ?? last.phase !== 'over') {
      named.push(findNewest(own, last));
    } else if (own.some(({ phase, opened }) => phase === 'over' && opened < first)) {
      named.push(last);
    } else {
      ended += 1;
    }
  }
  return { events: [...named, ...lost], ended };
}

/** The event that names an open alert: if it opened in the range, it is new, with the content of its newest event. */
function findNewest(events: readonly AlertEvent[], last: AlertEvent): AlertEvent {
  const opening = events.findLast(({ phase }) => phase === 'first');
  if (opening === undefined || last.phase !== 'again') {
    return last;
  }
  return isRepeatedBriefly(last) ? opening : { ...last, phase: 'first' };
}

/** Whether repeated events of the kind are one short line, as for sources that are still not sound. */
function isRepeatedBriefly({ kind }: Pick<AlertEvent, 'kind'>): boolean {
  return kind.startsWith('source.');
}

/** Open alerts that unreadable runs from commit `first` on opened or changed; `readable` are the numbers of the others. */
export function listLostAlerts(
  open: readonly AlertState[],
  first: number,
  readable: ReadonlySet<number>,
): readonly AlertEvent[] {
  return open
    .filter(({ opened, changed = opened, isCounted }) => changed >= first && !readable.has(changed) && !isCounted)
    .map(toOpeningEvent);
}

/** The event that opened an alert, from its state alone. */
function toOpeningEvent({ key, kind, since, opened, last, details }: AlertState): AlertEvent {
  const phase = isRepeatedBriefly({ kind }) && last > since ? 'again' : 'first';
  return { ...details, kind, key, phase, slot: last, since, opened };
}
