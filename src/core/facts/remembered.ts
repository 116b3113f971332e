/** Memory between two runs: the alerts that are open, and the readings of instruments. */
import type { AlertDetails, AlertScope } from './alert-event.ts';
import type { EventKind } from './event-kinds.ts';

/** An alert that is open. Part of the state: it decides what the next run reports. */
export interface AlertState {
  readonly key: string;
  /** The kind of its last event. */
  readonly kind: EventKind;
  readonly since: string;
  /** The number of the commit whose run opened it. */
  readonly opened: number;
  /** The number of the commit whose run last gave it another kind or subject. */
  readonly changed?: number;
  /** The slot of its last event. */
  readonly last: string;
  /** The content of its last event, from which a message about several runs names the alert. */
  readonly details: AlertDetails;
  /** Cause or word that the alert is about; another one makes a new alert. */
  readonly about?: string;
  /** Distinct scopes of its events; missing where no event has named the key. */
  readonly sentAs?: readonly AlertScope[];
  /** True where the notice of a first run counts it: it opened without an event, and ends without one. */
  readonly isCounted?: true;
}

export interface InstrumentMemory {
  /** The last reading, sound or not: `since` is the slot, `readAt` the time from which it was read like this. */
  readonly last?: { readonly fingerprint: string; readonly since: string; readonly readAt: string };
  /** The fingerprint of the last sound reading that showed one. */
  readonly soundFingerprint?: string;
  /** The breakage: from the first reading of another or a wrong instrument until a reading shows it sound. */
  readonly broken?: {
    readonly since: string;
    /** The fingerprint of every reading since then; missing where they differ, or where one showed none. */
    readonly fingerprint?: string;
  };
  /** End of the last breakage: values that were taken before this time are not proven. */
  readonly repairedAt?: string;
}
