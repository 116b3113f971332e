/** Measures the scope of a channel that asks for some sources or places only: its coverage, and all its overdue devices. */
import { describeOverdue, sortOverdueDevices } from '../../core/alerts/overdue-alerts.ts';
import type { AlertDetails, AlertEvent } from '../../core/facts/alert-event.ts';
import { devicePlaces } from '../../core/facts/device-places.ts';
import type { JudgedDevice, Night } from '../../core/facts/judged.ts';
import { isWhole } from '../../core/facts/vocabulary.ts';
import { listUnprovenCauses } from '../../core/source/certainty.ts';
import { countFigures } from '../../core/source/coverage.ts';
import { type EventSelection, isInScope, selectEvents } from './digest-event.ts';
import type { DigestFigures } from './digest-title.ts';
import { toSafeText } from './safe-text.ts';

const scopeFields = ['source', ...devicePlaces] as const;

/** Whether a selection names places: its readers look after these devices, so that their lists are complete. */
export function isAboutPlaces(only: EventSelection = {}): boolean {
  return devicePlaces.some((place) => only[place] !== undefined);
}

/** The figures and overdue devices of a run within the sources and places of a selection. */
export function measureScope(night: Night, only: EventSelection = {}): ScopeMeasures {
  const words = scopeFields.flatMap((field) => only[field] ?? []);
  const isOwn = ({ source, facts }: JudgedDevice) => isInScope(source, facts, only);
  const whole = new Set(night.sources.filter(({ soundness }) => isWhole(soundness)).map(({ name }) => name));
  const own = night.devices.filter(isOwn);
  const devices = own.filter(({ source }) => whole.has(source));
  const others = own.filter(({ source }) => !whole.has(source));
  const overdue = sortOverdueDevices({ devices, others }, night, night.canaries);
  const named = words.length === 0 ? undefined : overdue.due.length;
  return {
    figures: {
      ...countFigures(own.map(({ judgement }) => judgement)),
      unproven: listUnprovenCauses(own, night),
      soundness: night.coverage.at(-1)?.soundness ?? 'missing',
      ...(words.length > 0 && { where: ` of ${toSafeText(words.join(', '), 200)}` }),
    },
    ...(overdue.all.length > 0 && { overdue: describeOverdue(overdue, night, named) }),
  };
}

export interface ScopeMeasures {
  readonly figures: DigestFigures;
  readonly overdue?: AlertDetails;
}

export function hasScope(only: EventSelection | undefined): boolean {
  return only !== undefined && scopeFields.some((field) => only[field] !== undefined);
}

/**
 * Selects the events for people. The week's reminder is one event about all devices; a channel of some sources or
 * places gets it with its own devices instead, which are missing from `overdue` where it has none.
 */
export function selectEventsForPeople(
  events: readonly AlertEvent[],
  only: EventSelection | undefined,
  overdue: AlertDetails | undefined,
): readonly AlertEvent[] {
  if (!hasScope(only)) {
    return selectEvents(events, only).map((event) => (isOpenReminder(event) ? { ...event, ...overdue } : event));
  }
  const { severity, kinds } = only ?? {};
  return events.flatMap((event) => {
    if (event.kind !== 'device.overdue') {
      return selectEvents([event], only);
    }
    const asked = selectEvents([event], { severity, kinds });
    return isOpenReminder(event) ? asked.flatMap((one) => (overdue ? { ...one, ...overdue } : [])) : asked;
  });
}

function isOpenReminder({ kind, phase }: AlertEvent): boolean {
  return kind === 'device.overdue' && phase !== 'over';
}
