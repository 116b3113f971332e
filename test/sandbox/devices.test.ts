import { describe, expect, test } from 'vitest';
import { advanceToNight } from '../../src/sandbox/devices/advance-devices.ts';
import { computeMacContactTime, computeMacReportTime } from '../../src/sandbox/devices/contact-times.ts';
import { createDevices } from '../../src/sandbox/devices/create-devices.ts';
import type { SimulatedDevices } from '../../src/sandbox/devices/model.ts';
import { macEvents, windowsEvents } from '../../src/sandbox/devices/probabilities.ts';
import { computeTruth, type TruthRow } from '../../src/sandbox/devices/truth.ts';

const options = { count: 500, seed: 7, firstNight: '2026-01-01', frozenStates: false };

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
    const before = createDevicesAt(0);
    const after = createDevicesAt(25);
    const ids = (devices: SimulatedDevices) => new Set(devices.macs.map((mac) => mac.id));
    expect([...ids(before)].some((id) => !ids(after).has(id))).toBe(true);
    expect([...ids(after)].some((id) => !ids(before).has(id))).toBe(true);
    const returned = after.macs.filter((mac) =>
      before.macs.some(
        (old) =>
          old.serialNumber === mac.serialNumber && mac.serialNumber !== '' && old.id !== mac.id && !mac.isEdgeCase,
      ),
    );
    expect(returned.length).toBeGreaterThan(0);
    const machines = [...after.macs, ...after.windows];
    expect(machines.filter((machine) => machine.name === null && !machine.isEdgeCase).length).toBeGreaterThan(0);
    const verdicts = new Map(listTruth(before).map((row) => [row.device_id, row.status]));
    const flips = listTruth(after).filter((row) => (verdicts.get(row.device_id) ?? row.status) !== row.status);
    expect(flips.length).toBeGreaterThan(5);
    expect(after.macs.length + after.windows.length).toBeGreaterThan(450);
    expect(after.macs.length + after.windows.length).toBeLessThan(560);
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
    const names = createDevicesAt(0).macs.map((mac) => mac.name ?? '');
    expect(names).toContain('=1+1');
    expect(names.some((name) => name.includes('<script>'))).toBe(true);
    expect(names.some((name) => name.includes('\n'))).toBe(true);
    expect(names.some((name) => name.includes('\u202e'))).toBe(true);
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

  test.each([
    'macs Installed reported true',
    'macs Not Installed reported true',
    'macs Installed reported false',
    'macs Not Installed never-reported false',
    'macs Not Installed unrecognised-value false',
    'windows Installed reported true',
    'windows Installed reported false',
    'windows Installed uninstall-failed false',
    'windows Not Installed reported true',
    'windows Not Installed install-failed true',
    'windows Not Installed install-pending true',
    'windows Not Installed not-applicable false',
    'windows Not Installed state-unknown false',
    'windows Not Installed never-reported false',
  ])('%s', (wanted) => {
    expect(rows.map(outcome)).toContain(wanted);
  });

  test.each(['unmanaged', 'superseded'])('macs excluded: %s', (why) => {
    expect(rows.filter((row) => row.source === 'macs').map((row) => row.excluded_because)).toContain(why);
  });

  test.each(['unmanaged', 'retiring', 'not-manageable', 'personal', 'superseded'])('windows excluded: %s', (why) => {
    expect(rows.filter((row) => row.source === 'windows').map((row) => row.excluded_because)).toContain(why);
  });

  test('every state number, and rows that differ by user', () => {
    const states = new Set(devices.windows.flatMap((device) => device.agent.stateRows.map((row) => row.state)));
    expect([...states].sort((one, other) => one - other)).toEqual([-1, 0, 1, 2, 3, 4, 5, 42, 99]);
    expect(devices.windows.some((device) => device.agent.stateRows.length > 1)).toBe(true);
    expect(devices.windows.some((device) => device.agent.stateRows.length === 0)).toBe(true);
  });

  test('every way of having no value on macOS', () => {
    const answers = devices.macs.map((mac) =>
      mac.agent.attributeEntry === undefined ? 'absent' : JSON.stringify(mac.agent.attributeEntry.values),
    );
    expect(answers).toEqual(expect.arrayContaining(['absent', 'null', '[]', '[""]']));
    expect(answers).toContain(JSON.stringify(['Installed \n']));
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

  test('retire and wipe states that failed stay counted', () => {
    const failed = devices.windows
      .filter((device) => device.managementState === 'retireFailed')
      .map((device) => device.id);
    expect(rows.filter((row) => failed.includes(row.device_id)).every((row) => row.counted)).toBe(true);
    expect(failed.length).toBeGreaterThan(0);
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
  const describeGroup = (group: readonly TruthRow[]) =>
    group.map((row) => row.excluded_because || 'counted').join(', ');

  test.each([0, 30, 90])('are one machine or several as their dates say, on night %i', (night) => {
    const groups = listGroups(listTruth(createDevicesAt(night, { count: 500 })));
    const edgeCases = new Set(groups.filter(([, group]) => group.length === 3 || isOfFirstNight(group)));
    const outcomes = (source: string, isShared: boolean) =>
      [...edgeCases]
        .filter(([key, group]) => key.startsWith(source) && group.every((row) => row.shares_serial === isShared))
        .map(([, group]) => describeGroup(group))
        .sort();
    // Of a pair the record that was enrolled earlier stands first.
    expect(outcomes('macs', false)).toEqual([
      'counted, superseded',
      'counted, unmanaged',
      ...Array.from({ length: 3 }, () => 'superseded, counted'),
    ]);
    expect(outcomes('windows', false)).toEqual([
      'counted, retiring',
      'counted, superseded',
      ...Array.from({ length: 3 }, () => 'superseded, counted'),
    ]);
    for (const source of ['macs', 'windows']) {
      expect(outcomes(source, true)).toEqual([
        ...Array.from({ length: 3 }, () => 'counted, counted'),
        'counted, counted, counted',
      ]);
    }
  });

  function isOfFirstNight(group: readonly TruthRow[]): boolean {
    const first = createDevicesAt(0, { count: 500 });
    const ids = new Set([...first.macs, ...first.windows].map(({ id }) => String(id)));
    return group.every(({ device_id }) => ids.has(device_id));
  }

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

test('a Mac that is silent for long is stale, however often its record is changed', () => {
  const devices = createDevicesAt(30);
  const touched = devices.macs.filter((mac) => mac.contact.kind === 'record-touched');
  expect(touched.length).toBeGreaterThan(1);
  const now = devices.startTime + devices.night * 86_400_000;
  const rows = listTruth(devices);
  for (const mac of touched) {
    expect(now - (computeMacReportTime(devices, mac) ?? 0)).toBeLessThan(2 * 86_400_000);
    expect(now - (computeMacContactTime(devices, mac) ?? 0)).toBeGreaterThan(700 * 86_400_000);
    const row = rows.find(({ source, device_id }) => source === 'macs' && device_id === String(mac.id));
    expect(row).toMatchObject({ stale: true, proven: false, counted: true });
  }
});

test('a Mac of which one of the two dates is not known is stale', () => {
  const devices = createDevicesAt(30);
  const rows = new Map(listTruth(devices).map((row) => [`${row.source} ${row.device_id}`, row]));
  for (const kind of ['contact-unknown', 'report-unknown', 'unknown']) {
    const macs = devices.macs.filter(({ contact }) => contact.kind === kind);
    expect([kind, macs.length]).toEqual([kind, expect.toSatisfy((count) => count > 0)]);
    expect(macs.map(({ id }) => rows.get(`macs ${id}`)?.stale)).toEqual(macs.map(() => true));
  }
});

test('a date of enrollment of 1970 or to come is not known', () => {
  const devices = createDevicesAt(30);
  const wrong = [...devices.macs, ...devices.windows].filter(({ enrollmentDate }) => enrollmentDate !== 'known');
  expect(new Set(wrong.map(({ enrollmentDate }) => enrollmentDate))).toEqual(new Set(['epoch', 'future', 'missing']));
  const unknown = listTruth(devices).filter((row) => row.enrolled_at === '');
  expect(unknown.map(({ device_id }) => device_id).sort()).toEqual(wrong.map(({ id }) => String(id)).sort());
});

test('a tenant with frozen states has no rows where no user requested the app, and the truth says so', () => {
  const devices = createDevicesAt(0, { frozenStates: true });
  const unrequested = devices.windows.filter((device) => !device.appRequested);
  expect(unrequested.length).toBeGreaterThan(3);
  expect(
    unrequested.every(
      (device) => device.agent.stateRows.length === 0 && device.agent.truth.reason === 'never-reported',
    ),
  ).toBe(true);
});

test.each([
  ['Macs', macEvents],
  ['Windows devices', windowsEvents],
])('the percentages of the events of %s add up to 100', (_, events) => {
  expect(events.reduce((total, [, percent]) => total + percent, 0)).toBe(100);
});
