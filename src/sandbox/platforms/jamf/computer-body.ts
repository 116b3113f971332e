/** One computer of the inventory, section by section: what was not asked for is null. */
import { jamfDate, macContactedAt, macEnrolledAt, macReportedAt } from '../../devices/contact-times.ts';
import type { Fleet, Mac } from '../../devices/model.ts';
import { person } from '../../devices/names.ts';
import { draw, guid, hex, pick, purpose } from '../../devices/random.ts';
import type { World } from '../platform-context.ts';
import { entriesOf } from './extension-attributes.ts';
import type { AttributeDefinition } from './jamf-objects.ts';

export const sections = {
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

export type Section = keyof typeof sections;

export interface ComputerQuestion {
  readonly world: World;
  readonly fleet: Fleet;
  readonly version: number;
  readonly sections: ReadonlySet<Section>;
  readonly definitions: readonly AttributeDefinition[];
  readonly memberships: (mac: Mac) => unknown[];
}

export function macModel(fleet: Fleet, mac: Mac): string {
  return pick(
    ['MacBook Pro (14-inch, M3)', 'MacBook Air (M2)', 'Mac mini', 'iMac (24-inch)'],
    fleet.seed,
    mac.ordinal,
    purpose.model,
  );
}

export function macSystem(fleet: Fleet, mac: Mac): string {
  return pick(['15.2.0', '14.7.1', '15.7', '26.1'], fleet.seed, mac.ordinal, purpose.model, 2);
}

export function macUser(fleet: Fleet, mac: Mac): ReturnType<typeof person> | undefined {
  return mac.bare ? undefined : person(fleet.seed, mac.user);
}

export function udid(fleet: Fleet, mac: Mac): string | null {
  return mac.bare ? null : guid(fleet.seed, mac.ordinal, 404).toUpperCase();
}

function siteOf(world: World, mac: Mac): { id: string; name: string } {
  if (!world.jamfOptions.site) {
    return { id: '-1', name: 'None' };
  }
  return mac.site === 'headquarters' ? { id: '1', name: 'Headquarters' } : { id: '2', name: 'Branch' };
}

function general(question: ComputerQuestion, mac: Mac): Record<string, unknown> {
  const { fleet, world } = question;
  const contact = jamfDate(macContactedAt(fleet, mac));
  const enrolled = macEnrolledAt(fleet, mac);
  const address = mac.bare ? null : `192.0.2.${draw(fleet.seed, mac.ordinal) % 250}`;
  const contacts =
    question.version >= 4
      ? { lastContact: contact, lastCheckIn: contact }
      : { lastContactTime: contact, lastReportedIp: address };
  return {
    name: mac.name,
    lastIpAddress: address,
    lastReportedIpV4: address,
    lastReportedIpV6: null,
    jamfBinaryVersion: mac.bare ? null : '11.30.1-t1784555528405',
    platform: 'Mac',
    barcode1: null,
    barcode2: null,
    assetTag: null,
    remoteManagement: { managed: mac.managed, managementUsername: null },
    supervised: mac.managed,
    mdmCapable: { capable: mac.managed, capableUsers: [], userManagementInfo: [] },
    reportDate: jamfDate(macReportedAt(fleet, mac)),
    ...contacts,
    lastCloudBackupDate: null,
    lastEnrolledDate: jamfDate(enrolled),
    mdmProfileExpiration: null,
    initialEntryDate: enrolled === undefined ? null : new Date(enrolled).toISOString().slice(0, 10),
    distributionPoint: null,
    site: siteOf(world, mac),
    itunesStoreAccountActive: false,
    enrolledViaAutomatedDeviceEnrollment: !mac.bare,
    userApprovedMdm: mac.managed,
    enrollmentMethod: mac.bare ? null : { id: '2103', objectName: null, objectType: 'User-initiated - no invitation' },
    declarativeDeviceManagementEnabled: mac.managed,
    managementId: guid(fleet.seed, mac.ordinal, 405),
    lastLoggedInUsernameSelfService: null,
    lastLoggedInUsernameSelfServiceTimestamp: null,
    lastLoggedInUsernameBinary: null,
    lastLoggedInUsernameBinaryTimestamp: null,
    extensionAttributes: entriesOf(world, question.definitions, mac, 'GENERAL'),
  };
}

/** Properties nobody here needs, with the nulls and odd values of real bodies. */
const plainHardware = {
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

function hardware(question: ComputerQuestion, mac: Mac): Record<string, unknown> {
  return {
    make: 'Apple',
    model: macModel(question.fleet, mac),
    modelIdentifier: 'Mac15,3',
    serialNumber: mac.serial,
    ...plainHardware,
    processorType: mac.bare ? null : 'Apple M3',
    macAddress: hex(12, question.fleet.seed, mac.ordinal, 406)
      .toUpperCase()
      .replace(/(..)(?=.)/g, '$1:'),
    altMacAddress: null,
    totalRamMegabytes: 16384,
    appleSilicon: true,
    extensionAttributes: entriesOf(question.world, question.definitions, mac, 'HARDWARE'),
  };
}

function userAndLocation(question: ComputerQuestion, mac: Mac): Record<string, unknown> {
  const user = macUser(question.fleet, mac);
  return {
    username: user?.userName ?? '',
    realname: user?.realName ?? null,
    email: user?.email ?? null,
    position: null,
    phone: null,
    departmentId: null,
    buildingId: null,
    room: '100 Example Street\t \r\nLevel 3',
    extensionAttributes: entriesOf(question.world, question.definitions, mac, 'USER_AND_LOCATION'),
  };
}

function operatingSystem(question: ComputerQuestion, mac: Mac): Record<string, unknown> {
  return {
    name: mac.bare ? null : 'macOS',
    version: mac.bare ? null : macSystem(question.fleet, mac),
    build: mac.bare ? null : '24C101',
    supplementalBuildVersion: null,
    rapidSecurityResponse: null,
    activeDirectoryStatus: 'Not Bound',
    fileVault2Status: 'ALL_ENCRYPTED',
    softwareUpdateDeviceId: null,
    extensionAttributes: entriesOf(question.world, question.definitions, mac, 'OPERATING_SYSTEM'),
  };
}

function sectionBody(section: Section, question: ComputerQuestion, mac: Mac): unknown {
  switch (section) {
    case 'GENERAL':
      return general(question, mac);
    case 'HARDWARE':
      return hardware(question, mac);
    case 'USER_AND_LOCATION':
      return userAndLocation(question, mac);
    case 'OPERATING_SYSTEM':
      return operatingSystem(question, mac);
    case 'PURCHASING':
      return {
        leased: false,
        purchased: true,
        poNumber: null,
        vendor: null,
        extensionAttributes: entriesOf(question.world, question.definitions, mac, 'PURCHASING'),
      };
    case 'EXTENSION_ATTRIBUTES':
      return entriesOf(question.world, question.definitions, mac, 'EXTENSION_ATTRIBUTES');
    case 'GROUP_MEMBERSHIPS':
      return question.memberships(mac);
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

export function computerBody(question: ComputerQuestion, mac: Mac): Record<string, unknown> {
  const gone = question.version === 1 ? { plugins: null, fonts: null } : {};
  const body: Record<string, unknown> = { id: String(mac.id), udid: udid(question.fleet, mac), ...gone };
  for (const [section, property] of Object.entries(sections) as [Section, string][]) {
    body[property] = question.sections.has(section) ? sectionBody(section, question, mac) : null;
  }
  return body;
}
