/** What is remembered between two runs: the alerts that are open, and how instruments were read. */
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
  /** The number of the commit whose run said last that it is of another kind, or about something else. */
  readonly changed?: number;
  /** The slot of its last event. */
  readonly last: string;
  /** The content of its last event: a message about several runs names the alert from here. */
  readonly details: AlertDetails;
  /** What the alert is about, where something else would be a new alert: a fingerprint, a word. */
  readonly about?: string;
  /** Each once; missing where no event has named the key. */
  readonly sentAs?: readonly AlertScope[];
  /** The notice of a first run counts it: it opened without an event, and ends without one. */
  readonly isCounted?: true;
}

export interface InstrumentMemory {
  /** As last read, sound or not; `since` is the slot, `readAt` the time from which it was read like this. */
  readonly last?: { readonly fingerprint: string; readonly since: string; readonly readAt: string };
  /** What the last sound reading that showed a fingerprint showed. */
  readonly soundFingerprint?: string;
  /** From the first reading that showed another or a wrong instrument until one that shows it sound. */
  readonly broken?: {
    readonly since: string;
    /** What every reading since then showed; missing where they differ, or where one showed none. */
    readonly fingerprint?: string;
  };
  /** Values taken before this time were taken while it was broken. */
  readonly repairedAt?: string;
}
