/**
 * The one table of device fields. The columns of devices.csv and not-installed.csv, the devices of report.json, the
 * page's columns and titles, the query tables on AWS, `docs/tables.md` and the JSON schema are all made from it.
 * Append only: a test checks the order and the names of every published column.
 */

import type { JudgedDevice } from '../core/facts/judged.ts';
import { findAnswer, readValue, readValueTime } from '../core/record/judge-record.ts';
import { isAnswerProven } from '../core/record/proof.ts';
import type { Cell } from './cell.ts';
import type { ColumnType } from './table.ts';

const text = createFieldType('text');
const word = createFieldType('word');
const time = createFieldType('time');
const slot = createFieldType('slot');
const flag = createFieldType('flag');

/** The fields, by their names in report.json and on the page, each with type, title, description and reader. */
const fields = {
  source: word('Source', 'The name of the source in the settings', (device) => device.source),
  platform: word(
    'Platform',
    'The device’s operating system, such as macos or windows',
    (device) => device.facts.operatingSystem,
  ),
  id: text('Device id', 'The platform’s own id of the device', ({ facts }) => facts.id),
  name: text('Name', 'The device’s name', ({ facts }) => facts.name),
  serialNumber: text('Serial number', 'The serial number as the platform has it', ({ facts }) => facts.serialNumber),
  user: text(
    'User',
    'The user the platform assigns the device to; hashed or left out as privacy.users says',
    ({ facts }) => facts.user,
  ),
  osVersion: word('OS version', 'The version of the operating system', ({ facts }) => facts.osVersion),
  model: word('Model', 'The hardware model', ({ facts }) => facts.model),
  status: word('Status', 'Installed or Not Installed', (device) => device.judgement.status),
  reason: word('Reason', 'Why the device has that status', (device) => device.judgement.reason),
  value: word('Value', 'The raw value or state number that the platform holds for the agent', readValue),
  detail: word(
    'Detail',
    'What the platform adds to the value, such as an error code',
    (device) => findAnswer(device)?.detail,
  ),
  valueAt: time('Value reported', 'When the value was reported', readValueTime),
  lastSeenAt: time('Last contact', 'The device’s last contact with its platform', ({ facts }) => facts.lastSeenAt),
  enrolledAt: time('Enrolled', 'When the device was enrolled', ({ facts }) => facts.enrolledAt),
  managementState: word(
    'Management',
    'How the platform manages the device, in its own word',
    ({ facts }) => facts.managementState,
  ),
  managementAgent: word(
    'Managed by',
    'What manages the device, in the platform’s own word',
    ({ facts }) => facts.managementAgent,
  ),
  ownership: word('Ownership', 'Who owns the device, in the platform’s own word', ({ facts }) => facts.ownership),
  proven: flag(
    'Proven',
    'Whether the platform gave a clear, recent answer and the detection method is sound',
    ({ judgement }) => isAnswerProven(judgement),
  ),
  stale: flag(
    'Stale',
    'Whether the answer is older than policy.staleAfterDays, or of unknown age',
    (device) => device.judgement.stale,
  ),
  counted: flag('Counted', 'Whether the device is part of coverage', (device) => device.judgement.counted),
  excludedBecause: word(
    'Not counted because',
    'Why the device is not counted; empty where it is',
    (device) => device.judgement.excludedBecause,
  ),
  notInstalledSince: slot(
    'Not Installed since, at least',
    'The run since which the device has been Not Installed at least; empty while Installed',
    (device) => device.judgement.notInstalledSince,
  ),
  answeredOn: slot(
    'Answered on',
    'The run whose answer this is: an earlier one where the last known answer is shown',
    (device) => device.judgement.answeredOn,
  ),
  site: word('Site', 'The device’s site', ({ facts }) => facts.site),
  department: word('Department', 'The device’s department', ({ facts }) => facts.department),
  building: word('Building', 'The device’s building', ({ facts }) => facts.building),
  category: word('Category', 'The device’s category', ({ facts }) => facts.category),
  expected: flag(
    'Expected',
    'Whether the device is on the list of expected machines; empty where that is not known',
    ({ lists }) => lists?.expected,
  ),
  reportingAt: time(
    'Seen by its console',
    'When the agent’s own console saw the device last, by the list of machines that report',
    ({ lists }) => lists?.reportingAt,
  ),
  silent: flag(
    'Not checking in',
    'Whether an Installed device was not seen by its console for policy.reportingWithinDays; empty where that is not known',
    ({ lists }) => lists?.silent,
  ),
  unprovenBecause: word(
    'Not proven because',
    'Why the status is not proven; empty where it is',
    ({ judgement }) => judgement.unprovenBecause,
  ),
};

type Fields = typeof fields;

export type DeviceFieldKey = keyof Fields;

export type DeviceFieldValues = { [Key in DeviceFieldKey]: ReturnType<Fields[Key]['read']> };

/** Columns of the CSV files whose names differ from their fields'. An undefined one is in no CSV file. */
const columnNames: Readonly<Partial<Record<DeviceFieldKey, string | undefined>>> = {
  id: 'device_id',
  name: 'device_name',
  managementState: undefined,
  managementAgent: undefined,
  ownership: undefined,
};

export interface DeviceField {
  readonly key: DeviceFieldKey;
  /** The name of its column in the CSV files; undefined without one. */
  readonly name: string | undefined;
  readonly type: ColumnType;
  readonly title: string;
  readonly description: string;
  readonly read: (device: JudgedDevice) => Cell;
}

export const deviceFields: readonly DeviceField[] = (Object.keys(fields) as DeviceFieldKey[]).map((key) => ({
  key,
  name: key in columnNames ? columnNames[key] : key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  ...fields[key],
}));

export function readDeviceFields(device: JudgedDevice): DeviceFieldValues {
  return Object.fromEntries(deviceFields.map(({ key, read }) => [key, read(device)])) as DeviceFieldValues;
}

function createFieldType(type: ColumnType) {
  return <Value extends Cell>(title: string, description: string, read: (device: JudgedDevice) => Value) => ({
    type,
    title,
    description,
    read,
  });
}
