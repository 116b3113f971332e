/** What is worth telling a person: types, and how long a matter may go on untold. */

import type { Platform, Status } from '../facts.ts';
import type { ExcludedBecause, Reason } from '../vocabulary.ts';

import type { EventKind } from './event-kinds.ts';

/** The device of an event, as far as a person needs it to chase it. */
export interface EventDevice {
  readonly id: string;
  readonly name?: string;
  readonly serialNumber?: string;
  readonly user?: string;
  readonly status: Status;
  readonly reason: Reason | ExcludedBecause | 'removed';
  /** Not Installed at least since this slot. */
  readonly since?: string;
}

export interface AlertEvent {
  readonly kind: EventKind;
  /** The same for the same matter every night; two events of one night never share one. */
  readonly key: string;
  /** `first` time, `again` after the interval, or the matter is `over`. */
  readonly phase: 'first' | 'again' | 'over';
  readonly slot: string;
  /** The slot on which the matter was first told. */
  readonly since: string;
  readonly source?: string;
  readonly platform?: Platform;
  readonly device?: EventDevice;
  /** What happened, for kinds that are not about one device. */
  readonly text?: string;
  /** Figures by name, such as counted and notInstalled. */
  readonly figures?: Readonly<Record<string, number>>;
  /** The first devices of a list that is not told one by one. */
  readonly first?: readonly EventDevice[];
}

/** A matter that goes on is told again after this many days. */
export const reminderIntervalDays = 7;
/** A list that is not told one by one names this many. */
export const maximumNamedDevices = 20;

export function countDaysBetween(earlier: string, later: string): number {
  return (Date.parse(`${later}T00:00:00Z`) - Date.parse(`${earlier}T00:00:00Z`)) / 86_400_000;
}

export function toDeviceAlertKey(source: string, id: string): string {
  return `device:${source}/${id}`;
}
