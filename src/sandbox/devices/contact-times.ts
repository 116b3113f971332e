/** When a device last reported. What a night shows happened on the day before it, so it is in the past at any hour. */
import type { Mac, SimulatedDevices, StateRow, WindowsDevice } from './model.ts';
import { drawBelow, purpose } from './random.ts';

export const millisecondsPerDay = 86_400_000;
const millisecondsPerHour = 3_600_000;
const longestMacReportPeriod = 7;
const windowsSyncPeriod = 2;

/** What a moment is of: two moments of one device in one night differ by it. */
const momentPurpose = { macReport: 1, macContact: 2, macEnrollment: 3, windowsSync: 4, windowsEnrollment: 5 } as const;

/** The last contact of any kind; a check-in does not renew the inventory. */
export function computeMacContactTime(devices: SimulatedDevices, mac: Mac): number | undefined {
  const reported = computeMacReportTime(devices, mac);
  if (reported === undefined) {
    return undefined;
  }
  return mac.contact.kind === 'silent'
    ? reported + 60_000
    : Math.max(reported, drawTime(devices, mac.ordinal, devices.night, momentPurpose.macContact));
}

/** The last inventory report: the age of everything the inventory says. */
export function computeMacReportTime(devices: SimulatedDevices, mac: Mac): number | undefined {
  const period = 1 + drawBelow(longestMacReportPeriod, devices.seed, mac.ordinal, purpose.reportPeriod);
  const night = findLastReportNight(devices, mac, period);
  return night === undefined ? undefined : drawTime(devices, mac.ordinal, night, momentPurpose.macReport);
}

export function computeMacEnrollmentTime(devices: SimulatedDevices, mac: Mac): number | undefined {
  return mac.neverEnrolled
    ? undefined
    : drawTime(devices, mac.ordinal, mac.enrolledNight, momentPurpose.macEnrollment) - millisecondsPerHour;
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
  const enrolled = computeWindowsEnrollmentTime(devices, device);
  const evaluated = devices.frozenStates
    ? enrolled + 2 * millisecondsPerHour
    : (computeWindowsSyncTime(devices, device) ?? enrolled);
  return evaluated - row.hoursBeforeSync * millisecondsPerHour;
}

export function computeWindowsEnrollmentTime(devices: SimulatedDevices, device: WindowsDevice): number {
  return drawTime(devices, device.ordinal, device.enrolledNight, momentPurpose.windowsEnrollment) - millisecondsPerHour;
}

export function computeWindowsSyncTime(devices: SimulatedDevices, device: WindowsDevice): number | undefined {
  const night = findLastReportNight(devices, device, windowsSyncPeriod);
  return night === undefined ? undefined : drawTime(devices, device.ordinal, night, momentPurpose.windowsSync);
}

function findLastReportNight(
  devices: SimulatedDevices,
  { contact, lastEventNight, ordinal }: Mac | WindowsDevice,
  period: number,
): number | undefined {
  switch (contact.kind) {
    case 'unknown':
      return undefined;
    case 'silent':
    case 'inventory-silent':
      return contact.since;
    case 'regular': {
      const phase = drawBelow(period, devices.seed, ordinal, purpose.reportPeriod, 2);
      return Math.max(lastEventNight, devices.night - ((devices.night + phase) % period));
    }
  }
}

function drawTime(devices: SimulatedDevices, ordinal: number, night: number, what: number): number {
  const numbers = [devices.seed, ordinal, night, what];
  const milliseconds = drawBelow(1000, ...numbers, purpose.fraction);
  // Jamf drops trailing zeros of the fraction, so real bodies have 0 to 3 digits; all four lengths are made here.
  const step = [1000, 100, 10, 1][drawBelow(4, ...numbers, purpose.fraction, 1)] ?? 1;
  const second = drawBelow(86_000, ...numbers, purpose.second);
  return devices.startTime + (night - 1) * millisecondsPerDay + second * 1000 + Math.floor(milliseconds / step) * step;
}
