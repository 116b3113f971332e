/** The events of a range of runs as one message names them: each alert once, as it is after the last run. Pure. */
import type { AlertEvent } from '../../core/facts/alert-event.ts';
import type { AlertState } from '../../core/facts/remembered.ts';

export interface LackedRange {
  /** The number of the first commit. */
  readonly first: number;
  /** Events of the runs that can be read, oldest first. */
  readonly events: readonly AlertEvent[];
  /** Alerts that are open after the last run; missing where the events say which. */
  readonly open?: readonly AlertState[] | undefined;
  /** Alerts that the runs opened which cannot be read, and which are open still. */
  readonly lost: readonly AlertEvent[];
}

export interface MergedRange {
  readonly events: readonly AlertEvent[];
  /** Alerts that opened and ended in the range. */
  readonly ended: number;
}

/**
 * Named are alerts that opened in the range and are open, alerts that were open before and ended in it, all notices, and
 * the reminders of what is open still.
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

/** An alert that opened in the range is new, and is as its newest event describes it. */
function findNewest(events: readonly AlertEvent[], last: AlertEvent): AlertEvent {
  const opening = events.findLast(({ phase }) => phase === 'first');
  if (opening === undefined || last.phase !== 'again') {
    return last;
  }
  return isRepeatedBriefly(last) ? opening : { ...last, phase: 'first' };
}

/** A source that is still not sound is repeated in one short line. */
function isRepeatedBriefly({ kind }: Pick<AlertEvent, 'kind'>): boolean {
  return kind.startsWith('source.');
}

/** The open alerts of runs from one commit on that cannot be read, as they opened; `readable` are the numbers of others. */
export function listLostAlerts(
  open: readonly AlertState[],
  first: number,
  readable: ReadonlySet<number>,
): readonly AlertEvent[] {
  return open
    .filter(({ opened, changed = opened, isCounted }) => changed >= first && !readable.has(changed) && !isCounted)
    .map(toOpeningEvent);
}

/** An open alert as the event that opened it, from the state alone. */
function toOpeningEvent({ key, kind, since, opened, last, details }: AlertState): AlertEvent {
  const phase = isRepeatedBriefly({ kind }) && last > since ? 'again' : 'first';
  return { ...details, kind, key, phase, slot: last, since, opened };
}
