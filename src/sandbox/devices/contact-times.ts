/** When a machine was last heard of. Everything a night reports happened on the day before it, so it is past at any hour. */
import { reportPeriod } from './advance-devices.ts';
import type { Fleet, Mac, StateRow, WindowsDevice } from './model.ts';
import { below, purpose } from './random.ts';

export const day = 86_400_000;
const hour = 3_600_000;

function momentOf(fleet: Fleet, ordinal: number, night: number, what: number): number {
  const milliseconds = below(1000, fleet.seed, ordinal, night, what, purpose.fraction);
  // Jamf drops trailing zeros of the fraction, so real bodies have 0 to 3 digits; all four lengths are made here.
  const digits = below(4, fleet.seed, ordinal, night, what, purpose.fraction, 1);
  const step = [1000, 100, 10, 1][digits] ?? 1;
  const second = below(86_000, fleet.seed, ordinal, night, what, purpose.second);
  return fleet.start + (night - 1) * day + second * 1000 + Math.floor(milliseconds / step) * step;
}

function lastRegularNight(fleet: Fleet, ordinal: number, eventNight: number, period: number): number {
  const phase = below(period, fleet.seed, ordinal, purpose.period, 2);
  return Math.max(eventNight, fleet.night - ((fleet.night + phase) % period));
}

/** The last inventory report: the age of everything the inventory says. */
export function macReportedAt(fleet: Fleet, mac: Mac): number | undefined {
  switch (mac.contact.kind) {
    case 'unknown':
      return undefined;
    case 'silent':
    case 'inventory-silent':
      return momentOf(fleet, mac.ordinal, mac.contact.since, 1);
    case 'regular': {
      const period = reportPeriod(fleet.seed, mac.ordinal);
      return momentOf(fleet, mac.ordinal, lastRegularNight(fleet, mac.ordinal, mac.eventNight, period), 1);
    }
  }
}

/** The last contact of any kind; a check-in does not renew the inventory. */
export function macContactedAt(fleet: Fleet, mac: Mac): number | undefined {
  const reported = macReportedAt(fleet, mac);
  if (reported === undefined) {
    return undefined;
  }
  return mac.contact.kind === 'silent'
    ? reported + 60_000
    : Math.max(reported, momentOf(fleet, mac.ordinal, fleet.night, 2));
}

export function macEnrolledAt(fleet: Fleet, mac: Mac): number | undefined {
  return mac.bare ? undefined : momentOf(fleet, mac.ordinal, mac.enrolledNight, 3) - hour;
}

export function windowsSyncedAt(fleet: Fleet, device: WindowsDevice): number | undefined {
  switch (device.contact.kind) {
    case 'unknown':
      return undefined;
    case 'silent':
    case 'inventory-silent':
      return momentOf(fleet, device.ordinal, device.contact.since, 4);
    case 'regular':
      return momentOf(fleet, device.ordinal, lastRegularNight(fleet, device.ordinal, device.eventNight, 2), 4);
  }
}

export function windowsEnrolledAt(fleet: Fleet, device: WindowsDevice): number {
  return momentOf(fleet, device.ordinal, device.enrolledNight, 5) - hour;
}

/** When a state was written. A tenant with frozen states keeps the date of the first evaluation for ever. */
export function stateModifiedAt(fleet: Fleet, device: WindowsDevice, row: StateRow): number | undefined {
  if (row.hoursBefore === null) {
    return undefined;
  }
  if (fleet.frozenStates) {
    return windowsEnrolledAt(fleet, device) - row.hoursBefore * hour + hour * 2;
  }
  const synced = windowsSyncedAt(fleet, device) ?? windowsEnrolledAt(fleet, device);
  return synced - row.hoursBefore * hour;
}

/** ISO 8601 in UTC as Jamf's serialisers write it: without the fraction's trailing zeros. */
export function jamfDate(moment: number | undefined): string | null {
  return moment === undefined ? null : new Date(moment).toISOString().replace(/\.?0*Z$/, 'Z');
}

export function graphDate(moment: number | undefined): string {
  return moment === undefined ? '0001-01-01T00:00:00Z' : `${new Date(moment).toISOString().slice(0, 19)}Z`;
}

/** As exports write it: seven digits, no zone, meaning UTC. */
export function exportDate(moment: number | undefined): string {
  return moment === undefined
    ? '0001-01-01 00:00:00.0000000'
    : `${new Date(moment).toISOString().slice(0, 23).replace('T', ' ')}0000`;
}
