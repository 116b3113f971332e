import { describe, expect, test } from 'vitest';
import { advanceToNight } from '../../simulator/devices/advance-devices.ts';
import { computeStateModifiedTime } from '../../simulator/devices/contact-times.ts';
import { createDevices } from '../../simulator/devices/create-devices.ts';
import type { SimulatedDevices } from '../../simulator/devices/model.ts';
import { hostileNames } from '../../simulator/devices/names.ts';
import { macEvents, windowsEvents } from '../../simulator/devices/probabilities.ts';
import { computeTruth, type TruthRow } from '../../simulator/devices/truth.ts';

const options = { count: 500, seed: 7, firstNight: '2026-01-01', frozenStates: false, datesKnown: false };

function createDevicesAt(night: number, changes: Partial<typeof options> = {}): SimulatedDevices {
  const devices = createDevices({ ...options, ...changes });
  advanceToNight(devices, night);
  return devices;
}

function listTruth(devices: SimulatedDevices, population: 'all' | 'company' = 'company'): TruthRow[] {
  const moment = devices.startTime + devices.night * 86_400_000 + 5 * 3_600_000;
  return computeTruth(devices, { moment, staleAfterDays: 30, population, site: undefined });
}

describe('the devices', () => {
  test('are the same for the same seed, and others for another', () => {
    expect(createDevicesAt(0)).toEqual(createDevicesAt(0));
    expect(listTruth(createDevicesAt(3))).not.toEqual(listTruth(createDevicesAt(3, { seed: 8 })));
  });

  test('are the same when they advance night by night or at once', () => {
    const slowly = createDevicesAt(0);
    for (let night = 1; night <= 20; night += 1) {
      advanceToNight(slowly, night);
    }
    const direct = createDevicesAt(20);
    expect(slowly).toEqual(direct);
    expect(listTruth(slowly)).toEqual(listTruth(direct));
  });

  test('come, go, change, are enrolled again under a new id and lose their name', () => {
    const [before, after] = [createDevicesAt(0), createDevicesAt(25)];
    const ids = (devices: SimulatedDevices) => new Set(devices.macs.map((mac) => mac.id));
    expect(before.macs.some(({ id }) => !ids(after).has(id))).toBe(true);
    const arrived = after.macs.filter(({ id }) => !ids(before).has(id));
    expect(arrived.some((mac) => before.macs.some((old) => old.serialNumber === mac.serialNumber))).toBe(true);
    expect(after.macs.some((mac) => mac.name === null && !mac.isEdgeCase)).toBe(true);
    const statuses = new Map(listTruth(before).map((row) => [row.device_id, row.status]));
    const flips = listTruth(after).filter((row) => (statuses.get(row.device_id) ?? row.status) !== row.status);
    expect(flips.length).toBeGreaterThan(5);
    expect(Math.abs(after.macs.length + after.windows.length - 500)).toBeLessThan(60);
  });

  test('change about one in a hundred in a night', () => {
    const big = { count: 10_000 };
    const before = new Map(listTruth(createDevicesAt(10, big)).map((row) => [row.device_id, row]));
    const changed = listTruth(createDevicesAt(11, big)).filter(
      (row) => before.get(row.device_id)?.status !== row.status,
    );
    expect(changed.length).toBeGreaterThan(20);
    expect(changed.length).toBeLessThan(150);
  });

  test('have hostile names', () => {
    expect(createDevicesAt(0).macs.map(({ name }) => name)).toEqual(expect.arrayContaining([...hostileNames]));
  });

  test('are a mixture even where there are twenty', () => {
    const rows = listTruth(createDevicesAt(0, { count: 20 }));
    expect(rows).toHaveLength(20);
    expect(new Set(rows.map((row) => row.status)).size).toBe(2);
    expect(rows.map((row) => row.reason)).toContain('never-reported');
    expect(rows.map((row) => row.excluded_because)).toEqual(expect.arrayContaining(['', 'unmanaged', 'retiring']));
    expect(rows.some((row) => row.stale)).toBe(true);
  });
});

