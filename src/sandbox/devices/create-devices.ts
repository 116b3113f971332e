/** Creates a fleet and brings it to a night. The same seed and night give the same fleet, however it got there. */
import { advanceOneNight } from './advance-devices.ts';
import { millisecondsPerDay } from './contact-times.ts';
import { createMac, createOtherDevice, createWindowsDevice } from './create-device.ts';
import type { SimulatedDevices } from './model.ts';
import { drawBelow, purpose } from './random.ts';

export interface DeviceOptions {
  readonly count: number;
  readonly seed: number;
  /** YYYY-MM-DD of night 0. */
  readonly firstNight: string;
  readonly frozenStates: boolean;
}

export function createDevices(options: DeviceOptions): SimulatedDevices {
  const devices: SimulatedDevices = {
    seed: options.seed,
    initialCount: options.count,
    startTime: Date.parse(`${options.firstNight}T00:00:00Z`),
    frozenStates: options.frozenStates,
    night: 0,
    revision: 1,
    macs: [],
    windows: [],
    others: [],
    departed: [],
    nextMacId: 1,
    nextMacOrdinal: 0,
    nextWindowsOrdinal: 0,
  };
  const macCount = Math.ceil(options.count / 2);
  for (let count = 0; count < macCount; count += 1) {
    devices.macs.push(createMac(devices, drawEnrollmentNight(devices, count), true));
  }
  for (let count = macCount; count < options.count; count += 1) {
    devices.windows.push(createWindowsDevice(devices, drawEnrollmentNight(devices, count), true));
  }
  for (let count = 0; count < Math.max(2, Math.floor(options.count / 25)); count += 1) {
    devices.others.push(createOtherDevice(devices, count));
  }
  addDepartedDevices(devices);
  return devices;
}

function drawEnrollmentNight(devices: SimulatedDevices, ordinal: number): number {
  return -5 - drawBelow(600, devices.seed, ordinal, purpose.enrolment);
}

/** Rows of two devices that left long ago stay in the app report for good. */
function addDepartedDevices(devices: SimulatedDevices): void {
  for (let count = 0; count < 2; count += 1) {
    const device = createWindowsDevice(devices, -300);
    device.contact = { kind: 'silent', since: -90 };
    devices.departed.push({ device, leftNight: Number.POSITIVE_INFINITY });
  }
}

export function computeNight(devices: SimulatedDevices, moment: number): number {
  return Math.max(0, Math.floor((moment - devices.startTime) / millisecondsPerDay));
}

/** Lives on to the night; a fleet cannot live backwards. */
export function advanceToNight(devices: SimulatedDevices, night: number): void {
  while (devices.night < night) {
    advanceOneNight(devices);
  }
}
