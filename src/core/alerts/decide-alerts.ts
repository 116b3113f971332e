/** The events of a run, and the alerts that are open after it. Pure, like all judgement. */

import type { AlertEvent } from '../facts/alert-event.ts';
import { eventKinds } from '../facts/event-kinds.ts';
import type { NightAlertInput, ReportedAlerts, SourceAlertInput } from './alert-input.ts';
import { decideDeviceAlerts } from './device-alerts.ts';
import { decideListAlerts } from './list-alerts.ts';
import { decideOverdueAlert } from './overdue-alerts.ts';
import { type AlertCondition, areRemindersDue, type OpenAlerts, reconcile } from './reconcile.ts';
import { decideAcknowledgementAlerts, decideExemptionAlerts } from './row-alerts.ts';
import {
  decideChannelAlerts,
  decideClockAlert,
  decideCoverageAlert,
  decideFailedRunAlerts,
  decideHousekeepingAlerts,
  decideRetentionAlert,
  decideStatementAlerts,
  listFailedRunAlerts,
} from './run-alerts.ts';
import {
  decideCleanUpAlert,
  decideDriftAlerts,
  decideMeasurementAlert,
  decideRemovedSourceAlerts,
  decideSoundnessAlerts,
} from './source-alerts.ts';
import {
  addTransferEvents,
  createDeviceFinder,
  describeMoved,
  listTransfers,
  transferAlerts,
} from './transfer-alerts.ts';

/** Says what holds in this run, in the order of its events. It reads what was reported before, and changes nothing. */
type Family = (night: NightAlertInput, reported: ReportedAlerts) => readonly AlertCondition[];
type SourceFamily = (
  input: SourceAlertInput,
  night: NightAlertInput,
  reported: ReportedAlerts,
) => readonly AlertCondition[];

/** Each of them speaks about one source; sources follow each other. */
const sourceFamilies: readonly SourceFamily[] = [
  decideSoundnessAlerts,
  decideMeasurementAlert,
  decideDriftAlerts,
  decideCleanUpAlert,
  decideDeviceAlerts,
];

/** What is overdue follows the devices, since it lists only those whose own alert is open. */
const families: readonly Family[] = [
  decideRemovedSourceAlerts,
  decideOverdueAlert,
  decideListAlerts,
  decideCoverageAlert,
  decideExemptionAlerts,
  decideAcknowledgementAlerts,
  decideStatementAlerts,
  decideChannelAlerts,
  decideHousekeepingAlerts,
  decideRetentionAlert,
  decideClockAlert,
  decideFailedRunAlerts,
];

export function decideAlerts(input: Omit<NightAlertInput, 'findDevice'>) {
  const night: NightAlertInput = { ...input, findDevice: createDeviceFinder(input) };
  const { facts, previous, sources } = night;
  const { slot } = facts;
  const reported = [...(facts.told ?? previous?.told ?? []), ...listFailedRunAlerts(facts)];
  const open: OpenAlerts = new Map(reported.map((alert) => [alert.key, alert]));
  const run = { slot, isReminderRun: areRemindersDue(reported, slot, previous?.reminded) };
  const transferred = transferAlerts(listTransfers(night), open);
  const events = [
    ...sources.flatMap((source) =>
      sourceFamilies.flatMap((decide) => reconcile(decide(source, night, open), open, run)),
    ),
    ...families.flatMap((decide) => reconcile(decide(night, open), open, run)),
  ];
  const isReminder = ({ kind, phase }: AlertEvent) => phase === 'again' && eventKinds[kind].isReminded;
  return {
    events: addTransferEvents(events, transferred, open, (alert) => describeMoved(alert, night), slot),
    alertStates: [...open.values()],
    reminded: events.some(isReminder) ? slot : previous?.reminded,
  };
}
