/** The alerts that are open between two runs. Types only. */
import type { EventKind } from './event-kinds.ts';

/** An alert that was reported and is not resolved. Part of the state: it decides what the next run reports. */
export interface AlertState {
  readonly key: string;
  /** The kind of its last event; a device of a first run is reported by the `baseline`. */
  readonly kind: EventKind;
  readonly since: string;
  /** The slot of its last event. */
  readonly last: string;
  /** The slot of the device's last overdue reminder. */
  readonly overdue?: string;
  /** What the alert is about, where something else would be a new alert: a fingerprint, a word. */
  readonly about?: string;
}
