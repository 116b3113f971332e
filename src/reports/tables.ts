/** The tables of a night, column by column as the design fixes them. */
import { intervalOf } from '../core/coverage.ts';
import type { JudgedDevice, Night } from '../core/judged.ts';
import { byCodePoint } from '../core/order.ts';
import type { Cell } from './cell.ts';
import type { Table } from './table.ts';

const deviceColumns = [
  'slot',
  'source',
  'platform',
  'device_id',
  'device_name',
  'serial_number',
  'user',
  'os_version',
  'model',
  'status',
  'reason',
  'value',
  'detail',
  'value_at',
  'last_seen_at',
  'enrolled_at',
  'proven',
  'stale',
  'counted',
  'excluded_because',
  'not_installed_since',
  'answered_on',
] as const;

function deviceRow(slot: string, device: JudgedDevice): readonly Cell[] {
  const { facts } = device;
  return [
    slot,
    device.source,
    device.platform,
    facts.id,
    facts.name,
    facts.serialNumber,
    facts.user,
    facts.osVersion,
    facts.model,
    device.status,
    device.reason,
    device.value,
    device.detail,
    device.valueAt,
    facts.lastSeenAt,
    facts.enrolledAt,
    device.proven,
    device.stale,
    device.counted,
    device.excludedBecause,
    device.notInstalledSince,
    device.answeredOn,
  ];
}

const devices: Table = {
  name: 'devices',
  columns: deviceColumns,
  *rows(night) {
    for (const device of night.devices) yield deviceRow(night.slot, device);
  },
};

const notInstalled: Table = {
  name: 'not-installed',
  columns: deviceColumns,
  *rows(night) {
    for (const device of toChase(night)) yield deviceRow(night.slot, device);
  },
};

/** Counted and Not Installed, longest missing first. */
export function toChase(night: Night): JudgedDevice[] {
  return night.devices
    .filter((device) => device.counted && device.status === 'Not Installed')
    .sort(
      (left, right) =>
        byCodePoint(left.notInstalledSince ?? '', right.notInstalledSince ?? '') ||
        byCodePoint(left.source, right.source) ||
        byCodePoint(left.facts.id, right.facts.id),
    );
}

const changes: Table = {
  name: 'changes',
  columns: [
    'slot',
    'source',
    'platform',
    'device_id',
    'device_name',
    'serial_number',
    'change',
    'from_status',
    'to_status',
    'reason',
  ],
  *rows(night) {
    for (const change of night.changes) {
      const { source, platform, device, kind, from, to, reason } = change;
      yield [night.slot, source, platform, device.id, device.name, device.serialNumber, kind, from, to, reason];
    }
  },
};

const groups: Table = {
  name: 'groups',
  columns: [
    'slot',
    'source',
    'platform',
    'group',
    'device_id',
    'device_name',
    'in_platform_group',
    'in_picture',
    'verdict',
    'why',
    'change',
  ],
  *rows(night) {
    for (const member of night.groups) {
      const { source, platform, group, deviceId, deviceName, inPlatformGroup, inPicture, verdict, why, change } =
        member;
      yield [
        night.slot,
        source,
        platform,
        group,
        deviceId,
        deviceName,
        inPlatformGroup,
        inPicture,
        verdict,
        why,
        change,
      ];
    }
  },
};

const coverage: Table = {
  name: 'coverage',
  columns: [
    'slot',
    'source',
    'platform',
    'soundness',
    'devices',
    'counted',
    'excluded',
    'exempt',
    'stale',
    'installed',
    'not_installed',
    'proven_installed',
    'proven_not_installed',
    'coverage',
    'coverage_low',
    'coverage_high',
    'lost',
    'recovered',
    'joined',
    'left',
  ],
  *rows(night) {
    for (const row of night.coverage) {
      const interval = intervalOf(row);
      yield [
        night.slot,
        row.source,
        row.platform,
        row.soundness,
        row.devices,
        row.counted,
        row.excluded,
        row.exempt,
        row.stale,
        row.installed,
        row.notInstalled,
        row.provenInstalled,
        row.provenNotInstalled,
        interval.coverage,
        interval.low,
        interval.high,
        row.lost,
        row.recovered,
        row.joined,
        row.left,
      ];
    }
  },
};

const exemptions: Table = {
  name: 'exemptions',
  columns: ['slot', 'match', 'value', 'source', 'reason', 'owner', 'expires', 'devices', 'result'],
  *rows(night) {
    for (const row of night.exemptions) {
      const { match, value, source, reason, owner, expires, devices: fits, result } = row;
      yield [night.slot, match, value, source, reason, owner, expires, fits, result];
    }
  },
};

const deployment: Table = {
  name: 'deployment',
  columns: ['slot', 'source', 'check', 'result', 'expected', 'found', 'advice'],
  *rows(night) {
    for (const source of night.sources) {
      for (const { check, result, expected, found, advice } of source.findings) {
        yield [night.slot, source.name, check, result, expected, found, advice];
      }
    }
  },
};

export const tables: readonly Table[] = [devices, notInstalled, changes, groups, coverage, exemptions, deployment];
