/** One managed device as Graph writes it. */
import { graphDate, windowsEnrolledAt, windowsSyncedAt } from '../../devices/contact-times.ts';
import type { Fleet, OtherDevice, WindowsDevice } from '../../devices/model.ts';
import { person } from '../../devices/names.ts';
import { guid, pick, purpose } from '../../devices/random.ts';

export type Listed = WindowsDevice | OtherDevice;

const noGuid = '00000000-0000-0000-0000-000000000000';

export function isOther(device: Listed): device is OtherDevice {
  return 'system' in device;
}

export function windowsVersion(fleet: Fleet, device: WindowsDevice): string {
  return pick(['10.0.22631.4317', '10.0.26100.2033', '10.0.19045.5011'], fleet.seed, device.ordinal, purpose.model);
}

export function systemOf(device: Listed): string {
  return isOther(device) ? device.system : 'Windows';
}

function windowsBody(fleet: Fleet, device: WindowsDevice): Record<string, unknown> {
  const user = device.userless ? undefined : person(fleet.seed, device.user);
  return {
    userId: user === undefined ? '' : guid(fleet.seed, device.user, 501),
    deviceName: device.name,
    managedDeviceOwnerType: device.owner,
    enrolledDateTime: graphDate(windowsEnrolledAt(fleet, device)),
    lastSyncDateTime: graphDate(windowsSyncedAt(fleet, device)),
    operatingSystem: 'Windows',
    deviceEnrollmentType: device.userless ? 'windowsBulkUserless' : 'windowsAzureADJoin',
    managementAgent: device.agent,
    managementState: device.managementState,
    osVersion: windowsVersion(fleet, device),
    azureADDeviceId: device.userless ? noGuid : guid(fleet.seed, device.ordinal, 502),
    emailAddress: user?.email ?? '',
    userPrincipalName: user?.email ?? '',
    userDisplayName: user?.realName ?? '',
    model: pick(['Latitude 7450', 'ThinkPad X1', 'Virtual Machine'], fleet.seed, device.ordinal, purpose.model, 3),
    manufacturer: 'Example',
    serialNumber: device.serial,
  };
}

function otherBody(fleet: Fleet, device: OtherDevice): Record<string, unknown> {
  const user = person(fleet.seed, device.ordinal);
  const seen = graphDate(fleet.start + (fleet.night - 1) * 86_400_000);
  return {
    userId: guid(fleet.seed, device.ordinal, 503),
    deviceName: device.name,
    managedDeviceOwnerType: 'personal',
    enrolledDateTime: graphDate(fleet.start - 90 * 86_400_000),
    lastSyncDateTime: seen,
    operatingSystem: device.system,
    deviceEnrollmentType: 'userEnrollment',
    managementAgent: 'mdm',
    managementState: 'managed',
    osVersion: '18.1',
    azureADDeviceId: guid(fleet.seed, device.ordinal, 504),
    emailAddress: user.email,
    userPrincipalName: user.email,
    userDisplayName: user.realName,
    model: 'Phone',
    manufacturer: 'Example',
    serialNumber: device.serial,
  };
}

export function deviceBody(fleet: Fleet, device: Listed): Record<string, unknown> {
  return {
    id: device.id,
    ...(isOther(device) ? otherBody(fleet, device) : windowsBody(fleet, device)),
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
    deviceCategoryDisplayName: '',
    complianceGracePeriodExpirationDateTime: '0001-01-01T00:00:00Z',
  };
}
