/** What a retraction says: that a run was taken back, and that what it alone opened is resolved. Pure. */
import type { AlertEvent } from '../facts/alert-event.ts';
import { type AlertState, isSent } from '../facts/remembered.ts';

export interface RetractedAlerts {
  /** The slot of the run that is retracted. */
  readonly slot: string;
  readonly by: string;
  readonly why: string;
  /** All that the attempts at the slot reported, oldest first; none where they can no longer be read. */
  readonly events: readonly AlertEvent[];
  /** Open after the run that is retracted. */
  readonly after: readonly AlertState[];
  /** Open after the run before it, which stands again. */
  readonly before: readonly AlertState[];
}

/**
 * `resolved` has the keys of alerts that the retracted run resolved: nobody holds them open any more, so that they can
 * open again.
 */
export function decideRetraction({ slot, by, why, events, ...states }: RetractedAlerts) {
  // A device that a baseline counted has an alert that nobody was sent.
  const before = states.before.filter(isSent);
  const after = states.after.filter(isSent);
  const earlier = new Set(before.map(({ key }) => key));
  const opened = new Map(events.filter(({ phase }) => phase === 'first').map((event) => [event.key, event]));
  const text = `Only the run of ${slot} opened this, and it was retracted.`;
  const resolved = after
    .filter(({ key }) => !earlier.has(key))
    .map(
      ({ key, kind, since, sentAs = [] }): AlertEvent => ({
        ...(opened.get(key) ?? { kind, key, since }),
        slot,
        phase: 'over',
        text,
        sentAs,
      }),
    );
  const later = new Set(after.map(({ key }) => key));
  const retracted: AlertEvent = {
    kind: 'run.retracted',
    key: `retraction:${slot}`,
    phase: 'over',
    slot,
    since: slot,
    text: `The run of ${slot} was retracted by ${by}: ${why}.`,
  };
  const ended = before.filter(({ key }) => !later.has(key));
  return { events: [retracted, ...resolved], resolved: ended.map(({ key }) => key) };
}
