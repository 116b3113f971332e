import { describe, expect, test } from 'vitest';
import { advanceToNight } from '../../src/sandbox/devices/advance-devices.ts';
import { createDevices } from '../../src/sandbox/devices/create-devices.ts';
import type { SimulatedDevices } from '../../src/sandbox/devices/model.ts';
import { computeTruth, type TruthRow } from '../../src/sandbox/devices/truth.ts';

const options = { count: 500, seed: 7, firstNight: '2026-01-01', frozenStates: false };

function at(night: number, changes: Partial<typeof options> = {}): SimulatedDevices {
  const fleet = createDevices({ ...options, ...changes });
  advanceToNight(fleet, night);
  return fleet;
}

function truth(fleet: SimulatedDevices, population: 'all' | 'company' = 'company'): TruthRow[] {
  const moment = fleet.startTime + fleet.night * 86_400_000 + 5 * 3_600_000;
  return computeTruth(fleet, { moment, staleAfterDays: 30, population, site: undefined });
}

describe('a fleet', () => {
  test('is the same for the same seed, and another for another', () => {
    expect(at(0)).toEqual(at(0));
    expect(truth(at(3))).not.toEqual(truth(at(3, { seed: 8 })));
  });

  test('is the same reached night by night or at once', () => {
    const slowly = at(0);
    for (let night = 1; night <= 20; night += 1) {
      advanceToNight(slowly, night);
    }
    const direct = at(20);
    // Only the count of changes may tell how a fleet got where it is, and it does not.
    expect(slowly).toEqual(direct);
    expect(truth(slowly)).toEqual(truth(direct));
  });

  test('lives: devices come, go, change, return under a new id and lose their name', () => {
    const before = at(0);
    const after = at(25);
    const ids = (fleet: SimulatedDevices) => new Set(fleet.macs.map((mac) => mac.id));
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
    const verdicts = new Map(truth(before).map((row) => [row.device_id, row.status]));
    const flips = truth(after).filter((row) => (verdicts.get(row.device_id) ?? row.status) !== row.status);
    expect(flips.length).toBeGreaterThan(5);
    expect(after.macs.length + after.windows.length).toBeGreaterThan(450);
    expect(after.macs.length + after.windows.length).toBeLessThan(560);
  });

  test('changes about one device in a hundred in a night', () => {
    const big = { count: 10_000 };
    const before = new Map(truth(at(10, big)).map((row) => [row.device_id, row]));
    const changed = truth(at(11, big)).filter((row) => before.get(row.device_id)?.status !== row.status);
    expect(changed.length).toBeGreaterThan(20);
    expect(changed.length).toBeLessThan(150);
  });

  test('has hostile names', () => {
    const names = at(0).macs.map((mac) => mac.name ?? '');
    expect(names).toContain('=1+1');
    expect(names.some((name) => name.includes('<script>'))).toBe(true);
    expect(names.some((name) => name.includes('\n'))).toBe(true);
    expect(names.some((name) => name.includes('\u202e'))).toBe(true);
  });

  test('of twenty devices is a mixture', () => {
    const rows = truth(at(0, { count: 20 }));
    expect(rows).toHaveLength(20);
    expect(new Set(rows.map((row) => row.status)).size).toBe(2);
    expect(rows.map((row) => row.reason)).toContain('never-reported');
    expect(rows.map((row) => row.excluded_because)).toEqual(expect.arrayContaining(['', 'unmanaged', 'retiring']));
    expect(rows.some((row) => row.stale)).toBe(true);
  });
});

describe('every case of the tables is there at 500 devices', () => {
  const fleet = at(30);
  const rows = truth(fleet);
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
    const states = new Set(fleet.windows.flatMap((device) => device.agent.stateRows.map((row) => row.state)));
    expect([...states].sort((one, other) => one - other)).toEqual([-1, 0, 1, 2, 3, 4, 5, 42, 99]);
    expect(fleet.windows.some((device) => device.agent.stateRows.length > 1)).toBe(true);
    expect(fleet.windows.some((device) => device.agent.stateRows.length === 0)).toBe(true);
  });

  test('every way of having no value on macOS', () => {
    const answers = fleet.macs.map((mac) =>
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
    const failed = fleet.windows
      .filter((device) => device.managementState === 'retireFailed')
      .map((device) => device.id);
    expect(rows.filter((row) => failed.includes(row.device_id)).every((row) => row.counted)).toBe(true);
    expect(failed.length).toBeGreaterThan(0);
  });

  test('personal devices count unless only company devices are asked for', () => {
    expect(truth(fleet, 'all').map((row) => row.excluded_because)).not.toContain('personal');
  });
});

test('a tenant with frozen states has no rows where nobody asked, and says so', () => {
  const fleet = at(0, { frozenStates: true });
  const silent = fleet.windows.filter((device) => !device.appRequested);
  expect(silent.length).toBeGreaterThan(3);
  expect(
    silent.every((device) => device.agent.stateRows.length === 0 && device.agent.truth.reason === 'never-reported'),
  ).toBe(true);
});
