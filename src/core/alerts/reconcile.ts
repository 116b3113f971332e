/**
 * The one place where alerts open, repeat and end: compares the verdicts of the rules with the alerts that were open
 * before the run. Pure, like all judgement.
 */

import { indexBy } from '../../base/index-by.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import type { AlertScope } from '../facts/alert-event.ts';
import { type AlertDetails, type AlertEvent, reminderIntervalDays } from '../facts/alert-event.ts';
import { pickPlaces } from '../facts/device-places.ts';
import { type EventKind, eventKinds, isReminder } from '../facts/event-kinds.ts';
import type { AlertState } from '../facts/remembered.ts';
import { countDaysBetween } from '../time/calendar.ts';
import type { AlertEnd, AlertVerdicts, FiringAlert, RuleVerdict } from './alert-rule.ts';

export interface AlertRun {
  readonly slot: string;
  /** The number of the commit that publishes the run. */
  readonly number: number;
  /** Alerts that were open before the run. */
  readonly open: readonly AlertState[];
  /** Keys of the notices that an earlier attempt at the slot has sent. */
  readonly noticed: readonly string[];
  /** The slot of the last weekly reminders. */
  readonly reminded: string | undefined;
  /** Set where the run takes another one back: alerts opened from this commit on end unless they fire. */
  readonly retracts?: { readonly slot: string; readonly openedFrom: number } | undefined;
}

export interface ReconciledAlerts {
  /** Notices first, then the events of each rule. */
  readonly events: readonly AlertEvent[];
  /** Alerts that are open after the run, in the order in which they opened. */
  readonly open: readonly AlertState[];
  readonly noticed: readonly string[];
  readonly reminded: string | undefined;
}

export function reconcileAlerts({ rules, notices }: AlertVerdicts, run: AlertRun): ReconciledAlerts {
  const { slot, number, noticed } = run;
  const open = indexBy(run.open, ({ key }) => key);
  const isReminderRun = run.retracts === undefined && areRemindersDue(run);
  const events = rules.flatMap((verdict) => [
    ...verdict.firing.flatMap((alert) => fire(alert, open, run, isReminderRun)),
    ...endAlerts(verdict, open, run),
  ]);
  const added = notices.filter(({ key }) => !noticed.includes(key));
  return {
    events: [
      ...added.map(
        ({ key, kind, details }): AlertEvent => ({
          kind,
          key,
          phase: 'notice',
          slot,
          since: slot,
          opened: number,
          ...details,
        }),
      ),
      ...events,
    ],
    open: [...open.values()],
    noticed: [...noticed, ...added.map(({ key }) => key)],
    reminded: events.some(isReminder) ? slot : run.reminded,
  };
}

/** An event if the alert is new, about something else than before, or repeated in this run; otherwise nothing. */
function fire(
  { key, kind, details, about, repeated, isCounted, since }: FiringAlert,
  open: Map<string, AlertState>,
  { slot, number }: AlertRun,
  isReminderRun: boolean,
): AlertEvent[] {
  const before = open.get(key);
  const isSame = before?.kind === kind && before.about === about;
  if (isSame) {
    const isRepeated = repeated !== undefined || (isReminderRun && eventKinds[kind].isReminded === true);
    return isRepeated && before.last < slot && before.isCounted !== true
      ? [send(before, 'again', repeated ?? details, open, slot)]
      : [];
  }
  const alert: AlertState = {
    key,
    kind,
    since: since ?? slot,
    opened: before?.opened ?? number,
    last: slot,
    details,
    ...(before !== undefined && { changed: number }),
    ...omitUndefined({ about, sentAs: before?.sentAs }),
  };
  if (isCounted && before === undefined) {
    open.set(key, { ...alert, isCounted });
    return [];
  }
  return [send(alert, 'first', details, open, slot)];
}

function send(
  alert: AlertState,
  phase: 'first' | 'again',
  details: AlertDetails,
  open: Map<string, AlertState>,
  slot: string,
): AlertEvent {
  const { key, kind, since, opened, sentAs = [] } = alert;
  const scope = describeAlertScope(kind, details);
  const isKnown = sentAs.some((one) => JSON.stringify(one) === JSON.stringify(scope));
  open.set(key, { ...alert, last: slot, details, sentAs: isKnown ? sentAs : [...sentAs, scope] });
  return { kind, key, phase, slot, since, opened, ...details };
}

/** Ends of the rule's open alerts that neither fire nor are unknown. */
function endAlerts(
  { prefix, firing, isUnknown, describeEnd = describeByKind }: RuleVerdict,
  open: Map<string, AlertState>,
  { slot, retracts }: AlertRun,
): AlertEvent[] {
  const holding = new Set(firing.map(({ key }) => key));
  const others = [...open.values()].filter(({ key }) => key.startsWith(prefix) && !holding.has(key));
  return others.flatMap((alert) => {
    const isRetracted = retracts !== undefined && alert.opened >= retracts.openedFrom;
    if (!isRetracted && isUnknown(alert.key)) {
      return [];
    }
    open.delete(alert.key);
    const { key, since, opened, sentAs = [] } = alert;
    const { kind = alert.kind, details } = isRetracted ? endByRetraction(alert, retracts.slot) : describeEnd(alert);
    return alert.isCounted ? [] : [{ kind, key, phase: 'over', slot, since, opened, ...details, sentAs }];
  });
}

function describeByKind(alert: AlertState): AlertEnd {
  const { ended } = eventKinds[alert.kind];
  return endWith(alert, ended?.replace('{subject}', alert.details.subject ?? 'It') ?? 'It has ended.');
}

function endByRetraction(alert: AlertState, slot: string): AlertEnd {
  return endWith(alert, `Only the run of ${slot} opened this, and it was retracted.`);
}

/** The end of an alert in a sentence, with the source, platform, device and site of the alert. */
export function endWith({ details }: Pick<AlertState, 'details'>, text: string): AlertEnd {
  const { source, platform, device, site } = details;
  return { details: { ...omitUndefined({ source, platform, device, site }), text } };
}

function describeAlertScope(kind: EventKind, { source, device, site }: AlertDetails): AlertScope {
  const places = pickPlaces(device ?? {});
  return { kind, ...omitUndefined({ source, ...places, site: places.site ?? site }) };
}

/** True when one alert has been open for a week without a reminder: then every open alert is sent again. */
function areRemindersDue({ open, slot, reminded }: Pick<AlertRun, 'open' | 'slot' | 'reminded'>): boolean {
  if (reminded !== undefined && countDaysBetween(reminded, slot) < reminderIntervalDays) {
    return false;
  }
  return open.some(
    ({ kind, last }) => eventKinds[kind].isReminded === true && countDaysBetween(last, slot) >= reminderIntervalDays,
  );
}
