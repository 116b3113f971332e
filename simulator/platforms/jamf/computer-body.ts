/** One computer of the inventory, section by section: a section that was not requested is null. */
import { computeMacContactTime, computeMacEnrollmentTime, computeMacReportTime } from '../../devices/contact-times.ts';
import type { Mac, SimulatedDevices } from '../../devices/model.ts';
import { createPerson, drawBuilding, drawDepartment } from '../../devices/names.ts';
import { drawChoice, drawGuid, drawMacAddress, drawNumber, purpose } from '../../devices/random.ts';
import { formatJamfDate } from '../format-dates.ts';
import type { DisplaySection } from '../options.ts';
import { jamfSites } from './jamf-objects.ts';

export interface ComputerQuery {
  readonly devices: SimulatedDevices;
  readonly version: number;
  readonly sections: ReadonlySet<SectionName>;
  /** Entries of the extension attributes in a section. */
  readonly attributes: (mac: Mac, section: DisplaySection) => unknown[];
}

type Section = (query: ComputerQuery, mac: Mac) => unknown;

const createList: Section = () => [];
const createObject: Section = () => ({});

const sections = {
  GENERAL: toGeneralSection,
  DISK_ENCRYPTION: createObject,
  PURCHASING: ({ attributes }: ComputerQuery, mac: Mac) => ({
    leased: false,
    purchased: true,
    poNumber: null,
    vendor: null,
    extensionAttributes: attributes(mac, 'PURCHASING'),
  }),
  APPLICATIONS: createList,
  STORAGE: createObject,
  USER_AND_LOCATION: toUserAndLocationSection,
  CONFIGURATION_PROFILES: createList,
  PRINTERS: createList,
  SERVICES: createList,
  HARDWARE: toHardwareSection,
  LOCAL_USER_ACCOUNTS: createList,
  CERTIFICATES: createList,
  ATTACHMENTS: createList,
  PACKAGE_RECEIPTS: createObject,
  SECURITY: createObject,
  OPERATING_SYSTEM: toOperatingSystemSection,
  LICENSED_SOFTWARE: createList,
  IBEACONS: createList,
  SOFTWARE_UPDATES: createList,
  EXTENSION_ATTRIBUTES: ({ attributes }: ComputerQuery, mac: Mac) => attributes(mac, 'EXTENSION_ATTRIBUTES'),
  CONTENT_CACHING: createObject,
  GROUP_MEMBERSHIPS: createList,
} as const;

export type SectionName = keyof typeof sections;

export const sectionNames = Object.keys(sections) as readonly SectionName[];

/** The property of each section, such as diskEncryption for DISK_ENCRYPTION. */
const sectionProperties = sectionNames.map((section) => {
  const property = section.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  return { section, property };
});

export function toComputerBody(query: ComputerQuery, mac: Mac): Record<string, unknown> {
  const { devices, version } = query;
  const udid = mac.neverEnrolled ? null : drawGuid(devices.seed, mac.ordinal, purpose.udid).toUpperCase();
  const oldProperties = version === 1 ? { plugins: null, fonts: null } : {};
  const body: Record<string, unknown> = { id: String(mac.id), udid, ...oldProperties };
  for (const { section, property } of sectionProperties) {
    body[property] = query.sections.has(section) ? sections[section](query, mac) : null;
  }
  return body;
}

function toGeneralSection({ devices, version, attributes }: ComputerQuery, mac: Mac): Record<string, unknown> {
  const contact = formatJamfDate(computeMacContactTime(devices, mac));
  const enrolled = formatJamfDate(computeMacEnrollmentTime(devices, mac));
  const { managed, neverEnrolled } = mac;
  const address = neverEnrolled ? null : `192.0.2.${drawNumber(devices.seed, mac.ordinal) % 250}`;
  const method = { id: '2103', objectName: null, objectType: 'User-initiated - no invitation' };
  const isNewer = version >= 4;
  return {
    name: mac.name,
    lastIpAddress: address,
    lastReportedIpV4: address,
    jamfBinaryVersion: neverEnrolled ? null : '11.30.1-t1784555528405',
    platform: 'Mac',
    remoteManagement: { managed, managementUsername: null },
    supervised: managed,
    mdmCapable: { capable: managed, capableUsers: [], userManagementInfo: [] },
    reportDate: formatJamfDate(computeMacReportTime(devices, mac)),
    // Either the first two or the last two; undefined ones are not written.
    lastContact: isNewer ? contact : undefined,
    lastCheckIn: isNewer ? contact : undefined,
    lastContactTime: isNewer ? undefined : contact,
    lastReportedIp: isNewer ? undefined : address,
    lastEnrolledDate: enrolled,
    initialEntryDate: enrolled?.slice(0, 10) ?? null,
    site: { ...jamfSites[mac.site], id: String(jamfSites[mac.site].id) },
    enrolledViaAutomatedDeviceEnrollment: !neverEnrolled,
    userApprovedMdm: managed,
    enrollmentMethod: neverEnrolled ? null : method,
    managementId: drawGuid(devices.seed, mac.ordinal, purpose.managementId),
    extensionAttributes: attributes(mac, 'GENERAL'),
  };
}

function toHardwareSection({ devices, attributes }: ComputerQuery, mac: Mac): Record<string, unknown> {
  return {
    make: 'Apple',
    model: drawMacModel(devices, mac),
    modelIdentifier: 'Mac15,3',
    serialNumber: mac.serialNumber,
    processorCount: 1,
    processorArchitecture: 'arm64',
    processorType: mac.neverEnrolled ? null : 'Apple M3',
    macAddress: drawMacAddress(devices.seed, mac.ordinal),
    totalRamMegabytes: 16384,
    appleSilicon: true,
    extensionAttributes: attributes(mac, 'HARDWARE'),
  };
}

export function drawMacModel({ seed }: SimulatedDevices, { ordinal }: Mac): string {
  const models = ['MacBook Pro (14-inch, M3)', 'MacBook Air (M2)', 'Mac mini', 'iMac (24-inch)'];
  return drawChoice(models, seed, ordinal, purpose.model);
}

function toUserAndLocationSection({ devices, attributes }: ComputerQuery, mac: Mac): Record<string, unknown> {
  const user = mac.neverEnrolled ? undefined : createPerson(devices.seed, mac.userOrdinal);
  return {
    username: user?.userName ?? '',
    realname: user?.realName ?? null,
    email: user?.email ?? null,
    departmentId: drawDepartment(devices.seed, mac.ordinal)?.id.toString() ?? null,
    buildingId: drawBuilding(devices.seed, mac.ordinal)?.id.toString() ?? null,
    room: '100 Example Street\t \r\nLevel 3',
    extensionAttributes: attributes(mac, 'USER_AND_LOCATION'),
  };
}

function toOperatingSystemSection({ devices, attributes }: ComputerQuery, mac: Mac): Record<string, unknown> {
  const isKnown = !mac.neverEnrolled;
  return {
    name: isKnown ? 'macOS' : null,
    version: isKnown ? drawMacVersion(devices, mac) : null,
    build: isKnown ? '24C101' : null,
    activeDirectoryStatus: 'Not Bound',
    fileVault2Status: 'ALL_ENCRYPTED',
    extensionAttributes: attributes(mac, 'OPERATING_SYSTEM'),
  };
}

export function drawMacVersion({ seed }: SimulatedDevices, { ordinal }: Mac): string {
  return drawChoice(['15.2.0', '14.7.1', '15.7', '26.1'], seed, ordinal, purpose.model, 2);
}
