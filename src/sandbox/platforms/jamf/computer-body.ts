/** One computer of the inventory, section by section: a section that was not requested is null. */
import { computeMacContactTime, computeMacEnrollmentTime, computeMacReportTime } from '../../devices/contact-times.ts';
import { drawBuilding, drawDepartment, type NamedLocation } from '../../devices/locations.ts';
import type { Mac, SimulatedDevices } from '../../devices/model.ts';
import { createPerson, type Person } from '../../devices/names.ts';
import { drawChoice, drawGuid, drawMacAddress, drawNumber, purpose } from '../../devices/random.ts';
import { formatJamfDate } from '../format-dates.ts';
import type { PlatformContext } from '../platform-context.ts';
import { toAttributeEntries } from './extension-attributes.ts';
import type { AttributeDefinition } from './jamf-objects.ts';

export const inventorySections = {
  GENERAL: 'general',
  DISK_ENCRYPTION: 'diskEncryption',
  PURCHASING: 'purchasing',
  APPLICATIONS: 'applications',
  STORAGE: 'storage',
  USER_AND_LOCATION: 'userAndLocation',
  CONFIGURATION_PROFILES: 'configurationProfiles',
  PRINTERS: 'printers',
  SERVICES: 'services',
  HARDWARE: 'hardware',
  LOCAL_USER_ACCOUNTS: 'localUserAccounts',
  CERTIFICATES: 'certificates',
  ATTACHMENTS: 'attachments',
  PACKAGE_RECEIPTS: 'packageReceipts',
  SECURITY: 'security',
  OPERATING_SYSTEM: 'operatingSystem',
  LICENSED_SOFTWARE: 'licensedSoftware',
  IBEACONS: 'ibeacons',
  SOFTWARE_UPDATES: 'softwareUpdates',
  EXTENSION_ATTRIBUTES: 'extensionAttributes',
  CONTENT_CACHING: 'contentCaching',
  GROUP_MEMBERSHIPS: 'groupMemberships',
} as const;

export type SectionName = keyof typeof inventorySections;

export interface ComputerQuery {
  readonly context: PlatformContext;
  readonly devices: SimulatedDevices;
  readonly version: number;
  readonly sections: ReadonlySet<SectionName>;
  readonly definitions: readonly AttributeDefinition[];
  readonly memberships: (mac: Mac) => unknown[];
}

/** Properties that no client here reads, with the nulls and odd values of real bodies. */
const constantHardware = {
  processorSpeedMhz: 0,
  processorCount: 1,
  coreCount: -1,
  processorArchitecture: 'arm64',
  busSpeedMhz: 0,
  cacheSizeKilobytes: 0,
  networkAdapterType: null,
  altNetworkAdapterType: null,
  openRamSlots: 0,
  batteryCapacityPercent: 90,
  batteryHealth: 'UNKNOWN',
  smcVersion: null,
  nicSpeed: 'n/a',
  opticalDrive: null,
  bootRom: null,
  bleCapable: true,
  supportsIosAppInstalls: false,
  provisioningUdid: null,
};

export function toComputerBody(query: ComputerQuery, mac: Mac): Record<string, unknown> {
  const oldProperties = query.version === 1 ? { plugins: null, fonts: null } : {};
  const body: Record<string, unknown> = { id: String(mac.id), udid: drawUdid(query.devices, mac), ...oldProperties };
  for (const [section, property] of Object.entries(inventorySections) as [SectionName, string][]) {
    body[property] = query.sections.has(section) ? toSectionBody(section, query, mac) : null;
  }
  return body;
}

export function drawUdid(devices: SimulatedDevices, mac: Mac): string | null {
  return mac.neverEnrolled ? null : drawGuid(devices.seed, mac.ordinal, purpose.udid).toUpperCase();
}

function toSectionBody(section: SectionName, query: ComputerQuery, mac: Mac): unknown {
  switch (section) {
    case 'GENERAL':
      return toGeneralSection(query, mac);
    case 'HARDWARE':
      return toHardwareSection(query, mac);
    case 'USER_AND_LOCATION':
      return toUserAndLocationSection(query, mac);
    case 'OPERATING_SYSTEM':
      return toOperatingSystemSection(query, mac);
    case 'PURCHASING':
      return {
        leased: false,
        purchased: true,
        poNumber: null,
        vendor: null,
        extensionAttributes: toAttributeEntries(query.context, query.definitions, mac, 'PURCHASING'),
      };
    case 'EXTENSION_ATTRIBUTES':
      return toAttributeEntries(query.context, query.definitions, mac, 'EXTENSION_ATTRIBUTES');
    case 'GROUP_MEMBERSHIPS':
      return query.memberships(mac);
    case 'DISK_ENCRYPTION':
    case 'STORAGE':
    case 'SECURITY':
    case 'PACKAGE_RECEIPTS':
    case 'CONTENT_CACHING':
      return {};
    default:
      return [];
  }
}

