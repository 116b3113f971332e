import { describe, expect, test } from 'vitest';
import { advanceToNight } from '../../simulator/devices/advance-devices.ts';
import { computeStateModifiedTime } from '../../simulator/devices/contact-times.ts';
import { createDevices } from '../../simulator/devices/create-devices.ts';
import { type DeviceRecord, listDeviceRecords } from '../../simulator/devices/device-records.ts';
import type { SimulatedDevices } from '../../simulator/devices/model.ts';
import { hostileNames } from '../../simulator/devices/names.ts';
import { macEvents, windowsEvents } from '../../simulator/devices/probabilities.ts';
import { isProven } from '../model/proof.ts';
import { isCounted, type Row } from '../model/rows.ts';
import { expectRun } from '../whole-runs/expected-runs.ts';

const options = { count: 500, seed: 7, firstNight: '2026-01-01', frozenStates: false, datesKnown: false };

function createDevicesAt(night: number, changes: Partial<typeof options> = {}): SimulatedDevices {
  const devices = createDevices({ ...options, ...changes });
  advanceToNight(devices, night);
  return devices;
}

/** As the model judges what the platforms hold. */
function judge(
  devices: SimulatedDevices,
  population: 'all' | 'company' = 'company',
  choose: (records: readonly DeviceRecord[]) => readonly DeviceRecord[] = (records) => records,
) {
  const slot = new Date(devices.startTime + devices.night * 86_400_000).toISOString().slice(0, 10);
  const records = choose(listDeviceRecords(devices));
  return expectRun(slot, { records, settings: `population: ${population}` });
}

/** Those whose serial number another record of their source has. */
function listTwins(records: readonly DeviceRecord[]): DeviceRecord[] {
  const fold = ({ source, serialNumber = '' }: DeviceRecord) =>
    `${source} ${serialNumber.toUpperCase().replace(/[^A-Z0-9]/g, '')}`;
  return [...Map.groupBy(records, fold).values()].filter((group) => group.length > 1).flat();
}

const listRows = (devices: SimulatedDevices, population?: 'all' | 'company') => [...judge(devices, population).rows];

describe('the devices', () => {
  test('are the same for the same seed, and others for another', () => {
    expect(createDevicesAt(0)).toEqual(createDevicesAt(0));
    expect(listDeviceRecords(createDevicesAt(3))).not.toEqual(listDeviceRecords(createDevicesAt(3, { seed: 8 })));
  });

  test('are the same when they advance night by night or at once', () => {
    const slowly = createDevicesAt(0);
    for (let night = 1; night <= 20; night += 1) {
      advanceToNight(slowly, night);
    }
    const direct = createDevicesAt(20);
    expect(slowly).toEqual(direct);
    expect(listDeviceRecords(slowly)).toEqual(listDeviceRecords(direct));
  });

  test('come, go, change, are enrolled again under a new id and lose their name', () => {
    const [before, after] = [createDevicesAt(0), createDevicesAt(25)];
    const ids = (devices: SimulatedDevices) => new Set(devices.macs.map((mac) => mac.id));
    expect(before.macs.some(({ id }) => !ids(after).has(id))).toBe(true);
    const arrived = after.macs.filter(({ id }) => !ids(before).has(id));
    expect(arrived.some((mac) => before.macs.some((old) => old.serialNumber === mac.serialNumber))).toBe(true);
    expect(after.macs.some((mac) => mac.name === null && !mac.isEdgeCase)).toBe(true);
    const statuses = new Map(listDeviceRecords(before).map(({ id, hasAgent }) => [id, hasAgent]));
    const flips = listDeviceRecords(after).filter(({ id, hasAgent }) => (statuses.get(id) ?? hasAgent) !== hasAgent);
    expect(flips.length).toBeGreaterThan(5);
    expect(Math.abs(after.macs.length + after.windows.length - 500)).toBeLessThan(60);
  });

  test('change about one in a hundred in a night', () => {
    const big = { count: 10_000 };
    const before = new Map(listDeviceRecords(createDevicesAt(10, big)).map((record) => [record.id, record]));
    const changed = listDeviceRecords(createDevicesAt(11, big)).filter(
      ({ id, hasAgent }) => before.get(id)?.hasAgent !== hasAgent,
    );
    expect(changed.length).toBeGreaterThan(20);
    expect(changed.length).toBeLessThan(150);
  });

  test('have hostile names', () => {
    expect(createDevicesAt(0).macs.map(({ name }) => name)).toEqual(expect.arrayContaining([...hostileNames]));
  });

  test('are a mixture even where there are twenty', () => {
    const rows = listRows(createDevicesAt(0, { count: 20 }));
    expect(rows).toHaveLength(20);
    expect(new Set(rows.map((row) => row.status)).size).toBe(2);
    expect(rows.map((row) => row.reason)).toContain('never-reported');
    expect(rows.map((row) => row.excludedBecause)).toEqual(
      expect.arrayContaining([undefined, 'unmanaged', 'retiring']),
    );
    expect(rows.some((row) => row.stale)).toBe(true);
  });
});

