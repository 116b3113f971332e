/** What a family of alerts says of a night, by the function that decides it. */
import type { NightAlertInput, ReportedAlerts } from '../../src/core/alerts/alert-input.ts';
import { type AlertCondition, areRemindersDue, reconcile } from '../../src/core/alerts/reconcile.ts';
import type { AlertEvent } from '../../src/core/facts/alert-event.ts';
import type { Facts } from '../../src/core/facts/facts.ts';
import type { JudgedSource } from '../../src/core/facts/judged.ts';
import type { AlertState } from '../../src/core/facts/remembered.ts';
import { facts, slot } from './world.ts';

type Family = (night: NightAlertInput, reported: ReportedAlerts) => readonly AlertCondition[];
type Night = Partial<Omit<NightAlertInput, 'facts' | 'sources'>> & {
  readonly facts?: Partial<Facts>;
  readonly sources?: readonly object[];
};

/** What it says of the alerts that are open. */
export function decide(family: Family, night: Night, states: readonly AlertState[] = [], number = 20) {
  const open = new Map(states.map((state) => [state.key, state]));
  const given = { sources: [], canaries: new Set(), ...night, facts: { ...facts(number), ...night.facts } };
  const input = given as unknown as NightAlertInput;
  const run = { slot: slot(number), isReminderRun: areRemindersDue(states, slot(number), undefined) };
  const events = reconcile(family(input, open), open, run);
  return { events, open: [...open.keys()] };
}

export const say = ({ phase, kind, text }: AlertEvent) => `${phase} ${kind}: ${text}`;
export const listTexts = (...decided: Parameters<typeof decide>) => decide(...decided).events.map(say);

export const sound = (name: string, soundness: JudgedSource['soundness'] = 'complete') => ({
  source: { name, soundness },
});
