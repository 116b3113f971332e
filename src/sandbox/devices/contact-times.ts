/** When a machine was last heard of. Everything a night reports happened on the day before it, so it is past at any hour. */
import { drawReportPeriod } from './advance-devices.ts';
import type { Mac, SimulatedDevices, StateRow, WindowsDevice } from './model.ts';
import { drawBelow, purpose } from './random.ts';

export const millisecondsPerDay = 86_400_000;
const millisecondsPerHour = 3_600_000;

/** The last contact of any kind; a check-in does not renew the inventory. */
export function computeMacContactTime(devices: SimulatedDevices, mac: Mac): number | undefined {
  const reported = computeMacReportTime(devices, mac);
  if (reported === undefined) {
    return undefined;
  }
  return mac.contact.kind === 'silent'
    ? reported + 60_000
    : Math.max(reported, drawMoment(devices, mac.ordinal, devices.night, 2));
}

/** The last inventory report: the age of everything the inventory says. */
export function computeMacReportTime(devices: SimulatedDevices, mac: Mac): number | undefined {
  switch (mac.contact.kind) {
    case 'unknown':
      return undefined;
    case 'silent':
    case 'inventory-silent':
      return drawMoment(devices, mac.ordinal, mac.contact.since, 1);
    case 'regular': {
      const period = drawReportPeriod(devices.seed, mac.ordinal);
      return drawMoment(devices, mac.ordinal, findLastReportNight(devices, mac.ordinal, mac.lastEventNight, period), 1);
    }
  }
}

function drawMoment(devices: SimulatedDevices, ordinal: number, night: number, what: number): number {
  const milliseconds = drawBelow(1000, devices.seed, ordinal, night, what, purpose.fraction);
  // Jamf drops trailing zeros of the fraction, so real bodies have 0 to 3 digits; all four lengths are made here.
  const digits = drawBelow(4, devices.seed, ordinal, night, what, purpose.fraction, 1);
  const step = [1000, 100, 10, 1][digits] ?? 1;
  const second = drawBelow(86_000, devices.seed, ordinal, night, what, purpose.second);
  return devices.startTime + (night - 1) * millisecondsPerDay + second * 1000 + Math.floor(milliseconds / step) * step;
}

function findLastReportNight(devices: SimulatedDevices, ordinal: number, eventNight: number, period: number): number {
  const phase = drawBelow(period, devices.seed, ordinal, purpose.period, 2);
  return Math.max(eventNight, devices.night - ((devices.night + phase) % period));
}

export function computeMacEnrollmentTime(devices: SimulatedDevices, mac: Mac): number | undefined {
  return mac.neverEnrolled ? undefined : drawMoment(devices, mac.ordinal, mac.enrolledNight, 3) - millisecondsPerHour;
}

/** When a state was written. A tenant with frozen states keeps the date of the first evaluation for ever. */
export function computeStateModifiedTime(
  devices: SimulatedDevices,
  device: WindowsDevice,
  row: StateRow,
): number | undefined {
  if (row.hoursBeforeSync === null) {
    return undefined;
  }
  if (devices.frozenStates) {
    return (
      computeWindowsEnrollmentTime(devices, device) -
      row.hoursBeforeSync * millisecondsPerHour +
      millisecondsPerHour * 2
    );
  }
  const synced = computeWindowsSyncTime(devices, device) ?? computeWindowsEnrollmentTime(devices, device);
  return synced - row.hoursBeforeSync * millisecondsPerHour;
}

export function computeWindowsEnrollmentTime(devices: SimulatedDevices, device: WindowsDevice): number {
  return drawMoment(devices, device.ordinal, device.enrolledNight, 5) - millisecondsPerHour;
}

export function computeWindowsSyncTime(devices: SimulatedDevices, device: WindowsDevice): number | undefined {
  switch (device.contact.kind) {
    case 'unknown':
      return undefined;
    case 'silent':
    case 'inventory-silent':
      return drawMoment(devices, device.ordinal, device.contact.since, 4);
    case 'regular':
      return drawMoment(
        devices,
        device.ordinal,
        findLastReportNight(devices, device.ordinal, device.lastEventNight, 2),
        4,
      );
  }
}

/** ISO 8601 in UTC as Jamf's serialisers write it: without the fraction's trailing zeros. */
export function formatJamfDate(moment: number | undefined): string | null {
  return moment === undefined ? null : new Date(moment).toISOString().replace(/\.?0*Z$/, 'Z');
}

export function formatGraphDate(moment: number | undefined): string {
  return moment === undefined ? '0001-01-01T00:00:00Z' : `${new Date(moment).toISOString().slice(0, 19)}Z`;
}

/** As exports write it: seven digits, no zone, meaning UTC. */
export function formatExportDate(moment: number | undefined): string {
  return moment === undefined
    ? '0001-01-01 00:00:00.0000000'
    : `${new Date(moment).toISOString().slice(0, 23).replace('T', ' ')}0000`;
}