function toGeneralSection(query: ComputerQuery, mac: Mac): Record<string, unknown> {
  const { devices, context } = query;
  const contact = formatJamfDate(computeMacContactTime(devices, mac));
  const enrolled = computeMacEnrollmentTime(devices, mac);
  const address = mac.neverEnrolled ? null : `192.0.2.${drawNumber(devices.seed, mac.ordinal) % 250}`;
  const contacts =
    query.version >= 4
      ? { lastContact: contact, lastCheckIn: contact }
      : { lastContactTime: contact, lastReportedIp: address };
  return {
    name: mac.name,
    lastIpAddress: address,
    lastReportedIpV4: address,
    lastReportedIpV6: null,
    jamfBinaryVersion: mac.neverEnrolled ? null : '11.30.1-t1784555528405',
    platform: 'Mac',
    barcode1: null,
    barcode2: null,
    assetTag: null,
    remoteManagement: { managed: mac.managed, managementUsername: null },
    supervised: mac.managed,
    mdmCapable: { capable: mac.managed, capableUsers: [], userManagementInfo: [] },
    reportDate: formatJamfDate(computeMacReportTime(devices, mac)),
    ...contacts,
    lastCloudBackupDate: null,
    lastEnrolledDate: formatJamfDate(enrolled),
    mdmProfileExpiration: null,
    initialEntryDate: enrolled === undefined ? null : new Date(enrolled).toISOString().slice(0, 10),
    distributionPoint: null,
    site: toSiteBody(mac),
    itunesStoreAccountActive: false,
    enrolledViaAutomatedDeviceEnrollment: !mac.neverEnrolled,
    userApprovedMdm: mac.managed,
    enrollmentMethod: mac.neverEnrolled
      ? null
      : { id: '2103', objectName: null, objectType: 'User-initiated - no invitation' },
    declarativeDeviceManagementEnabled: mac.managed,
    managementId: drawGuid(devices.seed, mac.ordinal, purpose.managementId),
    lastLoggedInUsernameSelfService: null,
    lastLoggedInUsernameSelfServiceTimestamp: null,
    lastLoggedInUsernameBinary: null,
    lastLoggedInUsernameBinaryTimestamp: null,
    extensionAttributes: toAttributeEntries(context, query.definitions, mac, 'GENERAL'),
  };
}

function toSiteBody(mac: Mac): { id: string; name: string } {
  return mac.site === 'headquarters' ? { id: '1', name: 'Headquarters' } : { id: '2', name: 'Branch' };
}

function toHardwareSection(query: ComputerQuery, mac: Mac): Record<string, unknown> {
  return {
    make: 'Apple',
    model: drawMacModel(query.devices, mac),
    modelIdentifier: 'Mac15,3',
    serialNumber: mac.serialNumber,
    ...constantHardware,
    processorType: mac.neverEnrolled ? null : 'Apple M3',
    macAddress: drawMacAddress(query.devices.seed, mac.ordinal),
    altMacAddress: null,
    totalRamMegabytes: 16384,
    appleSilicon: true,
    extensionAttributes: toAttributeEntries(query.context, query.definitions, mac, 'HARDWARE'),
  };
}

export function drawMacModel(devices: SimulatedDevices, mac: Mac): string {
  return drawChoice(
    ['MacBook Pro (14-inch, M3)', 'MacBook Air (M2)', 'Mac mini', 'iMac (24-inch)'],
    devices.seed,
    mac.ordinal,
    purpose.model,
  );
}

function toUserAndLocationSection(query: ComputerQuery, mac: Mac): Record<string, unknown> {
  const user = findMacUser(query.devices, mac);
  return {
    username: user?.userName ?? '',
    realname: user?.realName ?? null,
    email: user?.email ?? null,
    position: null,
    phone: null,
    departmentId: formatPlaceId(drawDepartment(query.devices.seed, mac.ordinal)),
    buildingId: formatPlaceId(drawBuilding(query.devices.seed, mac.ordinal)),
    room: '100 Example Street\t \r\nLevel 3',
    extensionAttributes: toAttributeEntries(query.context, query.definitions, mac, 'USER_AND_LOCATION'),
  };
}

function formatPlaceId(place: NamedLocation | undefined): string | null {
  return place === undefined ? null : String(place.id);
}

export function findMacUser(devices: SimulatedDevices, mac: Mac): Person | undefined {
  return mac.neverEnrolled ? undefined : createPerson(devices.seed, mac.userOrdinal);
}

function toOperatingSystemSection(query: ComputerQuery, mac: Mac): Record<string, unknown> {
  return {
    name: mac.neverEnrolled ? null : 'macOS',
    version: mac.neverEnrolled ? null : drawMacVersion(query.devices, mac),
    build: mac.neverEnrolled ? null : '24C101',
    supplementalBuildVersion: null,
    rapidSecurityResponse: null,
    activeDirectoryStatus: 'Not Bound',
    fileVault2Status: 'ALL_ENCRYPTED',
    softwareUpdateDeviceId: null,
    extensionAttributes: toAttributeEntries(query.context, query.definitions, mac, 'OPERATING_SYSTEM'),
  };
}

export function drawMacVersion(devices: SimulatedDevices, mac: Mac): string {
  return drawChoice(['15.2.0', '14.7.1', '15.7', '26.1'], devices.seed, mac.ordinal, purpose.model, 2);
}
