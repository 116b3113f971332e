/** The tables of a run, column by column, as documented in docs/tables.md. */

import type { JudgedDevice } from '../core/facts/judged.ts';
import { listDevicesNeedingAction, toActionCandidate } from '../core/machine/needs-action.ts';
import { type CountedFigures, computeInterval, computeReportingInterval } from '../core/source/coverage.ts';
import { listBreakdown } from './document/coverage-by.ts';
import { deviceFields } from './fields.ts';
import { type ColumnDefinition, defineTable, type Table } from './table.ts';

/** The columns of the tables with one row for each device. */
const deviceTableColumns: readonly ColumnDefinition<JudgedDevice>[] = deviceFields.flatMap(
  ({ name, type, description, read }) => (name === undefined ? [] : [[name, type, description, read] as const]),
);

/** Columns of coverage, over the counted devices of a source or any other set. */
const figureColumns: readonly ColumnDefinition<CountedFigures>[] = [
  ['installed', 'count', 'Counted and Installed', (row) => row.installed],
  ['not_installed', 'count', 'Counted and Not Installed', (row) => row.notInstalled],
  ['proven_installed', 'count', 'Of the installed, proven', (row) => row.provenInstalled],
  ['proven_not_installed', 'count', 'Of the not installed, proven', (row) => row.provenNotInstalled],
  ['coverage', 'percent', 'Installed of counted', (row) => computeInterval(row).coverage],
  ['coverage_low', 'percent', 'Certainly installed, rounded down', (row) => computeInterval(row).low],
  ['coverage_high', 'percent', 'At most installed, rounded up', (row) => computeInterval(row).high],
];

