/** The run that takes another one back: it says so, and ends what only that one opened. Pure. */
import type { AlertEvent } from '../../core/facts/alert-event.ts';
import type { RetractionFacts } from '../../core/facts/operations.ts';
import { type AlertState, isSent } from '../../core/facts/remembered.ts';

interface DecidedAlerts {
  readonly events: readonly AlertEvent[];
  readonly told: readonly AlertState[];
}

/** An alert that this run would open too stays open, without another event. */
export function endRetractedAlerts(
  { events, told }: DecidedAlerts,
  runSlot: string,
  { slot, by, why, opened, open }: RetractionFacts,
): DecidedAlerts {
  const states = new Map(open.map((alert) => [alert.key, alert]));
  const holding = new Set(told.map(({ key }) => key));
  const text = `Only the run of ${slot} opened this, and it was retracted.`;
  const details = new Map(opened.map((event) => [event.key, event]));
  const ended = open
    .filter((alert) => isSent(alert) && !holding.has(alert.key))
    .map(({ key, kind, since, sentAs = [] }): AlertEvent => {
      return { ...(details.get(key) ?? { kind, key, since }), slot: runSlot, phase: 'over', text, sentAs };
    });
  const retracted: AlertEvent = {
    kind: 'run.retracted',
    key: `retraction:${slot}`,
    phase: 'over',
    slot: runSlot,
    since: slot,
    text: `The run of ${slot} was retracted by ${by}: ${why}.`,
  };
  return {
    events: [retracted, ...ended, ...events.filter(({ key, phase }) => phase !== 'first' || !states.has(key))],
    told: told.map((alert) => states.get(alert.key) ?? alert),
  };
}
