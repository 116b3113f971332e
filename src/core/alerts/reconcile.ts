/**
 * The one place where alerts open, repeat and end. Each family of alerts says what holds in this run; here that is
 * compared with what was reported before. What no family speaks about stays as it is, so missing data resolves nothing,
 * and an alert that was sent as open ends by an event.
 */

import { omitUndefined } from '../../base/omit-undefined.ts';
import { type AlertEvent, reminderIntervalDays } from '../facts/alert-event.ts';
import { countDaysBetween } from '../facts/calendar.ts';
import { pickPlaces } from '../facts/device-places.ts';
import { type EventKind, eventKinds } from '../facts/event-kinds.ts';
import { type AlertScope, type AlertState, isSent } from '../facts/remembered.ts';

/** What an event says besides its kind, its key and when it happened. */
export type AlertDetails = Omit<AlertEvent, 'kind' | 'key' | 'phase' | 'slot' | 'since' | 'sentAs'>;

/** The open alerts by key, in the order in which they opened. */
export type OpenAlerts = Map<string, AlertState>;

/** What a family says of a key in this run. */
export type AlertCondition = FiringCondition | ResolvedCondition | OtherConditions | KnownCondition;

interface FiringCondition {
  readonly state: 'firing';
  readonly key: string;
  readonly kind: EventKind;
  readonly details: AlertDetails;
  /** What it is about, where something else would be a new alert: a fingerprint, a word. */
  readonly about?: string | undefined;
  /** When it began, where that was before this run. */
  readonly since?: string | undefined;
  /** What every run says of it while it is the same. Without this, only the week's reminders repeat it. */
  readonly repeated?: AlertDetails;
}

interface ResolvedCondition extends Resolution {
  readonly state: 'resolved';
  readonly key: string;
}

export interface Resolution {
  /** The event that says so; without it the alert ends under its own kind. None does where its key was never sent. */
  readonly kind?: EventKind;
  readonly details: AlertDetails;
}

/** Every other open alert whose key begins so, which the family does not name in this run. */
interface OtherConditions {
  readonly state: 'others';
  readonly prefix: string;
  /** Undefined where nobody can tell: the alert stays. */
  readonly resolve: (alert: AlertState) => Resolution | undefined;
}

/** `unknown`: it stays as it is, whatever it is. `counted`: it opens without an event, since another one counts it. */
interface KnownCondition {
  readonly state: 'unknown' | 'counted';
  readonly key: string;
}

export interface AlertRun {
  readonly slot: string;
  /** The week's reminders are due. */
  readonly isReminderRun: boolean;
}

/** The events of one family, in the order of its conditions; `open` is changed to what is open afterwards. */
export function reconcile(conditions: readonly AlertCondition[], open: OpenAlerts, run: AlertRun): AlertEvent[] {
  const named = new Set(conditions.map((condition) => ('key' in condition ? condition.key : undefined)));
  const apply = (condition: AlertCondition): AlertEvent[] => {
    switch (condition.state) {
      case 'firing':
        return fire(condition, open, run);
      case 'resolved':
        return end(open.get(condition.key), condition, open, run);
      case 'others': {
        const { prefix, resolve } = condition;
        const others = [...open.values()].filter(({ key }) => key.startsWith(prefix) && !named.has(key));
        return others.flatMap((alert) => end(alert, resolve(alert), open, run));
      }
      case 'counted':
        return count(condition.key, open, run);
      case 'unknown':
        return [];
    }
  };
  return conditions.flatMap(apply);
}

/** An event if it is new, about something else than before, or repeated in this run. */
function fire(condition: FiringCondition, open: OpenAlerts, { slot, isReminderRun }: AlertRun): AlertEvent[] {
  const { key, kind, details, about, repeated, since = slot } = condition;
  const before = open.get(key);
  if (before?.kind === kind && before.about === about) {
    const isRepeated = repeated !== undefined || (isReminderRun && eventKinds[kind].isReminded);
    return isRepeated && before.last < slot ? [send(before, 'again', repeated ?? details, open, slot)] : [];
  }
  const { about: _, ...kept } = before ?? {};
  const alert = { ...kept, key, kind, since, last: slot, ...omitUndefined({ about }) };
  const wasOpen = before !== undefined && isSent(before);
  return [send(alert, 'first', wasOpen ? { ...details, wasOpen } : details, open, slot)];
}

function send(
  alert: AlertState,
  phase: 'first' | 'again',
  details: AlertDetails,
  open: OpenAlerts,
  slot: string,
): AlertEvent {
  const { key, kind, since, sentAs = [] } = alert;
  const scope = describeAlertScope(kind, details);
  const isKnown = sentAs.some((one) => JSON.stringify(one) === JSON.stringify(scope));
  open.set(key, { ...alert, last: slot, sentAs: isKnown ? sentAs : [...sentAs, scope] });
  return { kind, key, phase, slot, since, ...details };
}

function end(
  alert: AlertState | undefined,
  resolution: Resolution | undefined,
  open: OpenAlerts,
  { slot }: AlertRun,
): AlertEvent[] {
  if (alert === undefined || resolution === undefined) {
    return [];
  }
  open.delete(alert.key);
  const { key, since, sentAs = [] } = alert;
  const { kind = alert.kind, details } = resolution;
  return isSent(alert) ? [{ kind, key, phase: 'over', slot, since, ...details, sentAs }] : [];
}

function count(key: string, open: OpenAlerts, { slot }: AlertRun): AlertEvent[] {
  if (!open.has(key)) {
    open.set(key, { key, kind: 'baseline', since: slot, last: slot });
  }
  return [];
}

function describeAlertScope(kind: EventKind, { source, device, site }: AlertDetails): AlertScope {
  const places = pickPlaces(device ?? {});
  return { kind, ...omitUndefined({ source, ...places, site: places.site ?? site }) };
}

/** One reminder a week in all: when one alert has been open for a week without one, every open alert is said again. */
export function areRemindersDue(reported: readonly AlertState[], slot: string, reminded: string | undefined): boolean {
  if (reminded !== undefined && countDaysBetween(reminded, slot) < reminderIntervalDays) {
    return false;
  }
  return reported.some(
    ({ kind, last }) => eventKinds[kind].isReminded && countDaysBetween(last, slot) >= reminderIntervalDays,
  );
}
