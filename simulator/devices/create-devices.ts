/** Creates the devices of night 0. The same seed and night give the same devices, whatever way they got there. */
import { createMac, createOtherDevice, createWindowsDevice } from './create-device.ts';
import type { SimulatedDevices } from './model.ts';
import { drawBelow, purpose } from './random.ts';

export interface DeviceOptions {
  /** Number of Macs and Windows devices together. */
  readonly count: number;
  readonly seed: number;
  /** Date of night 0, YYYY-MM-DD. */
  readonly firstNight: string;
  readonly frozenStates: boolean;
  /** True where each Windows device has a date of enrollment, even edge cases. */
  readonly datesKnown: boolean;
}

const devicesPerOtherDevice = 25;

export function createDevices(options: DeviceOptions): SimulatedDevices {
  const devices: SimulatedDevices = {
    seed: options.seed,
    initialCount: options.count,
    startTime: Date.parse(`${options.firstNight}T00:00:00Z`),
    frozenStates: options.frozenStates,
    datesKnown: options.datesKnown,
    night: 0,
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
    devices.macs.push(createMac(devices, drawEnrollmentNight(devices, count), { initial: true }));
  }
  for (let count = macCount; count < options.count; count += 1) {
    devices.windows.push(createWindowsDevice(devices, drawEnrollmentNight(devices, count), { initial: true }));
  }
  for (let count = 0; count < Math.max(2, Math.floor(options.count / devicesPerOtherDevice)); count += 1) {
    devices.others.push(createOtherDevice(devices, count));
  }
  addDepartedDevices(devices);
  return devices;
}

/** A night from 5 to 604 nights before night 0. */
function drawEnrollmentNight(devices: SimulatedDevices, ordinal: number): number {
  return -5 - drawBelow(600, devices.seed, ordinal, purpose.enrollment);
}

/** Adds two devices that left long ago, whose rows the app report keeps forever. */
function addDepartedDevices(devices: SimulatedDevices): void {
  for (let count = 0; count < 2; count += 1) {
    const device = createWindowsDevice(devices, -300, {});
    device.contact = { kind: 'silent', since: -90 };
    devices.departed.push({ device, leftNight: Number.POSITIVE_INFINITY });
  }
}
