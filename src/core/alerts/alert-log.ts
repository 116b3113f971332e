/**
 * The open alerts during a run: it starts with those of the last run, and collects this run's events. An alert that
 * nothing in this run is about stays open, so missing data resolves nothing.
 */

import { countDaysBetween } from '../calendar.ts';
import { type AlertEvent, reminderIntervalDays } from './alert-event.ts';
import type { AlertState } from './alert-state.ts';
import type { EventKind } from './event-kinds.ts';

type AlertDetails = Omit<AlertEvent, 'kind' | 'key' | 'phase' | 'slot' | 'since'>;

export interface AlertLog {
  find(key: string): AlertState | undefined;
  /** The condition holds: an event if it is new, about something else than before, or a reminder is due. */
  raise(key: string, kind: EventKind, details: AlertDetails, about?: string): void;
  /** The condition has ended: an event of this kind if the alert was open. */
  resolve(key: string, kind: EventKind, details: AlertDetails): void;
  /** An event in any case; the caller records the alert. */
  emit(key: string, kind: EventKind, phase: AlertEvent['phase'], since: string, details: AlertDetails): void;
  /** Opens or replaces an alert without an event. */
  record(alert: AlertState): void;
  /** Closes an alert without an event. */
  forget(key: string): void;
  /** Keys of open alerts that begin so. */
  keys(prefix: string): readonly string[];
  events(): readonly AlertEvent[];
  alertStates(): readonly AlertState[];
}

export function createAlertLog(alertStates: readonly AlertState[], slot: string): AlertLog {
  const open = new Map(alertStates.map((alert) => [alert.key, alert]));
  const events: AlertEvent[] = [];
  const append = (key: string, kind: EventKind, phase: AlertEvent['phase'], since: string, details: AlertDetails) =>
    events.push({ kind, key, phase, slot, since, ...details });
  return {
    find: (key) => open.get(key),
    raise(key, kind, details, about) {
      const before = open.get(key);
      const isSame = before?.kind === kind && before.about === about;
      if (isSame && countDaysBetween(before.last, slot) < reminderIntervalDays) {
        return;
      }
      const since = isSame ? before.since : slot;
      append(key, kind, isSame ? 'again' : 'first', since, details);
      open.set(key, { key, kind, since, last: slot, ...(about === undefined ? {} : { about }) });
    },
    resolve(key, kind, details) {
      const before = open.get(key);
      if (before === undefined) {
        return;
      }
      open.delete(key);
      append(key, kind, 'over', before.since, details);
    },
    emit: (key, kind, phase, since, details) => void append(key, kind, phase, since, details),
    record: (alert) => void open.set(alert.key, alert),
    forget: (key) => void open.delete(key),
    keys: (prefix) => [...open.keys()].filter((key) => key.startsWith(prefix)),
    events: () => events,
    alertStates: () => [...open.values()],
  };
}
