/** The tables of a night, column by column as the design fixes them: each name beside what stands under it. */

import { intervalOf } from '../core/coverage.ts';
import type { JudgedDevice, Night } from '../core/judged.ts';
import { toChase } from '../core/needs-action.ts';
import type { Cell } from './cell.ts';
import type { Table } from './table.ts';

type Column<Row> = readonly [name: string, of: (row: Row) => Cell];

/** Every table begins with its slot, so that nights can be laid one upon another. */
function table<Row>(name: string, all: (night: Night) => Iterable<Row>, columns: readonly Column<Row>[]): Table {
  return {
    name,
    columns: ['slot', ...columns.map(([column]) => column)],
    *rows(night) {
      for (const row of all(night)) yield [night.slot, ...columns.map(([, of]) => of(row))];
    },
  };
}

const deviceColumns: readonly Column<JudgedDevice>[] = [
  ['source', (device) => device.source],
  ['platform', (device) => device.platform],
  ['device_id', ({ facts }) => facts.id],
  ['device_name', ({ facts }) => facts.name],
  ['serial_number', ({ facts }) => facts.serialNumber],
  ['user', ({ facts }) => facts.user],
  ['os_version', ({ facts }) => facts.osVersion],
  ['model', ({ facts }) => facts.model],
  ['status', (device) => device.status],
  ['reason', (device) => device.reason],
  ['value', (device) => device.value],
  ['detail', (device) => device.detail],
  ['value_at', (device) => device.valueAt],
  ['last_seen_at', ({ facts }) => facts.lastSeenAt],
  ['enrolled_at', ({ facts }) => facts.enrolledAt],
  ['proven', (device) => device.proven],
  ['stale', (device) => device.stale],
  ['counted', (device) => device.counted],
  ['excluded_because', (device) => device.excludedBecause],
  ['not_installed_since', (device) => device.notInstalledSince],
  ['answered_on', (device) => device.answeredOn],
];

export const tables: readonly Table[] = [
  table('devices', (night) => night.devices, deviceColumns),
  table('not-installed', (night) => toChase(night.devices, ({ facts }) => facts.id), deviceColumns),
  table('changes', (night) => night.changes, [
    ['source', (change) => change.source],
    ['platform', (change) => change.platform],
    ['device_id', ({ device }) => device.id],
    ['device_name', ({ device }) => device.name],
    ['serial_number', ({ device }) => device.serialNumber],
    ['change', (change) => change.kind],
    ['from_status', (change) => change.from],
    ['to_status', (change) => change.to],
    ['reason', (change) => change.reason],
  ]),
  table('groups', (night) => night.groups, [
    ['source', (member) => member.source],
    ['platform', (member) => member.platform],
    ['group', (member) => member.group],
    ['device_id', (member) => member.deviceId],
    ['device_name', (member) => member.deviceName],
    ['in_platform_group', (member) => member.inPlatformGroup],
    ['in_picture', (member) => member.inPicture],
    ['verdict', (member) => member.verdict],
    ['why', (member) => member.why],
    ['change', (member) => member.change],
  ]),
  table('coverage', (night) => night.coverage, [
    ['source', (row) => row.source],
    ['platform', (row) => row.platform],
    ['soundness', (row) => row.soundness],
    ['devices', (row) => row.devices],
    ['counted', (row) => row.counted],
    ['excluded', (row) => row.excluded],
    ['exempt', (row) => row.exempt],
    ['stale', (row) => row.stale],
    ['installed', (row) => row.installed],
    ['not_installed', (row) => row.notInstalled],
    ['proven_installed', (row) => row.provenInstalled],
    ['proven_not_installed', (row) => row.provenNotInstalled],
    ['coverage', (row) => intervalOf(row).coverage],
    ['coverage_low', (row) => intervalOf(row).low],
    ['coverage_high', (row) => intervalOf(row).high],
    ['lost', (row) => row.lost],
    ['recovered', (row) => row.recovered],
    ['joined', (row) => row.joined],
    ['left', (row) => row.left],
  ]),
  table('exemptions', (night) => night.exemptions, [
    ['match', (row) => row.match],
    ['value', (row) => row.value],
    ['source', (row) => row.source],
    ['reason', (row) => row.reason],
    ['owner', (row) => row.owner],
    ['expires', (row) => row.expires],
    ['devices', (row) => row.devices],
    ['result', (row) => row.result],
  ]),
  table(
    'deployment',
    (night) => night.sources.flatMap(({ name, findings }) => findings.map((one) => ({ name, ...one }))),
    [
      ['source', (finding) => finding.name],
      ['check', (finding) => finding.check],
      ['result', (finding) => finding.result],
      ['expected', (finding) => finding.expected],
      ['found', (finding) => finding.found],
      ['advice', (finding) => finding.advice],
    ],
  ),
];
