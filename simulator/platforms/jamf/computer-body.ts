/** One computer of the inventory, section by section: a section that was not requested is null. */
import { computeMacContactTime, computeMacEnrollmentTime, computeMacReportTime } from '../../devices/contact-times.ts';
import { drawBuilding, drawDepartment, type NamedLocation } from '../../devices/locations.ts';
import type { Mac, SimulatedDevices } from '../../devices/model.ts';
import { createPerson, type Person } from '../../devices/names.ts';
import { drawChoice, drawGuid, drawMacAddress, drawNumber, purpose } from '../../devices/random.ts';
import { formatJamfDate } from '../format-dates.ts';
import type { DisplaySection } from '../options.ts';
import templates from './templates/computer.json' with { type: 'json' };

const { sections, neverEnrolled } = templates;

export type SectionName = keyof typeof sections;

export const sectionNames = Object.keys(sections) as readonly SectionName[];

/** The property of each section, such as diskEncryption for DISK_ENCRYPTION. */
const sectionProperties = sectionNames.map((section) => {
  const property = section.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  return { section, property };
});

export interface ComputerQuery {
  readonly devices: SimulatedDevices;
  readonly version: number;
  readonly sections: ReadonlySet<SectionName>;
  /** The entries that a section has of the extension attributes. */
  readonly attributes: (mac: Mac, section: DisplaySection) => unknown[];
  readonly memberships: (mac: Mac) => unknown[];
}

/** What varies from Mac to Mac; every other section is as its template. */
const sectionBodies: Readonly<Partial<Record<SectionName, (query: ComputerQuery, mac: Mac) => unknown>>> = {
  GENERAL: toGeneralSection,
  PURCHASING: ({ attributes }, mac) => ({
    ...sections.PURCHASING,
    extensionAttributes: attributes(mac, 'PURCHASING'),
  }),
  USER_AND_LOCATION: toUserAndLocationSection,
  HARDWARE: toHardwareSection,
  OPERATING_SYSTEM: toOperatingSystemSection,
  EXTENSION_ATTRIBUTES: ({ attributes }, mac) => attributes(mac, 'EXTENSION_ATTRIBUTES'),
  GROUP_MEMBERSHIPS: ({ memberships }, mac) => memberships(mac),
};

export function toComputerBody(query: ComputerQuery, mac: Mac): Record<string, unknown> {
  const oldProperties = query.version === 1 ? { plugins: null, fonts: null } : {};
  const body: Record<string, unknown> = { id: String(mac.id), udid: drawUdid(query.devices, mac), ...oldProperties };
  for (const { section, property } of sectionProperties) {
    body[property] = query.sections.has(section) ? toSectionBody(section, query, mac) : null;
  }
  return body;
}

function toSectionBody(section: SectionName, query: ComputerQuery, mac: Mac): unknown {
  const toBody = sectionBodies[section];
  return toBody === undefined ? sections[section] : toBody(query, mac);
}

export function drawUdid(devices: SimulatedDevices, mac: Mac): string | null {
  return mac.neverEnrolled ? null : drawGuid(devices.seed, mac.ordinal, purpose.udid).toUpperCase();
}

function toGeneralSection({ devices, version, attributes }: ComputerQuery, mac: Mac): Record<string, unknown> {
  const contact = formatJamfDate(computeMacContactTime(devices, mac));
  const enrolled = formatJamfDate(computeMacEnrollmentTime(devices, mac));
  const address = mac.neverEnrolled ? null : `192.0.2.${drawNumber(devices.seed, mac.ordinal) % 250}`;
  const isNewer = version >= 4;
  return {
    ...sections.GENERAL,
    name: mac.name,
    lastIpAddress: address,
    lastReportedIpV4: address,
    remoteManagement: { ...sections.GENERAL.remoteManagement, managed: mac.managed },
    supervised: mac.managed,
    mdmCapable: { ...sections.GENERAL.mdmCapable, capable: mac.managed },
    reportDate: formatJamfDate(computeMacReportTime(devices, mac)),
    // Either the first two or the last two: what is undefined is not written.
    lastContact: isNewer ? contact : undefined,
    lastCheckIn: isNewer ? contact : undefined,
    lastContactTime: isNewer ? undefined : contact,
    lastReportedIp: isNewer ? undefined : address,
    lastEnrolledDate: enrolled,
    initialEntryDate: enrolled?.slice(0, 10) ?? null,
    site: templates.sites[mac.site],
    userApprovedMdm: mac.managed,
    declarativeDeviceManagementEnabled: mac.managed,
    managementId: drawGuid(devices.seed, mac.ordinal, purpose.managementId),
    extensionAttributes: attributes(mac, 'GENERAL'),
    ...(mac.neverEnrolled ? neverEnrolled.GENERAL : undefined),
  };
}

function toHardwareSection({ devices, attributes }: ComputerQuery, mac: Mac): Record<string, unknown> {
  return {
    ...sections.HARDWARE,
    model: drawMacModel(devices, mac),
    serialNumber: mac.serialNumber,
    macAddress: drawMacAddress(devices.seed, mac.ordinal),
    extensionAttributes: attributes(mac, 'HARDWARE'),
    ...(mac.neverEnrolled ? neverEnrolled.HARDWARE : undefined),
  };
}

export function drawMacModel(devices: SimulatedDevices, mac: Mac): string {
  return drawChoice(templates.models, devices.seed, mac.ordinal, purpose.model);
}

function toUserAndLocationSection({ devices, attributes }: ComputerQuery, mac: Mac): Record<string, unknown> {
  const user = findMacUser(devices, mac);
  return {
    ...sections.USER_AND_LOCATION,
    username: user?.userName ?? '',
    realname: user?.realName ?? null,
    email: user?.email ?? null,
    departmentId: formatPlaceId(drawDepartment(devices.seed, mac.ordinal)),
    buildingId: formatPlaceId(drawBuilding(devices.seed, mac.ordinal)),
    extensionAttributes: attributes(mac, 'USER_AND_LOCATION'),
  };
}

function formatPlaceId(place: NamedLocation | undefined): string | null {
  return place === undefined ? null : String(place.id);
}

export function findMacUser(devices: SimulatedDevices, mac: Mac): Person | undefined {
  return mac.neverEnrolled ? undefined : createPerson(devices.seed, mac.userOrdinal);
}

function toOperatingSystemSection({ devices, attributes }: ComputerQuery, mac: Mac): Record<string, unknown> {
  return {
    ...sections.OPERATING_SYSTEM,
    version: drawMacVersion(devices, mac),
    extensionAttributes: attributes(mac, 'OPERATING_SYSTEM'),
    ...(mac.neverEnrolled ? neverEnrolled.OPERATING_SYSTEM : undefined),
  };
}

export function drawMacVersion(devices: SimulatedDevices, mac: Mac): string {
  return drawChoice(templates.versions, devices.seed, mac.ordinal, purpose.model, 2);
}
