/** One managed device as Graph writes it. */
import {
  computeWindowsEnrollmentTime,
  computeWindowsSyncTime,
  millisecondsPerDay,
} from '../../devices/contact-times.ts';
import { drawCategory } from '../../devices/locations.ts';
import type { OtherDevice, SimulatedDevices, WindowsDevice } from '../../devices/model.ts';
import { createPerson } from '../../devices/names.ts';
import { drawChoice, drawGuid, purpose } from '../../devices/random.ts';
import { formatGraphDate } from '../format-dates.ts';
import templates from './templates/managed-device.json' with { type: 'json' };

export type ListedDevice = WindowsDevice | OtherDevice;

export const emptyGuid = '00000000-0000-0000-0000-000000000000';

export function readOperatingSystem(device: ListedDevice): string {
  return isOtherDevice(device) ? device.operatingSystem : templates.windows.operatingSystem;
}

export function toDeviceBody(devices: SimulatedDevices, device: ListedDevice): Record<string, unknown> {
  return isOtherDevice(device) ? toOtherBody(devices, device) : toWindowsBody(devices, device);
}

export function isOtherDevice(device: ListedDevice): device is OtherDevice {
  return 'operatingSystem' in device;
}

function toOtherBody(devices: SimulatedDevices, device: OtherDevice): Record<string, unknown> {
  const user = createPerson(devices.seed, device.ordinal);
  return {
    ...templates.windows,
    ...templates.other,
    id: device.id,
    userId: drawGuid(devices.seed, device.ordinal, purpose.otherUserId),
    deviceName: device.name,
    enrolledDateTime: formatGraphDate(devices.startTime - 90 * millisecondsPerDay),
    lastSyncDateTime: formatGraphDate(devices.startTime + (devices.night - 1) * millisecondsPerDay),
    operatingSystem: device.operatingSystem,
    azureADDeviceId: drawGuid(devices.seed, device.ordinal, purpose.otherDirectoryDeviceId),
    emailAddress: user.email,
    userPrincipalName: user.email,
    userDisplayName: user.realName,
    serialNumber: device.serialNumber,
  };
}

function toWindowsBody(devices: SimulatedDevices, device: WindowsDevice): Record<string, unknown> {
  const { seed } = devices;
  const user = device.userless ? undefined : createPerson(seed, device.userOrdinal);
  return {
    ...templates.windows,
    id: device.id,
    userId: user === undefined ? '' : drawGuid(seed, device.userOrdinal, purpose.userId),
    deviceName: device.name,
    managedDeviceOwnerType: device.owner,
    enrolledDateTime: formatGraphDate(computeWindowsEnrollmentTime(devices, device)),
    lastSyncDateTime: formatGraphDate(computeWindowsSyncTime(devices, device)),
    managementAgent: device.managementAgent,
    managementState: device.managementState,
    osVersion: drawWindowsVersion(devices, device),
    azureADDeviceId: drawGuid(seed, device.ordinal, purpose.directoryDeviceId),
    emailAddress: user?.email ?? '',
    userPrincipalName: user?.email ?? '',
    userDisplayName: user?.realName ?? '',
    model: drawChoice(templates.models, seed, device.ordinal, purpose.model, 3),
    serialNumber: device.serialNumber,
    deviceCategoryDisplayName: drawCategory(seed, device.ordinal),
    ...(device.userless ? templates.userless : undefined),
  };
}

export function drawWindowsVersion(devices: SimulatedDevices, device: WindowsDevice): string {
  return drawChoice(templates.versions, devices.seed, device.ordinal, purpose.model);
}
