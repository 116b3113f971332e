/**
 * The memory of a night: it starts with what was told before, and every matter passes through it once. Nothing is
 * forgotten that nobody spoke of tonight, so missing data resolves nothing.
 */

import { type AlertEvent, countDaysBetween, reminderIntervalDays } from './alert-event.ts';
import type { AlertState } from './alert-state.ts';
import type { EventKind } from './event-kinds.ts';

type AlertDetails = Omit<AlertEvent, 'kind' | 'key' | 'phase' | 'slot' | 'since'>;

export interface AlertLog {
  find(key: string): AlertState | undefined;
  /** The matter stands tonight: told if it is new, another than before, or due again. */
  raise(key: string, kind: EventKind, news: AlertDetails, about?: string): void;
  /** The matter is over: told if it had been told, under the kind that says so. */
  resolve(key: string, kind: EventKind, news: AlertDetails): void;
  /** Told tonight whatever was told before; what is remembered is the caller's to note. */
  emit(key: string, kind: EventKind, phase: AlertEvent['phase'], since: string, news: AlertDetails): void;
  /** Remembered as told, without an event of its own. */
  record(told: AlertState): void;
  forget(key: string): void;
  /** Keys remembered that begin so. */
  keys(prefix: string): readonly string[];
  events(): readonly AlertEvent[];
  alertStates(): readonly AlertState[];
}

export function createAlertLog(told: readonly AlertState[], slot: string): AlertLog {
  const known = new Map(told.map((entry) => [entry.key, entry]));
  const events: AlertEvent[] = [];
  const tell = (key: string, kind: EventKind, phase: AlertEvent['phase'], since: string, news: AlertDetails) =>
    events.push({ kind, key, phase, slot, since, ...news });
  return {
    find: (key) => known.get(key),
    raise(key, kind, news, about) {
      const before = known.get(key);
      const isSame = before?.kind === kind && before.about === about;
      if (isSame && countDaysBetween(before.last, slot) < reminderIntervalDays) {
        return;
      }
      const since = isSame ? before.since : slot;
      tell(key, kind, isSame ? 'again' : 'first', since, news);
      known.set(key, { key, kind, since, last: slot, ...(about === undefined ? {} : { about }) });
    },
    resolve(key, kind, news) {
      const before = known.get(key);
      if (before === undefined) {
        return;
      }
      known.delete(key);
      tell(key, kind, 'over', before.since, news);
    },
    emit: (key, kind, phase, since, news) => void tell(key, kind, phase, since, news),
    record: (entry) => void known.set(entry.key, entry),
    forget: (key) => void known.delete(key),
    keys: (prefix) => [...known.keys()].filter((key) => key.startsWith(prefix)),
    events: () => events,
    alertStates: () => [...known.values()],
  };
}
