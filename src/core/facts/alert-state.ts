/** The alerts that are open between two runs. */
import type { EventKind } from './event-kinds.ts';

/** What an alert was sent as: channels that choose their events by these fields hold it open. */
export interface AlertScope {
  readonly kind: EventKind;
  readonly source?: string;
  readonly site?: string;
  readonly department?: string;
  readonly building?: string;
  readonly category?: string;
}

/** An alert that was reported and is not resolved. Part of the state: it decides what the next run reports. */
export interface AlertState {
  readonly key: string;
  /** The kind of its last event; a device of a first run is reported by the `baseline`. */
  readonly kind: EventKind;
  readonly since: string;
  /** The slot of its last event. */
  readonly last: string;
  /** What the alert is about, where something else would be a new alert: a fingerprint, a word. */
  readonly about?: string;
  /** Each once; missing where no event has named the key. */
  readonly sentAs?: readonly AlertScope[];
}

/** A device that a baseline counted has a key that no event has named. */
export function isSent({ key, kind }: AlertState): boolean {
  return !(key.startsWith('device:') && kind === 'baseline');
}
