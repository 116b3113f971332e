/**
 * Events of a message: their severity and heading, and the selection of a channel. A channel that was sent an alert as
 * open is also sent its end, even if that would not be selected.
 */
import { omitUndefined } from '../../base/omit-undefined.ts';
import { type AlertEvent, type EventDevice, removedReason } from '../../core/facts/alert-event.ts';
import { type DevicePlace, devicePlaces } from '../../core/facts/device-places.ts';
import {
  type EventKind,
  eventKinds,
  type Phase,
  type SectionName,
  type Severity,
  severities,
} from '../../core/facts/event-kinds.ts';
import { type Reason, reasons } from '../../core/facts/vocabulary.ts';

/** Events of messages that belong to no single run: a test, and a channel that missed runs. */
export const otherKinds = {
  test: { meaning: 'A test of the channel; nothing happened.', severity: 'info' },
  'runs.missed': {
    meaning:
      'Runs that the channel never heard of, since they are no longer kept. Alerts that they opened and that are still open follow.',
    severity: 'warning',
  },
} as const satisfies Readonly<Record<string, { readonly meaning: string; readonly severity: Severity }>>;

/** Kinds of a run's events, and of the other messages. */
export type DigestEventKind = EventKind | keyof typeof otherKinds;

export interface DigestEvent extends Omit<AlertEvent, 'kind'> {
  readonly kind: DigestEventKind;
}

export function determineSeverity(kind: DigestEventKind, phase: Phase): Severity {
  if (isOtherKind(kind)) {
    return otherKinds[kind].severity;
  }
  const { severity, resolvedSeverity = 'info' } = eventKinds[kind];
  return phase === 'over' ? resolvedSeverity : severity;
}

/** The heading of an event; undefined for kinds that no run has. */
export function findSection({ kind, phase, device }: DigestEvent): SectionName | undefined {
  if (isOtherKind(kind)) {
    return undefined;
  }
  const { section, resolvedSection = 'resolved' } = eventKinds[kind];
  // The platform dropped the device; no person excluded it.
  if (kind === 'count.left' && device?.reason === removedReason) {
    return 'unlisted';
  }
  if (phase === 'over') {
    return resolvedSection;
  }
  // Without a clear answer from the platform, it is not known that the agent is gone.
  if (kind === 'device.lost' && device !== undefined && !isClear(device.reason)) {
    return 'silent';
  }
  return section;
}

function isOtherKind(kind: DigestEventKind): kind is keyof typeof otherKinds {
  return kind in otherKinds;
}

function isClear(reason: EventDevice['reason']): boolean {
  return reason in reasons && reasons[reason as Reason].isClear;
}

export function findWorstSeverity(all: readonly Severity[]): Severity {
  return severities.findLast((severity) => all.includes(severity)) ?? 'info';
}

/** The lists of `only`: an event must match one word of each list. */
export interface EventSelection
  extends Partial<Readonly<Record<'source' | DevicePlace, readonly string[] | undefined>>> {
  readonly severity?: readonly Severity[] | undefined;
  readonly kinds?: readonly string[] | undefined;
}

/** Whether source and places match the selection. */
export function isInScope(source: string | undefined, places: PlaceWords, only: EventSelection): boolean {
  return hasWord(only.source, source) && devicePlaces.every((place) => hasWord(only[place], places[place]));
}

function hasWord(words: readonly string[] | undefined, word: string | undefined): boolean {
  return words === undefined || (word !== undefined && words.includes(word));
}

type PlaceWords = Readonly<Partial<Record<DevicePlace, string>>>;

export function selectEvents<Event extends DigestEvent>(
  events: readonly Event[],
  only: EventSelection | undefined,
): readonly Event[] {
  return only === undefined ? events : events.filter((event) => isSelected(event, only));
}

function isSelected(event: DigestEvent, only: EventSelection): boolean {
  const { phase, site, sentAs = [] } = event;
  const places = event.device ?? omitUndefined({ site });
  const isAsked = (as: Pick<DigestEvent, 'kind' | 'source'>, when: Phase, at: PlaceWords) =>
    hasWord(only.severity, determineSeverity(as.kind, when)) &&
    hasWord(only.kinds, as.kind) &&
    isInScope(as.source, at, only);
  return isAsked(event, phase, places) || (phase === 'over' && sentAs.some((scope) => isAsked(scope, 'first', scope)));
}

/** Whether an event belongs in a title: an alert opened since the last message, or news needs action. */
export function isNew({ kind, phase }: DigestEvent): boolean {
  if (phase === 'again' || isOtherKind(kind)) {
    return false;
  }
  return isUrgent({ kind, phase }) || determineSeverity(kind, phase) !== 'info';
}

/** Whether people are told at once; with `quiet`, a device that lost the agent waits for the week's summary too. */
export function isUrgent({ kind, phase }: Pick<DigestEvent, 'kind' | 'phase'>, isQuiet = false): boolean {
  if (phase === 'again' || (phase === 'over' && kind !== 'source.sound-again')) {
    return false;
  }
  return isOtherKind(kind) || (eventKinds[kind].urgency === 'now' && !(isQuiet && kind === 'device.lost'));
}
