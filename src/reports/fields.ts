/**
 * The one table of device fields. The columns of devices.csv and not-installed.csv, the devices of report.json, the
 * page's columns and titles, the query tables on AWS, `docs/tables.md` and the JSON schema are all made from it.
 * Append only: a test checks the order and the names of every published column.
 */
import type { JudgedDevice } from '../core/judged.ts';
import type { Cell } from './cell.ts';
import type { ColumnDefinition, ColumnType } from './table.ts';

export interface DeviceField<
  Key extends string = string,
  Value extends Cell = Cell,
  Type extends ColumnType = ColumnType,
> {
  /** Its name in report.json and on the page. */
  readonly key: Key;
  /** Its column in the CSV files; a field without one is only in report.json and on the page. */
  readonly name: string | undefined;
  readonly type: Type;
  /** Its title on the page. */
  readonly title: string;
  readonly description: string;
  readonly read: (device: JudgedDevice) => Value;
}

export const deviceFields = [
  defineField(
    'source',
    'source',
    'word',
    'Source',
    'The name of the source in the settings',
    (device) => device.source,
  ),
  defineField(
    'platform',
    'platform',
    'word',
    'Platform',
    'The device’s operating system: macos or windows',
    (device) => device.platform,
  ),
  defineField('id', 'device_id', 'text', 'Device id', 'The platform’s own id of the device', ({ facts }) => facts.id),
  defineField('name', 'device_name', 'text', 'Name', 'The device’s name', ({ facts }) => facts.name),
  defineField(
    'serialNumber',
    'serial_number',
    'text',
    'Serial number',
    'The serial number as the platform has it',
    ({ facts }) => facts.serialNumber,
  ),
  defineField(
    'user',
    'user',
    'text',
    'User',
    'The user the platform assigns the device to; hashed or left out as privacy.users says',
    ({ facts }) => facts.user,
  ),
  defineField(
    'osVersion',
    'os_version',
    'word',
    'OS version',
    'The version of the operating system',
    ({ facts }) => facts.osVersion,
  ),
  defineField('model', 'model', 'word', 'Model', 'The hardware model', ({ facts }) => facts.model),
  defineField('status', 'status', 'word', 'Status', 'Installed or Not Installed', (device) => device.status),
  defineField('reason', 'reason', 'word', 'Reason', 'Why the device has that status', (device) => device.reason),
  defineField(
    'value',
    'value',
    'word',
    'Value',
    'The raw value or state number that the platform holds for the agent',
    (device) => device.value,
  ),
  defineField('detail', 'detail', 'word', 'Detail', 'Windows: error code and state detail', (device) => device.detail),
  defineField(
    'valueAt',
    'value_at',
    'time',
    'Value reported',
    'When the value was reported: the inventory report (macOS), the state’s last change (Windows)',
    (device) => device.valueAt,
  ),
  defineField(
    'lastSeenAt',
    'last_seen_at',
    'time',
    'Last contact',
    'The device’s last contact (macOS) or last sync (Windows)',
    ({ facts }) => facts.lastSeenAt,
  ),
  defineField(
    'enrolledAt',
    'enrolled_at',
    'time',
    'Enrolled',
    'When the device was enrolled',
    ({ facts }) => facts.enrolledAt,
  ),
  defineField(
    'managementState',
    undefined,
    'word',
    'Management',
    'managed or unmanaged (macOS); Intune’s managementState (Windows)',
    ({ facts }) => facts.managementState,
  ),
  defineField(
    'managementAgent',
    undefined,
    'word',
    'Managed by',
    'Windows: Intune’s managementAgent',
    ({ facts }) => facts.managementAgent,
  ),
  defineField(
    'ownership',
    undefined,
    'word',
    'Ownership',
    'Windows: company or personal',
    ({ facts }) => facts.ownership,
  ),
  defineField(
    'proven',
    'proven',
    'flag',
    'Proven',
    'Whether the platform gave a clear, recent answer and the instrument is sound',
    (device) => device.proven,
  ),
  defineField(
    'stale',
    'stale',
    'flag',
    'Stale',
    'Whether the answer is older than policy.staleAfterDays, or of unknown age',
    (device) => device.stale,
  ),
  defineField(
    'counted',
    'counted',
    'flag',
    'Counted',
    'Whether the device is part of coverage',
    (device) => device.counted,
  ),
  defineField(
    'excludedBecause',
    'excluded_because',
    'word',
    'Not counted because',
    'Why the device is not counted; empty where it is',
    (device) => device.excludedBecause,
  ),
  defineField(
    'notInstalledSince',
    'not_installed_since',
    'slot',
    'Missing since, at least',
    'The run since which the device has been Not Installed at least; empty while Installed',
    (device) => device.notInstalledSince,
  ),
  defineField(
    'answeredOn',
    'answered_on',
    'slot',
    'Answered on',
    'The run whose answer this is: an earlier one where the source is carried',
    (device) => device.answeredOn,
  ),
  defineField('site', 'site', 'word', 'Site', 'Jamf Pro: the name of the device’s site', ({ facts }) => facts.site),
  defineField(
    'department',
    'department',
    'word',
    'Department',
    'Jamf Pro: the name of the department, where the account may read departments',
    ({ facts }) => facts.department,
  ),
  defineField(
    'building',
    'building',
    'word',
    'Building',
    'Jamf Pro: the name of the building, where the account may read buildings',
    ({ facts }) => facts.building,
  ),
  defineField('category', 'category', 'word', 'Category', 'Intune: the device category', ({ facts }) => facts.category),
] as const;

type DeviceFieldEntry = (typeof deviceFields)[number];

export type DeviceFieldKey = DeviceFieldEntry['key'];

/** What a device's fields hold, by key. */
export type DeviceFieldValues = { [Field in DeviceFieldEntry as Field['key']]: ReturnType<Field['read']> };

/** The type of each field's column, by key. */
export type DeviceFieldTypes = { [Field in DeviceFieldEntry as Field['key']]: Field['type'] };

/** The columns of the tables with one row for each device. */
export const deviceTableColumns: readonly ColumnDefinition<JudgedDevice>[] = deviceFields.flatMap(
  ({ name, type, description, read }) => (name === undefined ? [] : [[name, type, description, read] as const]),
);

export function readDeviceFields(device: JudgedDevice): DeviceFieldValues {
  return Object.fromEntries(deviceFields.map(({ key, read }) => [key, read(device)])) as DeviceFieldValues;
}

function defineField<const Key extends string, const Type extends ColumnType, Value extends Cell>(
  key: Key,
  name: string | undefined,
  type: Type,
  title: string,
  description: string,
  read: (device: JudgedDevice) => Value,
): DeviceField<Key, Value, Type> {
  return { key, name, type, title, description, read };
}
