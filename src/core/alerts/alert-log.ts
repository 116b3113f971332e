/**
 * The open alerts during a run: it starts with those of the last run, and collects this run's events. An alert that
 * nothing in this run is about stays open, so missing data resolves nothing. An alert that was sent as open is closed
 * by an event: nothing is forgotten in silence.
 */

import { omitUndefined } from '../../omit-undefined.ts';
import { countDaysBetween } from '../calendar.ts';
import { type AlertEvent, type EventDevice, reminderIntervalDays } from './alert-event.ts';
import { type AlertScope, type AlertState, isSent } from './alert-state.ts';
import { type EventKind, getEventDefinition } from './event-kinds.ts';

type AlertDetails = Omit<AlertEvent, 'kind' | 'key' | 'phase' | 'slot' | 'since' | 'sentAs'>;

export interface AlertLog {
  find(key: string): AlertState | undefined;
  /**
   * The condition holds: an event if it is new, about something else than before, or tonight's reminders are due.
   * `since`: when it began, where that was before tonight.
   */
  raise(
    key: string,
    kind: EventKind,
    details: AlertDetails,
    more?: { readonly about?: string; readonly since?: string },
  ): void;
  /** The condition still holds, and is said again tonight; once a slot. */
  remind(key: string, details: AlertDetails): void;
  /** The condition has ended: an event of this kind if the alert was open. */
  resolve(key: string, kind: EventKind, details: AlertDetails): void;
  /** The alert has ended without an event kind of its own: closed under its own kind, if its key was ever sent. */
  close(key: string, details: AlertDetails): void;
  /** The key of an alert becomes another, of this device: the old one is closed, and the new one opened, for programs. */
  move(from: string, to: string, details: AlertDetails): void;
  /** Opens an alert without an event. */
  record(alert: AlertState): void;
  /** Keys of open alerts that begin so. */
  keys(prefix: string): readonly string[];
  /** Where alerts were moved, their events follow the others. */
  finish(): {
    readonly events: readonly AlertEvent[];
    readonly alertStates: readonly AlertState[];
    /** The slot of the last weekly reminders. */
    readonly reminded: string | undefined;
  };
}

interface AlertLogInput {
  readonly alertStates: readonly AlertState[];
  readonly slot: string;
  readonly reminded: string | undefined;
}

