/** Renders one managed device as Graph does. */
import {
  computeWindowsEnrollmentTime,
  computeWindowsSyncTime,
  millisecondsPerDay,
} from '../../devices/contact-times.ts';
import type { OtherDevice, SimulatedDevices, WindowsDevice } from '../../devices/model.ts';
import { createPerson, drawCategory } from '../../devices/names.ts';
import { drawChoice, drawGuid, purpose } from '../../devices/random.ts';
import { formatGraphDate } from '../format-dates.ts';

export type ListedDevice = WindowsDevice | OtherDevice;

export const emptyGuid = '00000000-0000-0000-0000-000000000000';

export function readOperatingSystem(device: ListedDevice): string {
  return 'operatingSystem' in device ? device.operatingSystem : 'Windows';
}

export function readEnrollmentDate(devices: SimulatedDevices, device: ListedDevice): string {
  return formatGraphDate(
    'operatingSystem' in device
      ? devices.startTime - 90 * millisecondsPerDay
      : computeWindowsEnrollmentTime(devices, device),
  );
}

export function toDeviceBody(devices: SimulatedDevices, device: ListedDevice): Record<string, unknown> {
  const isOther = 'operatingSystem' in device;
  const user = isOther || !device.userless ? createPerson(devices.seed, findUserOrdinal(device)) : undefined;
  return {
    id: device.id,
    deviceName: device.name,
    operatingSystem: readOperatingSystem(device),
    emailAddress: user?.email ?? '',
    userPrincipalName: user?.email ?? '',
    userDisplayName: user?.realName ?? '',
    manufacturer: 'Example',
    serialNumber: device.serialNumber,
    enrolledDateTime: readEnrollmentDate(devices, device),
    complianceState: 'compliant',
    complianceGracePeriodExpirationDateTime: formatGraphDate(undefined),
    ...(isOther ? describeOther(devices, device) : describeWindows(devices, device)),
  };
}

function findUserOrdinal(device: ListedDevice): number {
  return 'userOrdinal' in device ? device.userOrdinal : device.ordinal;
}

function describeOther(
  { seed, startTime, night }: SimulatedDevices,
  { ordinal }: OtherDevice,
): Record<string, unknown> {
  return {
    userId: drawGuid(seed, ordinal, purpose.otherUserId),
    managedDeviceOwnerType: 'personal',
    lastSyncDateTime: formatGraphDate(startTime + (night - 1) * millisecondsPerDay),
    deviceEnrollmentType: 'userEnrollment',
    managementAgent: 'mdm',
    managementState: 'managed',
    osVersion: '18.1',
    azureADDeviceId: drawGuid(seed, ordinal, purpose.otherDirectoryDeviceId),
    model: 'Phone',
    deviceCategoryDisplayName: '',
  };
}

function describeWindows(devices: SimulatedDevices, device: WindowsDevice): Record<string, unknown> {
  const { seed } = devices;
  const { ordinal, userOrdinal, userless } = device;
  return {
    userId: userless ? '' : drawGuid(seed, userOrdinal, purpose.userId),
    managedDeviceOwnerType: device.owner,
    lastSyncDateTime: formatGraphDate(computeWindowsSyncTime(devices, device)),
    deviceEnrollmentType: userless ? 'windowsBulkUserless' : 'windowsAzureADJoin',
    managementAgent: device.managementAgent,
    managementState: device.managementState,
    osVersion: drawWindowsVersion(devices, device),
    azureADDeviceId: userless ? emptyGuid : drawGuid(seed, ordinal, purpose.directoryDeviceId),
    model: drawChoice(['Latitude 7450', 'ThinkPad X1', 'Virtual Machine'], seed, ordinal, purpose.model, 3),
    deviceCategoryDisplayName: drawCategory(seed, ordinal),
  };
}

export function drawWindowsVersion({ seed }: SimulatedDevices, { ordinal }: WindowsDevice): string {
  return drawChoice(['10.0.22631.4317', '10.0.26100.2033', '10.0.19045.5011'], seed, ordinal, purpose.model);
}