describe('every case is there among 500 devices', () => {
  const devices = createDevicesAt(30);
  const run = judge(devices);
  const { rows } = run;
  const sharing = run.sharing.flat();
  const outcome = (row: Row) => `${row.source} ${row.status} ${row.reason} ${isProven(row)}`;

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
    const excluded = new Set(rows.map((row) => `${row.source} ${row.excludedBecause ?? ''}`));
    expect([...excluded].sort()).toEqual([
      ...['macs ', 'macs superseded', 'macs unmanaged'],
      ...['windows ', 'windows not-manageable', 'windows personal', 'windows retiring'],
      ...['windows superseded', 'windows unmanaged'],
    ]);
  });

  test('dates of contact and enrolment that are old, missing or cannot be', () => {
    const kinds = new Set<string>(devices.macs.map(({ contact }) => contact.kind));
    const wrong = [...devices.macs, ...devices.windows].filter(({ enrollmentDate }) => enrollmentDate !== 'known');
    const unknown = rows.filter(({ facts }) => facts.enrolledAt === undefined);

    expect([...kinds]).toEqual(
      expect.arrayContaining(['record-touched', 'contact-unknown', 'report-unknown', 'unknown']),
    );
    expect(new Set(wrong.map(({ enrollmentDate }) => enrollmentDate))).toEqual(new Set(['epoch', 'future', 'missing']));
    expect(unknown.map(({ facts }) => facts.id).sort()).toEqual(wrong.map(({ id }) => String(id)).sort());
  });

  test.each([
    ['macs', ['', '0', 'System Serial Number', 'system serial number', '000000000000']],
    ['windows', ['', '0', 'Defaultstring', 'ToBeFilledByO.E.M.', 'SystemSerialNumber', '0123456789', 'VirtualMachine']],
  ])('%s with a placeholder for a serial number are each counted by themselves', (source, placeholders) => {
    for (const placeholder of placeholders) {
      const same = rows.filter((row) => row.source === source && (row.facts.serialNumber ?? '').trim() === placeholder);
      expect([placeholder, same.length]).toEqual([placeholder, expect.toSatisfy((count) => count > 0)]);
      expect(same.map((row) => [isCounted(row), sharing.includes(row)])).toEqual(same.map(() => [true, false]));
    }
    expect(rows.filter(({ facts }) => facts.serialNumber === 'Defaultstring')).toHaveLength(3);
  });

  test('personal devices count unless only company devices are asked for', () => {
    expect(listRows(devices, 'all').map((row) => row.excludedBecause)).not.toContain('personal');
  });
});

describe('records with one serial number', () => {
  const fold = ({ source, facts }: Row) => `${source} ${facts.serialNumber?.toUpperCase().replace(/[^A-Z0-9]/g, '')}`;
  const hasRealSerial = ({ facts }: Row) => /^(C02|PF|EXAMPLE)/i.test((facts.serialNumber ?? '').trim());
  const listGroups = (rows: readonly Row[]) =>
    [...Map.groupBy(rows.filter(hasRealSerial), fold)].filter(([, group]) => group.length > 1);

  test('of a machine that is enrolled again the old record is never heard from again, and superseded', () => {
    const devices = createDevicesAt(0, { count: 2000 });
    const ids = new Set(listDeviceRecords(devices).map(({ id }) => id));
    let found = 0;
    for (let night = 1; night <= 60; night += 1) {
      advanceToNight(devices, night);
      const run = judge(devices, 'company', listTwins);
      const sharing = run.sharing.flat();
      const groups = listGroups(run.rows).filter(([, group]) => group.some(({ facts }) => !ids.has(facts.id)));
      for (const [, group] of groups) {
        expect(group.filter((row) => sharing.includes(row))).toEqual([]);
        expect(group.filter(isCounted).length).toBeLessThanOrEqual(1);
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
