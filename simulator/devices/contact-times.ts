/** Computes when a device last reported. A night shows events of the day before it, so that they are in the past at any hour. */
import type { Mac, SimulatedDevices, StateRow, WindowsDevice } from './model.ts';
import { drawBelow, purpose } from './random.ts';

export const millisecondsPerDay = 86_400_000;
const millisecondsPerHour = 3_600_000;
const longestMacReportPeriod = 7;
const windowsSyncPeriod = 2;
/** Years by which an impossible enrollment date is in the future. */
const futureYears = 10;

/** Numbers by which moments of one device in one night differ. */
const momentPurpose = { macReport: 1, macContact: 2, macEnrollment: 3, windowsSync: 4, windowsEnrollment: 5 } as const;

/** The last contact of any kind; a check-in does not renew the inventory. */
export function computeMacContactTime(devices: SimulatedDevices, mac: Mac): number | undefined {
  const { contact } = mac;
  switch (contact.kind) {
    case 'unknown':
    case 'contact-unknown':
      return undefined;
    case 'silent':
      return computeMacInventoryTime(devices, mac, contact.since) + 60_000;
    case 'record-touched':
      return drawTime(devices, mac.ordinal, contact.since, momentPurpose.macContact);
    case 'regular':
    case 'inventory-silent':
    case 'report-unknown':
      return Math.max(
        computeMacReportTime(devices, mac) ?? 0,
        drawTime(devices, mac.ordinal, devices.night, momentPurpose.macContact),
      );
  }
}

/** The server's date of the last inventory report. */
export function computeMacReportTime(devices: SimulatedDevices, mac: Mac): number | undefined {
  const { contact } = mac;
  switch (contact.kind) {
    case 'unknown':
    case 'report-unknown':
      return undefined;
    case 'silent':
    case 'inventory-silent':
      return computeMacInventoryTime(devices, mac, contact.since);
    case 'record-touched':
      return computeMacInventoryTime(devices, mac, devices.night);
    case 'regular':
    case 'contact-unknown':
      return computeMacInventoryTime(
        devices,
        mac,
        findLastReportNight(devices, mac, chooseMacReportPeriod(devices, mac)),
      );
  }
}

/** Nights between reports; canaries stay switched on and report every night. */
function chooseMacReportPeriod({ seed }: SimulatedDevices, { ordinal, canary }: Mac): number {
  return canary === undefined ? 1 + drawBelow(longestMacReportPeriod, seed, ordinal, purpose.reportPeriod) : 1;
}

function computeMacInventoryTime(devices: SimulatedDevices, mac: Mac, night: number): number {
  return drawTime(devices, mac.ordinal, night, momentPurpose.macReport);
}

/** The server's date of enrollment, which may be impossible. */
export function computeMacEnrollmentTime(devices: SimulatedDevices, mac: Mac): number | undefined {
  return chooseEnrollmentDate(mac, computeTrueEnrollmentTime(devices, mac, momentPurpose.macEnrollment));
}

/** When a state was written. A tenant with frozen states keeps the date of the first evaluation forever. */
export function computeStateModifiedTime(
  devices: SimulatedDevices,
  device: WindowsDevice,
  row: StateRow,
): number | undefined {
  if (row.hoursBeforeSync === null) {
    return undefined;
  }
  const enrolled = computeTrueEnrollmentTime(devices, device, momentPurpose.windowsEnrollment);
  const evaluated = devices.frozenStates
    ? enrolled + 2 * millisecondsPerHour
    : (computeWindowsSyncTime(devices, device) ?? enrolled);
  return evaluated - row.hoursBeforeSync * millisecondsPerHour;
}

/** The tenant's date of enrollment, which may be impossible. */
export function computeWindowsEnrollmentTime(devices: SimulatedDevices, device: WindowsDevice): number | undefined {
  return chooseEnrollmentDate(device, computeTrueEnrollmentTime(devices, device, momentPurpose.windowsEnrollment));
}

function computeTrueEnrollmentTime(
  devices: SimulatedDevices,
  { ordinal, enrolledNight }: Mac | WindowsDevice,
  what: number,
): number {
  return drawTime(devices, ordinal, enrolledNight, what) - millisecondsPerHour;
}

function chooseEnrollmentDate({ enrollmentDate }: Mac | WindowsDevice, trueTime: number): number | undefined {
  switch (enrollmentDate) {
    case 'known':
      return trueTime;
    case 'missing':
      return undefined;
    case 'epoch':
      return 0;
    case 'future':
      return trueTime + futureYears * 365 * millisecondsPerDay;
  }
}

export function computeWindowsSyncTime(devices: SimulatedDevices, device: WindowsDevice): number | undefined {
  const { contact, ordinal } = device;
  if (contact.kind === 'unknown') {
    return undefined;
  }
  const night = contact.kind === 'silent' ? contact.since : findLastReportNight(devices, device, windowsSyncPeriod);
  return drawTime(devices, ordinal, night, momentPurpose.windowsSync);
}

/** The last night on which a device with this period reported. */
function findLastReportNight(
  devices: SimulatedDevices,
  { lastEventNight, ordinal }: Mac | WindowsDevice,
  period: number,
): number {
  const phase = drawBelow(period, devices.seed, ordinal, purpose.reportPeriod, 2);
  return Math.max(lastEventNight, devices.night - ((devices.night + phase) % period));
}

function drawTime(devices: SimulatedDevices, ordinal: number, night: number, what: number): number {
  const numbers = [devices.seed, ordinal, night, what];
  const milliseconds = drawBelow(1000, ...numbers, purpose.fraction);
  // Jamf drops trailing zeros of the fraction, so that real bodies have 0 to 3 digits; all four lengths occur here.
  const step = [1000, 100, 10, 1][drawBelow(4, ...numbers, purpose.fraction, 1)] ?? 1;
  const second = drawBelow(86_000, ...numbers, purpose.second);
  return devices.startTime + (night - 1) * millisecondsPerDay + second * 1000 + Math.floor(milliseconds / step) * step;
}
