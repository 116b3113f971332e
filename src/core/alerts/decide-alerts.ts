/** The events of a run, and the alerts that are open after it. Pure, like all judgement. */

import { indexBy } from '../../base/index-by.ts';
import type { AlertEvent } from '../facts/alert-event.ts';
import type { CompanyFacts } from '../facts/company.ts';
import { eventKinds } from '../facts/event-kinds.ts';
import type { PlatformFacts } from '../facts/facts.ts';
import type { AlertState } from '../facts/remembered.ts';
import type { State } from '../facts/state.ts';
import type { MovedLedger } from '../ledger/ledger.ts';
import type { NightAlertInput, ReportedAlerts, SourceAlertInput } from './alert-input.ts';
import { decideDeviceAlerts, decideUnlistedAlerts } from './device-alerts.ts';
import { decideListAlerts } from './list-alerts.ts';
import { decideOverdueAlert } from './overdue-alerts.ts';
import { type AlertCondition, areRemindersDue, type OpenAlerts, reconcile } from './reconcile.ts';
import { decideAcknowledgementAlerts, decideExemptionAlerts } from './row-alerts.ts';
import { decideCoverageAlert, decideStatementAlerts } from './run-alerts.ts';
import {
  decideCleanUpAlert,
  decideDriftAlerts,
  decideMeasurementAlert,
  decideRemovedSourceAlerts,
  decideSoundnessAlerts,
} from './source-alerts.ts';

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

const families: readonly Family[] = [
  decideUnlistedAlerts,
  decideRemovedSourceAlerts,
  decideOverdueAlert,
  decideListAlerts,
  decideCoverageAlert,
  decideExemptionAlerts,
  decideAcknowledgementAlerts,
  decideStatementAlerts,
];

interface DecidedRun extends Omit<NightAlertInput, 'facts' | 'entries' | 'gone'>, Pick<MovedLedger, 'ledger' | 'gone'> {
  readonly platforms: PlatformFacts;
  readonly company: CompanyFacts;
}

export interface ReconciledAlerts {
  readonly events: readonly AlertEvent[];
  /** The alerts that are open afterwards. */
  readonly alertStates: readonly AlertState[];
  /** The slot of the last weekly reminders. */
  readonly reminded: string | undefined;
}

export function decideAlerts({ platforms, company, ledger, gone, ...run }: DecidedRun): ReconciledAlerts {
  const night: NightAlertInput = {
    ...run,
    facts: { ...platforms, ...company },
    entries: indexBy([...(run.previous?.ledger ?? []), ...ledger], ({ name }) => name),
    gone: indexBy(gone, ({ before }) => before.name),
  };
  const reported = platforms.told ?? run.previous?.told ?? [];
  const decisions = [
    ...run.sources.flatMap((source) =>
      sourceFamilies.map((decide) => (open: ReportedAlerts) => decide(source, night, open)),
    ),
    ...families.map((decide) => (open: ReportedAlerts) => decide(night, open)),
  ];
  return reconcileAll(decisions, reported, platforms, run.previous);
}

/** Conditions of one family after the other, each with the alerts that those before it left open. */
export function reconcileAll(
  decisions: readonly (readonly AlertCondition[] | ((open: ReportedAlerts) => readonly AlertCondition[]))[],
  reported: readonly AlertState[],
  { slot, told }: Pick<PlatformFacts, 'slot' | 'told'>,
  previous: Pick<State, 'told' | 'reminded'> | undefined,
): ReconciledAlerts {
  const open: OpenAlerts = indexBy(reported, ({ key }) => key);
  const isReminderRun = areRemindersDue(told ?? previous?.told ?? [], slot, previous?.reminded);
  const events = decisions.flatMap((decide) =>
    reconcile(typeof decide === 'function' ? decide(open) : decide, open, { slot, isReminderRun }),
  );
  const isReminder = ({ kind, phase }: AlertEvent) => phase === 'again' && eventKinds[kind].isReminded;
  return {
    events,
    alertStates: [...open.values()],
    reminded: events.some(isReminder) ? slot : previous?.reminded,
  };
}
