/** What a person is alerted to: types, and when a reminder is due. */
import type { Platform, Status } from '../facts.ts';
import type { ChangeKind, ExcludedBecause, Reason } from '../vocabulary.ts';
import type { EventKind, Phase } from './event-kinds.ts';

/** The reason of a device that the platform no longer lists. */
export const removedReason = 'removed' as const satisfies ChangeKind;

/** The device of an event, with what a person needs to act. */
export interface EventDevice {
  readonly id: string;
  readonly name?: string;
  readonly serialNumber?: string;
  readonly user?: string;
  readonly status: Status;
  readonly reason: Reason | ExcludedBecause | typeof removedReason;
  /** Not Installed at least since this slot. */
  readonly since?: string;
}

export interface AlertEvent {
  readonly kind: EventKind;
  /** The same for the same alert in every run; two events of one run never share one. */
  readonly key: string;
  readonly phase: Phase;
  readonly slot: string;
  /** The slot whose run opened the alert. */
  readonly since: string;
  readonly source?: string;
  readonly platform?: Platform;
  readonly device?: EventDevice;
  /** What happened, for kinds that are not about one device. */
  readonly text?: string;
  /** Figures by name, such as counted and notInstalled. */
  readonly figures?: Readonly<Record<string, number>>;
  /** The first devices of a list that is reported as a whole. */
  readonly first?: readonly EventDevice[];
}

/** An alert that stays open is reminded after this many days. */
export const reminderIntervalDays = 7;
/** A list that is reported as a whole names this many. */
export const maximumNamedDevices = 20;

export function toDeviceAlertKey(source: string, id: string): string {
  return `device:${source}/${id}`;
}
