/** Removes the first device that is no edge case, or replaces it, as happens while a client reads page after page. */
import { createMac, createWindowsDevice } from './create-device.ts';
import type { SimulatedDevices } from './model.ts';

export function replaceFirstMac(devices: SimulatedDevices): void {
  removeFirstMac(devices);
  devices.macs.push(createMac(devices, devices.night));
}

export function removeFirstMac(devices: SimulatedDevices): void {
  const first = devices.macs.find((mac) => !mac.isEdgeCase);
  devices.macs = devices.macs.filter((mac) => mac !== first);
  devices.revision += 1;
}

export function replaceFirstWindowsDevice(devices: SimulatedDevices): void {
  const first = devices.windows.find((device) => !device.isEdgeCase);
  devices.windows = devices.windows.filter((device) => device !== first);
  devices.windows.push(createWindowsDevice(devices, devices.night));
  devices.revision += 1;
}
