/** Alerts as types, and when a reminder is due. */

import type { Acknowledgement } from './company.ts';
import type { DeviceIdentity, DevicePlace, OperatingSystem } from './device-places.ts';
import type { EventKind, Phase } from './event-kinds.ts';
import type { ChangeKind, ExcludedBecause, HousekeepingStep, Reason, Status } from './vocabulary.ts';

/** The reason of a device that the platform no longer lists. */
export const removedReason = 'removed' as const satisfies ChangeKind;

/** The device of an event, with what a person needs to act. */
export interface EventDevice extends DeviceIdentity {
  readonly status: Status;
  readonly reason: Reason | ExcludedBecause | typeof removedReason;
  /** Not Installed at least since this slot. */
  readonly since?: string;
  /** The raw word or state number that the platform holds for the agent. */
  readonly value?: string;
  /** True where the platform gave a clear, recent answer, and the instrument is sound. */
  readonly proven?: boolean;
  /** The person who knows of it, until when, and their ticket. */
  readonly acknowledged?: Acknowledgement;
}

export interface AlertEvent {
  readonly kind: EventKind;
  /** Key of its alert: the same in every run, and unique among the events of one run. */
  readonly key: string;
  readonly phase: Phase;
  readonly slot: string;
  /** The slot whose run opened the alert. */
  readonly since: string;
  /** The number of the commit whose run opened it; of a notice, that of its own run. Not part of any message. */
  readonly opened: number;
  readonly source?: string;
  readonly platform?: OperatingSystem;
  readonly device?: EventDevice;
  /** The site of a listed machine that no source knows, so that the channels of that site report it. Not part of any message. */
  readonly site?: string;
  /** A sentence about what happened, for kinds that are not about one device. */
  readonly text?: string;
  /** Figures by name, such as counted and notInstalled. */
  readonly figures?: Readonly<Record<string, number>>;
  /** The first devices of a list that is reported as a whole. */
  readonly first?: readonly ListedDevice[];
  /** The noun of the sentence that says its end, such as the name of a check. Not part of any message. */
  readonly subject?: string;
  /** The scopes under which the ended alert was sent. Not part of any message. */
  readonly sentAs?: readonly AlertScope[];
}

/** The kind and places under which an alert was sent, so that a channel that chose the alert by them also gets its end. */
export interface AlertScope extends Partial<Readonly<Record<'source' | DevicePlace, string>>> {
  readonly kind: EventKind;
}

/** The content of an event besides its kind, its key and when it happened. */
export type AlertDetails = Omit<AlertEvent, 'kind' | 'key' | 'phase' | 'slot' | 'since' | 'opened' | 'sentAs'>;

/** A device of a list, which can have devices of several sources. */
export interface ListedDevice extends EventDevice {
  readonly source?: string;
}

/** Days after which open alerts are sent again, all of them in one run. */
export const reminderIntervalDays = 7;
/** A list that is reported as a whole names this many. */
export const maximumNamedDevices = 20;

/** `machine` is the name of its entry, or empty for the prefix of all such keys. */
export function toDeviceAlertKey(machine: string): string {
  return `device:${machine}`;
}

export function toHousekeepingAlertKey(step: HousekeepingStep): string {
  return `housekeeping:${step}`;
}
