/** One managed device as Graph writes it. */
import { computeWindowsEnrollmentTime, computeWindowsSyncTime } from '../../devices/contact-times.ts';
import { drawCategory } from '../../devices/locations.ts';
import type { OtherDevice, SimulatedDevices, WindowsDevice } from '../../devices/model.ts';
import { createPerson } from '../../devices/names.ts';
import { drawChoice, drawGuid, purpose } from '../../devices/random.ts';
import { formatGraphDate } from '../format-dates.ts';

export type ListedDevice = WindowsDevice | OtherDevice;

export const emptyGuid = '00000000-0000-0000-0000-000000000000';

export function readOperatingSystem(device: ListedDevice): string {
  return isOtherDevice(device) ? device.operatingSystem : 'Windows';
}

export function toDeviceBody(devices: SimulatedDevices, device: ListedDevice): Record<string, unknown> {
  return {
    id: device.id,
    ...(isOtherDevice(device) ? toOtherProperties(devices, device) : toWindowsProperties(devices, device)),
    complianceState: 'compliant',
    jailBroken: 'Unknown',
    easActivated: false,
    isEncrypted: true,
    isSupervised: false,
    notes: null,
    udid: null,
    iccid: null,
    ethernetMacAddress: null,
    physicalMemoryInBytes: 0,
    deviceCategoryDisplayName: isOtherDevice(device) ? '' : drawCategory(devices.seed, device.ordinal),
    complianceGracePeriodExpirationDateTime: '0001-01-01T00:00:00Z',
  };
}

export function isOtherDevice(device: ListedDevice): device is OtherDevice {
  return 'operatingSystem' in device;
}

function toOtherProperties(devices: SimulatedDevices, device: OtherDevice): Record<string, unknown> {
  const user = createPerson(devices.seed, device.ordinal);
  const seen = formatGraphDate(devices.startTime + (devices.night - 1) * 86_400_000);
  return {
    userId: drawGuid(devices.seed, device.ordinal, purpose.otherUserId),
    deviceName: device.name,
    managedDeviceOwnerType: 'personal',
    enrolledDateTime: formatGraphDate(devices.startTime - 90 * 86_400_000),
    lastSyncDateTime: seen,
    operatingSystem: device.operatingSystem,
    deviceEnrollmentType: 'userEnrollment',
    managementAgent: 'mdm',
    managementState: 'managed',
    osVersion: '18.1',
    azureADDeviceId: drawGuid(devices.seed, device.ordinal, purpose.otherDirectoryDeviceId),
    emailAddress: user.email,
    userPrincipalName: user.email,
    userDisplayName: user.realName,
    model: 'Phone',
    manufacturer: 'Example',
    serialNumber: device.serialNumber,
  };
}

function toWindowsProperties(devices: SimulatedDevices, device: WindowsDevice): Record<string, unknown> {
  const user = device.userless ? undefined : createPerson(devices.seed, device.userOrdinal);
  return {
    userId: user === undefined ? '' : drawGuid(devices.seed, device.userOrdinal, purpose.userId),
    deviceName: device.name,
    managedDeviceOwnerType: device.owner,
    enrolledDateTime: formatGraphDate(computeWindowsEnrollmentTime(devices, device)),
    lastSyncDateTime: formatGraphDate(computeWindowsSyncTime(devices, device)),
    operatingSystem: 'Windows',
    deviceEnrollmentType: device.userless ? 'windowsBulkUserless' : 'windowsAzureADJoin',
    managementAgent: device.managementAgent,
    managementState: device.managementState,
    osVersion: drawWindowsVersion(devices, device),
    azureADDeviceId: device.userless ? emptyGuid : drawGuid(devices.seed, device.ordinal, purpose.directoryDeviceId),
    emailAddress: user?.email ?? '',
    userPrincipalName: user?.email ?? '',
    userDisplayName: user?.realName ?? '',
    model: drawChoice(
      ['Latitude 7450', 'ThinkPad X1', 'Virtual Machine'],
      devices.seed,
      device.ordinal,
      purpose.model,
      3,
    ),
    manufacturer: 'Example',
    serialNumber: device.serialNumber,
  };
}

export function drawWindowsVersion(devices: SimulatedDevices, device: WindowsDevice): string {
  return drawChoice(
    ['10.0.22631.4317', '10.0.26100.2033', '10.0.19045.5011'],
    devices.seed,
    device.ordinal,
    purpose.model,
  );
}
