import { describe, expect, test } from 'vitest';
import { advanceToNight } from '../../src/sandbox/devices/advance-devices.ts';
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

  test('placeholder serial numbers never supersede', () => {
    for (const placeholder of ['', '0', 'system serial number', 'default string']) {
      const same = rows.filter((row) => row.serial_number.toLowerCase() === placeholder);
      expect(same.length).toBeGreaterThan(1);
      expect(same.map((row) => row.excluded_because)).not.toContain('superseded');
    }
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