export function createAlertLog({ alertStates, slot, reminded }: AlertLogInput): AlertLog {
  const open = new Map(alertStates.map((alert) => [alert.key, alert]));
  const events: AlertEvent[] = [];
  const isReminderNight = isReminderDue(alertStates, slot, reminded);
  let lastReminded = reminded;
  /** By the key that an alert has now: the key under which it was sent, and the device that has it now. */
  const heirs = new Map<string, { readonly sentKey: string; readonly details: AlertDetails }>();
  /** Alerts that go on under another key, by the key under which they were sent: each is closed once, however often it moves. */
  const moved = new Map<string, { readonly alert: AlertState; readonly to: string }>();

  function send(alert: AlertState, phase: 'first' | 'again', details: AlertDetails): void {
    const { key, kind, since } = alert;
    const scope = describeAlertScope(kind, details);
    events.push({ kind, key, phase, slot, since, ...details });
    open.set(key, { ...alert, last: slot, sentAs: addScope(alert.sentAs, scope) });
  }

  function end(alert: AlertState, kind: EventKind, details: AlertDetails): void {
    const { key, since, sentAs = [] } = alert;
    open.delete(key);
    events.push({ kind, key, phase: 'over', slot, since, ...details, sentAs });
  }

  return {
    find: (key) => open.get(key),
    raise(key, kind, details, { about, since } = {}) {
      const before = open.get(key);
      const isSame = before?.kind === kind && before.about === about;
      if (isSame) {
        if (isReminderNight && before.last < slot && getEventDefinition(kind).isReminded) {
          lastReminded = slot;
          send(before, 'again', details);
        }
        return;
      }
      const { about: _, ...kept } = before ?? {};
      const opened = { ...kept, key, kind, since: since ?? slot, last: slot };
      const wasOpen = before !== undefined && isSent(before);
      send({ ...opened, ...(about === undefined ? {} : { about }) }, 'first', {
        ...details,
        ...(wasOpen ? { wasOpen } : {}),
      });
    },
    remind(key, details) {
      const alert = open.get(key);
      if (alert !== undefined && alert.last < slot) {
        send(alert, 'again', details);
      }
    },
    resolve(key, kind, details) {
      const alert = open.get(key);
      if (alert !== undefined) {
        end(alert, kind, details);
      }
    },
    close(key, details) {
      const alert = open.get(key);
      if (alert === undefined) {
        return;
      }
      open.delete(key);
      if (isSent(alert)) {
        end(alert, alert.kind, details);
      }
    },
    move(from, to, details) {
      const alert = open.get(from);
      if (alert === undefined || from === to) {
        return;
      }
      open.delete(from);
      const sentKey = heirs.get(from)?.sentKey ?? (isSent(alert) ? from : undefined);
      heirs.delete(from);
      if (sentKey !== undefined) {
        const sent = moved.get(sentKey)?.alert ?? alert;
        moved.set(sentKey, { alert: sent, to });
      }
      if (open.has(to)) {
        return;
      }
      const { sentAs: _, ...kept } = alert;
      if (sentKey === undefined) {
        open.set(to, { ...kept, key: to });
      } else {
        open.set(to, { ...kept, key: to, sentAs: [describeAlertScope(alert.kind, details)] });
        heirs.set(to, { sentKey, details });
      }
    },
    record: (alert) => void open.set(alert.key, alert),
    keys: (prefix) => [...open.keys()].filter((key) => key.startsWith(prefix)),
    finish() {
      const own = events.map((event): AlertEvent => {
        const previousKey = heirs.get(event.key)?.sentKey;
        return previousKey === undefined || previousKey === event.key ? event : { ...event, previousKey };
      });
      const said = new Set(own.map(({ key }) => key));
      const opened = [...heirs].flatMap(([key, { sentKey, details }]): AlertEvent[] => {
        const alert = open.get(key);
        if (alert === undefined || said.has(key) || sentKey === key) {
          return [];
        }
        const { kind, since } = alert;
        return [
          { ...{ kind, key, phase: 'first', slot, since, ...details }, previousKey: sentKey, isBookkeeping: true },
        ];
      });
      const closed = [...moved.values()].flatMap(({ alert, to }): AlertEvent[] => {
        const { key, kind, since, sentAs = [] } = alert;
        // A machine that is back under its own key within one run moved nowhere.
        if (open.has(key) || said.has(key)) {
          return [];
        }
        const text = `The machine has another record: see ${to}.`;
        return [{ kind, key, phase: 'over', slot, since, text, sentAs, isBookkeeping: true }];
      });
      return { events: [...own, ...closed, ...opened], alertStates: [...open.values()], reminded: lastReminded };
    },
  };
}

/** One reminder a week in all: when one alert has been open for a week without one, every open alert is said again. */
function isReminderDue(alertStates: readonly AlertState[], slot: string, reminded: string | undefined): boolean {
  if (reminded !== undefined && countDaysBetween(reminded, slot) < reminderIntervalDays) {
    return false;
  }
  return alertStates.some(
    ({ kind, last }) => getEventDefinition(kind).isReminded && countDaysBetween(last, slot) >= reminderIntervalDays,
  );
}

function describeAlertScope(kind: EventKind, { source, device }: AlertDetails): AlertScope {
  const { site, department, building, category }: Partial<EventDevice> = device ?? {};
  return { kind, ...omitUndefined({ source, site, department, building, category }) };
}

function addScope(before: readonly AlertScope[] = [], scope: AlertScope): readonly AlertScope[] {
  const text = JSON.stringify(scope);
  return before.some((one) => JSON.stringify(one) === text) ? before : [...before, scope];
}
