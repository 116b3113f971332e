/**
 * The one table of device fields. The columns of devices.csv and not-installed.csv, the devices of report.json, the
 * page's columns and titles, the query tables on AWS, `docs/tables.md` and the JSON schema are all made from it.
 * Append only: a test holds the order and the names of what was ever published.
 */
import type { JudgedDevice } from '../core/judged.ts';
import type { Column } from './table.ts';

export interface DeviceField extends Omit<Column<JudgedDevice>, 'name'> {
  /** Its name in report.json and on the page. */
  readonly key: string;
  /** Its column in the CSV files; without one it stands in report.json and on the page alone. */
  readonly name?: string;
  /** Its title on the page. */
  readonly title: string;
}

export const deviceFields = [
  {
    ...{ key: 'source', name: 'source', type: 'word', title: 'Source' },
    description: 'The name of the source in the settings',
    read: (device: JudgedDevice) => device.source,
  },
  {
    ...{ key: 'platform', name: 'platform', type: 'word', title: 'Platform' },
    description: 'The device’s operating system: macos or windows',
    read: (device: JudgedDevice) => device.platform,
  },
  {
    ...{ key: 'id', name: 'device_id', type: 'text', title: 'Device id' },
    description: 'The platform’s own id of the device',
    read: ({ facts }: JudgedDevice) => facts.id,
  },
  {
    ...{ key: 'name', name: 'device_name', type: 'text', title: 'Name' },
    description: 'The device’s name',
    read: ({ facts }: JudgedDevice) => facts.name,
  },
  {
    ...{ key: 'serialNumber', name: 'serial_number', type: 'text', title: 'Serial number' },
    description: 'The serial number as the platform has it',
    read: ({ facts }: JudgedDevice) => facts.serialNumber,
  },
  {
    ...{ key: 'user', name: 'user', type: 'text', title: 'User' },
    description: 'The user the platform assigns the device to; hashed or left out as privacy.users says',
    read: ({ facts }: JudgedDevice) => facts.user,
  },
  {
    ...{ key: 'osVersion', name: 'os_version', type: 'word', title: 'OS version' },
    description: 'The version of the operating system',
    read: ({ facts }: JudgedDevice) => facts.osVersion,
  },
  {
    ...{ key: 'model', name: 'model', type: 'word', title: 'Model' },
    description: 'The hardware model',
    read: ({ facts }: JudgedDevice) => facts.model,
  },
  {
    ...{ key: 'status', name: 'status', type: 'word', title: 'Status' },
    description: 'Installed or Not Installed',
    read: (device: JudgedDevice) => device.status,
  },
  {
    ...{ key: 'reason', name: 'reason', type: 'word', title: 'Reason' },
    description: 'Why the device has that status',
    read: (device: JudgedDevice) => device.reason,
  },
  {
    ...{ key: 'value', name: 'value', type: 'word', title: 'Value' },
    description: 'The raw value or state number that the platform holds for the agent',
    read: (device: JudgedDevice) => device.value,
  },
  {
    ...{ key: 'detail', name: 'detail', type: 'word', title: 'Detail' },
    description: 'Windows: error code and state detail',
    read: (device: JudgedDevice) => device.detail,
  },
  {
    ...{ key: 'valueAt', name: 'value_at', type: 'time', title: 'Value reported' },
    description: 'When the value was reported: the inventory report (macOS), the state’s last change (Windows)',
    read: (device: JudgedDevice) => device.valueAt,
  },
  {
    ...{ key: 'lastSeenAt', name: 'last_seen_at', type: 'time', title: 'Last contact' },
    description: 'The device’s last contact (macOS) or last sync (Windows)',
    read: ({ facts }: JudgedDevice) => facts.lastSeenAt,
  },
  {
    ...{ key: 'enrolledAt', name: 'enrolled_at', type: 'time', title: 'Enrolled' },
    description: 'When the device was enrolled',
    read: ({ facts }: JudgedDevice) => facts.enrolledAt,
  },
  {
    ...{ key: 'managementState', type: 'word', title: 'Management' },
    description: 'managed or unmanaged (macOS); Intune’s managementState (Windows)',
    read: ({ facts }: JudgedDevice) => facts.managementState,
  },
  {
    ...{ key: 'managementAgent', type: 'word', title: 'Managed by' },
    description: 'Windows: Intune’s managementAgent',
    read: ({ facts }: JudgedDevice) => facts.managementAgent,
  },
  {
    ...{ key: 'ownership', type: 'word', title: 'Ownership' },
    description: 'Windows: company or personal',
    read: ({ facts }: JudgedDevice) => facts.ownership,
  },
  {
    ...{ key: 'proven', name: 'proven', type: 'flag', title: 'Proven' },
    description: 'Whether the platform gave a clear, recent answer and the instrument is sound',
    read: (device: JudgedDevice) => device.proven,
  },
  {
    ...{ key: 'stale', name: 'stale', type: 'flag', title: 'Stale' },
    description: 'Whether the answer is older than policy.staleAfterDays, or of unknown age',
    read: (device: JudgedDevice) => device.stale,
  },
  {
    ...{ key: 'counted', name: 'counted', type: 'flag', title: 'Counted' },
    description: 'Whether the device is part of coverage',
    read: (device: JudgedDevice) => device.counted,
  },
  {
    ...{ key: 'excludedBecause', name: 'excluded_because', type: 'word', title: 'Not counted because' },
    description: 'Why the device is not counted; empty where it is',
    read: (device: JudgedDevice) => device.excludedBecause,
  },
  {
    ...{ key: 'notInstalledSince', name: 'not_installed_since', type: 'slot', title: 'Missing since, at least' },
    description: 'The run since which the device has been Not Installed at least; empty while Installed',
    read: (device: JudgedDevice) => device.notInstalledSince,
  },
  {
    ...{ key: 'answeredOn', name: 'answered_on', type: 'slot', title: 'Answered on' },
    description: 'The run whose answer this is: an earlier one where the source is carried',
    read: (device: JudgedDevice) => device.answeredOn,
  },
  {
    ...{ key: 'site', name: 'site', type: 'word', title: 'Site' },
    description: 'Jamf Pro: the name of the device’s site',
    read: ({ facts }: JudgedDevice) => facts.site,
  },
  {
    ...{ key: 'department', name: 'department', type: 'word', title: 'Department' },
    description: 'Jamf Pro: the name of the department, where the account may read departments',
    read: ({ facts }: JudgedDevice) => facts.department,
  },
  {
    ...{ key: 'building', name: 'building', type: 'word', title: 'Building' },
    description: 'Jamf Pro: the name of the building, where the account may read buildings',
    read: ({ facts }: JudgedDevice) => facts.building,
  },
  {
    ...{ key: 'category', name: 'category', type: 'word', title: 'Category' },
    description: 'Intune: the device category',
    read: ({ facts }: JudgedDevice) => facts.category,
  },
] as const satisfies readonly DeviceField[];

type Fields = (typeof deviceFields)[number];

export type DeviceFieldKey = Fields['key'];

/** A field by its key, so that whoever asks for a missing one does not compile. */
export type DeviceFieldValues = { [Field in Fields as Field['key']]: ReturnType<Field['read']> };

/** The columns of the tables that have a row a device. */
export const deviceColumns: readonly Column<JudgedDevice>[] = (deviceFields as readonly DeviceField[]).flatMap(
  ({ name, type, description, read }) => (name === undefined ? [] : [{ name, type, description, read }]),
);

export function readDeviceFields(device: JudgedDevice): DeviceFieldValues {
  return Object.fromEntries(deviceFields.map(({ key, read }) => [key, read(device)])) as DeviceFieldValues;
}
