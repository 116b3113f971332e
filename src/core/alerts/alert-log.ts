/**
 * The memory of a night: it starts with what was told before, and every matter passes through it once. Nothing is
 * forgotten that nobody spoke of tonight, so missing data resolves nothing.
 */
import type { Told } from './alert-state.ts';
import { daysBetween, type Event, repeatDays } from './event.ts';
import type { EventKind } from './event-kinds.ts';

type News = Omit<Event, 'kind' | 'key' | 'phase' | 'slot' | 'since'>;

export interface Memory {
  recall(key: string): Told | undefined;
  /** The matter stands tonight: told if it is new, another than before, or due again. */
  stands(key: string, kind: EventKind, news: News, about?: string): void;
  /** The matter is over: told if it had been told, under the kind that says so. */
  over(key: string, kind: EventKind, news: News): void;
  /** Told tonight whatever was told before; what is remembered is the caller's to note. */
  tell(key: string, kind: EventKind, phase: Event['phase'], since: string, news: News): void;
  /** Remembered as told, without an event of its own. */
  note(told: Told): void;
  forget(key: string): void;
  /** Keys remembered that begin so. */
  keys(prefix: string): readonly string[];
  events(): readonly Event[];
  told(): readonly Told[];
}

export function memoryOf(told: readonly Told[], slot: string): Memory {
  const known = new Map(told.map((entry) => [entry.key, entry]));
  const events: Event[] = [];
  const tell = (key: string, kind: EventKind, phase: Event['phase'], since: string, news: News) =>
    events.push({ kind, key, phase, slot, since, ...news });
  return {
    recall: (key) => known.get(key),
    stands(key, kind, news, about) {
      const before = known.get(key);
      const isSame = before?.kind === kind && before.about === about;
      if (isSame && daysBetween(before.last, slot) < repeatDays) return;
      const since = isSame ? before.since : slot;
      tell(key, kind, isSame ? 'again' : 'first', since, news);
      known.set(key, { key, kind, since, last: slot, ...(about === undefined ? {} : { about }) });
    },
    over(key, kind, news) {
      const before = known.get(key);
      if (before === undefined) return;
      known.delete(key);
      tell(key, kind, 'over', before.since, news);
    },
    tell: (key, kind, phase, since, news) => void tell(key, kind, phase, since, news),
    note: (entry) => void known.set(entry.key, entry),
    forget: (key) => void known.delete(key),
    keys: (prefix) => [...known.keys()].filter((key) => key.startsWith(prefix)),
    events: () => events,
    told: () => [...known.values()],
  };
}