export const tables: readonly Table[] = [
  defineTable('devices', 'One row a device', (night) => night.devices, deviceTableColumns),
  defineTable(
    'not-installed',
    'Counted and Not Installed, longest first',
    (night) => listDevicesNeedingAction(night.devices, toActionCandidate),
    deviceTableColumns,
  ),
  defineTable('changes', 'What changed since the baseline', (night) => night.changes, [
    ['source', 'word', 'The name of the source', (change) => change.source],
    ['platform', 'word', 'The device’s operating system', (change) => change.operatingSystem],
    ['device_id', 'text', 'The platform’s own id of the device', ({ device }) => device.id],
    ['device_name', 'text', 'The device’s name', ({ device }) => device.name],
    ['serial_number', 'text', 'The serial number', ({ device }) => device.serialNumber],
    ['change', 'word', 'What happened', (change) => change.kind],
    ['from_status', 'word', 'The status in the baseline', (change) => change.from],
    ['to_status', 'word', 'The status now', (change) => change.to],
    ['reason', 'word', 'Why: of the status, or of not being counted', (change) => change.reason],
    ['site', 'word', 'The device’s site, of a machine that is gone the last known', ({ device }) => device.site],
    ['department', 'word', 'Its department', ({ device }) => device.department],
    ['building', 'word', 'Its building', ({ device }) => device.building],
    ['category', 'word', 'Its category', ({ device }) => device.category],
  ]),
  defineTable('groups', 'The membership picture', (night) => night.groups, [
    ['source', 'word', 'The name of the source', (member) => member.source],
    ['platform', 'word', 'The device’s operating system', (member) => member.operatingSystem],
    ['group', 'word', 'The group’s name', (member) => member.group],
    ['device_id', 'text', 'The platform’s own id of the device', ({ device }) => device.id],
    ['device_name', 'text', 'The device’s name', ({ device }) => device.name],
    [
      'in_platform_group',
      'flag',
      'Whether the platform lists it; empty: not known',
      (member) => member.inPlatformGroup,
    ],
    ['in_picture', 'flag', 'Whether its status puts it into the group', (member) => member.inPicture],
    ['verdict', 'word', 'How the platform’s group compares with its criterion', (member) => member.verdict],
    ['why', 'text', 'Why, where they differ or cannot be compared', (member) => member.why],
    ['change', 'word', 'Against the baseline: joined, stayed or left', (member) => member.change],
  ]),
  defineTable('coverage', 'One row a source, and one for all', (night) => night.coverage, [
    ['source', 'word', 'The name of the source, or all', (row) => row.source],
    ['platform', 'word', 'The operating system of its devices, or all', (row) => row.operatingSystem],
    ['soundness', 'word', 'The data quality of the source', (row) => row.soundness],
    ['devices', 'count', 'Devices listed', (row) => row.devices],
    ['counted', 'count', 'Devices counted', (row) => row.counted],
    ['excluded', 'count', 'Devices not counted', (row) => row.excluded],
    ['exempt', 'count', 'Of these, exempt', (row) => row.exempt],
    ['stale', 'count', 'Counted devices with an old answer', (row) => row.stale],
    ...figureColumns,
    ['lost', 'count', 'Changed from Installed to Not Installed', (row) => row.lost],
    ['recovered', 'count', 'Changed from Not Installed to Installed', (row) => row.recovered],
    ['joined', 'count', 'Added to scope since the baseline', (row) => row.joined],
    ['left', 'count', 'Removed from scope since the baseline', (row) => row.left],
    ['expected', 'count', 'Machines on the list of expected ones; only for all', (row) => row.expected],
    ['enrolled_nowhere', 'count', 'Of these, in no source; only for all', (row) => row.enrolledNowhere],
    ['not_expected', 'count', 'Counted devices that are not on that list', (row) => row.notExpected],
    ['silent', 'count', 'Installed, and not seen by the agent’s console', (row) => row.silent],
    ['reporting', 'percent', 'Have it and report, of counted', (row) => computeReportingInterval(row).coverage],
    ['reporting_low', 'percent', 'Certainly have it and report', (row) => computeReportingInterval(row).low],
    ['reporting_high', 'percent', 'At most have it and report', (row) => computeReportingInterval(row).high],
  ]),
  defineTable('coverage-by', 'One row for each value of a field that divides the devices', listBreakdown, [
    ['field', 'word', 'By what the devices are divided', (row) => row.field],
    ['value', 'word', 'The value; empty where it is not known', (row) => row.value],
    ['devices', 'count', 'Devices listed', (row) => row.devices],
    ['counted', 'count', 'Devices counted', (row) => row.counted],
    ...figureColumns,
  ]),
  defineTable('exemptions', 'The rows of the exemptions file, judged', (night) => night.exemptions, [
    ['match', 'word', 'What the row is matched by', (row) => row.match],
    ['value', 'text', 'The value it matches', (row) => row.value],
    ['source', 'word', 'The source it is limited to', (row) => row.source],
    ['reason', 'text', 'Why the devices are exempt', (row) => row.reason],
    ['owner', 'text', 'Who answers for it', (row) => row.owner],
    // Printed as written in the file, which need not be a date.
    ['expires', 'text', 'The last day it holds', (row) => row.expires],
    ['devices', 'count', 'Devices it fits', (row) => row.devices],
    ['result', 'word', 'What became of the row', (row) => row.result],
  ]),
  defineTable(
    'deployment',
    'Checks of the detection method and of the deployment',
    (night) => night.sources.flatMap(({ name, findings }) => findings.map((one) => ({ name, ...one }))),
    [
      ['source', 'word', 'The name of the source', (finding) => finding.name],
      ['check', 'word', 'Which check', (finding) => finding.check],
      ['result', 'word', 'pass, fail, unknown or not-checked', (finding) => finding.result],
      ['expected', 'text', 'What the check expects', (finding) => finding.expected],
      ['found', 'text', 'What it found', (finding) => finding.found],
      ['advice', 'text', 'What to do', (finding) => finding.advice],
    ],
  ),
  defineTable(
    'unenrolled',
    'Machines on the list of expected ones that no source knows',
    (night) => night.lists.expected?.unenrolled ?? [],
    [
      ['serial_number', 'text', 'The serial number as the list has it', (machine) => machine.serialNumber],
      ['owner', 'text', 'Who has it; hashed or left out as privacy.users says', (machine) => machine.owner],
      ['site', 'word', 'Where it should be', (machine) => machine.site],
      // Printed as written in the list; need not be dates.
      ['bought', 'text', 'When it was bought', (machine) => machine.bought],
      ['until', 'text', 'The last day on which it is expected', (machine) => machine.until],
      ['note', 'text', 'A note about it; left out where users are not shown', (machine) => machine.note],
      ['list', 'word', 'The file that names it', (machine) => machine.file],
    ],
  ),
];
