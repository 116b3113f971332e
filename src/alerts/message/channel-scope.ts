/** What a channel is about that asks for some sources or places only: its own coverage, and all of its overdue devices. */
import { describeOverdue, sortOverdueDevices } from '../../core/alerts/overdue-alerts.ts';
import type { AlertEvent } from '../../core/facts/alert-event.ts';
import { devicePlaces } from '../../core/facts/device-places.ts';
import type { Night } from '../../core/facts/judged.ts';
import { isWhole } from '../../core/facts/vocabulary.ts';
import { countFigures } from '../../core/source/coverage.ts';
import { type EventSelection, isInScope, selectEvents } from './digest-event.ts';
import type { DigestFigures } from './digest-title.ts';
import { toSafeText } from './safe-text.ts';

const scopeFields = ['source', ...devicePlaces] as const;

/** Its reader looks after these devices, so its lists are whole. */
export function isAboutPlaces(only: EventSelection = {}): boolean {
  return devicePlaces.some((place) => only[place] !== undefined);
}

export function countScope({ devices, coverage }: Night, only: EventSelection = {}): DigestFigures {
  const words = scopeFields.flatMap((field) => only[field] ?? []);
  return {
    ...countFigures(devices.filter(({ source, facts }) => isInScope(source, facts, only))),
    soundness: coverage.at(-1)?.soundness ?? 'missing',
    where: words.length === 0 ? '' : ` of ${toSafeText(words.join(', '), 200)}`,
  };
}

/**
 * What people of a channel are told of. The week's reminder is one event for all devices; a channel of some sources or
 * places gets it with all of its own, and with no other.
 */
export function selectEventsForPeople(
  events: readonly AlertEvent[],
  night: Night,
  only: EventSelection | undefined,
): readonly AlertEvent[] {
  const selected = selectEvents(events, only);
  if (only === undefined || scopeFields.every((field) => only[field] === undefined)) {
    return selected;
  }
  const { severity, kinds } = only;
  const reminders = selectEvents(events, { severity, kinds }).filter(({ kind }) => kind === 'device.overdue');
  return [...selected, ...reminders.flatMap((one) => (one.phase === 'over' ? one : narrowReminder(one, night, only)))];
}

function narrowReminder(event: AlertEvent, night: Night, only: EventSelection): AlertEvent[] {
  const whole = new Set(night.sources.filter(({ soundness }) => isWhole(soundness)).map(({ name }) => name));
  const own = night.devices.filter(({ source, facts }) => whole.has(source) && isInScope(source, facts, only));
  const overdue = sortOverdueDevices(own, night, night.canaries);
  return overdue.all.length === 0 ? [] : [{ ...event, ...describeOverdue(overdue, night, overdue.due.length) }];
}