describe('every case is there among 500 devices', () => {
  const devices = createDevicesAt(30);
  const rows = listTruth(devices);
  const outcome = (row: TruthRow) => `${row.source} ${row.status} ${row.reason} ${row.proven}`;

  test('every status with its reason, proven or not', () => {
    expect([...new Set(rows.map(outcome))].sort()).toEqual([
      'macs Installed reported false',
      'macs Installed reported true',
      'macs Not Installed never-reported false',
      'macs Not Installed reported false',
      'macs Not Installed reported true',
      'macs Not Installed unrecognised-value false',
      'windows Installed reported false',
      'windows Installed reported true',
      'windows Installed uninstall-failed false',
      'windows Not Installed install-failed false',
      'windows Not Installed install-failed true',
      'windows Not Installed install-pending true',
      'windows Not Installed never-reported false',
      'windows Not Installed not-applicable false',
      'windows Not Installed reported false',
      'windows Not Installed reported true',
      'windows Not Installed state-unknown false',
    ]);
  });

  test('every reason for being excluded', () => {
    const excluded = new Set(rows.map((row) => `${row.source} ${row.excluded_because}`));
    expect([...excluded].sort()).toEqual([
      ...['macs ', 'macs superseded', 'macs unmanaged'],
      ...['windows ', 'windows not-manageable', 'windows personal', 'windows retiring'],
      ...['windows superseded', 'windows unmanaged'],
    ]);
  });

  test('dates of contact and enrolment that are old, missing or cannot be', () => {
    const kinds = new Set<string>(devices.macs.map(({ contact }) => contact.kind));
    const wrong = [...devices.macs, ...devices.windows].filter(({ enrollmentDate }) => enrollmentDate !== 'known');
    const unknown = rows.filter((row) => row.enrolled_at === '');

    expect([...kinds]).toEqual(
      expect.arrayContaining(['record-touched', 'contact-unknown', 'report-unknown', 'unknown']),
    );
    expect(new Set(wrong.map(({ enrollmentDate }) => enrollmentDate))).toEqual(new Set(['epoch', 'future', 'missing']));
    expect(unknown.map(({ device_id }) => device_id).sort()).toEqual(wrong.map(({ id }) => String(id)).sort());
  });

  test.each([
    ['macs', ['', '0', 'System Serial Number', 'system serial number', '000000000000']],
    ['windows', ['', '0', 'Defaultstring', 'ToBeFilledByO.E.M.', 'SystemSerialNumber', '0123456789', 'VirtualMachine']],
  ])('%s with a placeholder for a serial number are each counted by themselves', (source, placeholders) => {
    for (const placeholder of placeholders) {
      const same = rows.filter((row) => row.source === source && row.serial_number === placeholder);
      expect([placeholder, same.length]).toEqual([placeholder, expect.toSatisfy((count) => count > 0)]);
      expect(same.map((row) => [row.counted, row.shares_serial])).toEqual(same.map(() => [true, false]));
    }
    expect(rows.filter((row) => row.serial_number === 'Defaultstring')).toHaveLength(3);
  });

  test('personal devices count unless only company devices are asked for', () => {
    expect(listTruth(devices, 'all').map((row) => row.excluded_because)).not.toContain('personal');
  });
});

describe('records with one serial number', () => {
  const fold = ({ source, serial_number }: TruthRow) =>
    `${source} ${serial_number.toUpperCase().replace(/[^A-Z0-9]/g, '')}`;
  const hasRealSerial = ({ serial_number }: TruthRow) => /^(C02|PF|EXAMPLE)/i.test(serial_number.trim());
  const listGroups = (rows: readonly TruthRow[]) =>
    [...Map.groupBy(rows.filter(hasRealSerial), fold)].filter(([, group]) => group.length > 1);

  test('of a machine that is enrolled again the old record is never heard from again, and superseded', () => {
    const devices = createDevicesAt(0, { count: 2000 });
    const ids = new Set(listTruth(devices).map(({ device_id }) => device_id));
    let found = 0;
    for (let night = 1; night <= 60; night += 1) {
      advanceToNight(devices, night);
      const groups = listGroups(listTruth(devices)).filter(([, group]) =>
        group.some(({ device_id }) => !ids.has(device_id)),
      );
      for (const [, group] of groups) {
        expect(group.filter((row) => row.shares_serial)).toEqual([]);
        expect(group.filter((row) => row.counted).length).toBeLessThanOrEqual(1);
      }
      found = groups.length;
    }
    expect(found).toBeGreaterThan(10);
  });
});

test('a tenant with frozen states has no rows where no user requested the app, and never changes a date', () => {
  const [first, later] = [createDevicesAt(1, { frozenStates: true }), createDevicesAt(19, { frozenStates: true })];
  const unrequested = first.windows.filter((device) => !device.appRequested);
  expect(unrequested.length).toBeGreaterThan(3);
  expect(unrequested.flatMap(({ agent }) => agent.stateRows)).toEqual([]);
  expect(new Set(unrequested.map(({ agent }) => agent.truth.reason))).toEqual(new Set(['never-reported']));
  const unchanged = first.windows.filter((device) =>
    later.windows.some(({ id, agent }) => id === device.id && agent === device.agent),
  );
  const listDates = (devices: SimulatedDevices) =>
    unchanged.flatMap((device) => device.agent.stateRows.map((row) => computeStateModifiedTime(devices, device, row)));
  expect(listDates(later).length).toBeGreaterThan(30);
  expect(listDates(later)).toEqual(listDates(first));
});

test.each([
  ['Macs', macEvents],
  ['Windows devices', windowsEvents],
])('the percentages of the events of %s add up to 100', (_, events) => {
  expect(events.reduce((total, [, percent]) => total + percent, 0)).toBe(100);
});
