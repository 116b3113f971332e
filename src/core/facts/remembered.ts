/** What is remembered between two runs: the alerts that are open, and how instruments were read. */
import type { DevicePlace } from './device-places.ts';
import type { EventKind } from './event-kinds.ts';

/** What an alert was sent as: channels that choose their events by these fields hold it open. */
export interface AlertScope extends Partial<Readonly<Record<'source' | DevicePlace, string>>> {
  readonly kind: EventKind;
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

/** A list's first run counts its machines, whose keys no event has named. */
export function isSent({ key, kind }: AlertState): boolean {
  return kind !== 'baseline' || key.startsWith('baseline:');
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
