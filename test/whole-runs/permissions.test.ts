import { afterAll, afterEach, expect, test } from 'vitest';
import type { SimulatorOptions } from '../../simulator/simulator.ts';
import {
  makeFolder,
  openSimulator,
  type Row,
  readTableRows,
  removeFolders,
  runSlot,
  type SimulatorSetup,
} from './simulator-runs.ts';

const slot = '2026-03-01';
let setup: SimulatorSetup;

afterEach(() => setup.close());
afterAll(removeFolders);

interface Lack {
  readonly what: string;
  readonly options: SimulatorOptions;
  readonly source: 'macs' | 'windows';
  readonly soundness: 'missing' | 'untrusted' | 'complete';
  readonly code?: string;
  readonly says?: RegExp;
}

/** What is not granted, and what a night without it is worth. */
const lacks: readonly Lack[] = [
  {
    what: 'the inventory',
    options: { jamf: { withoutPrivileges: ['Read Computers'] } },
    ...{ source: 'macs', soundness: 'missing', code: 'permission-missing', says: /needs "Read Computers"/ },
  },
  {
    what: 'the attribute’s definition',
    options: { jamf: { withoutPrivileges: ['Read Computer Extension Attributes'] } },
    ...{ source: 'macs', soundness: 'untrusted', code: 'instrument', says: /Read Computer Extension Attributes/ },
  },
  {
    what: 'the smart groups',
    options: { jamf: { withoutPrivileges: ['Read Smart Computer Groups'] } },
    ...{ source: 'macs', soundness: 'complete' },
  },
  {
    what: 'all sites but one',
    options: { jamf: { site: true } },
    ...{ source: 'macs', soundness: 'missing', code: 'site-scoped', says: /only its site.*"site" in the settings/ },
  },
  {
    what: 'the devices of the tenant',
    options: { graph: { withoutPermissions: ['DeviceManagementManagedDevices.Read.All'] } },
    ...{ source: 'windows', soundness: 'missing', code: 'permission-missing', says: /answered 403/ },
  },
  {
    // The report's second way needs another permission and answers; nobody can say what its rows mean.
    what: 'the apps of the tenant',
    options: { graph: { withoutPermissions: ['DeviceManagementApps.Read.All'] } },
    ...{ source: 'windows', soundness: 'untrusted', code: 'instrument', says: /DeviceManagementApps\.Read\.All/ },
  },
];

test.each(lacks)('without $what: $soundness [A4]', async ({ options, source, soundness, code, says }) => {
  setup = await openSimulator({ devices: 200, ...options }, slot);
  const folder = await makeFolder();
  const { exit, night: judged } = await runSlot(setup, folder, slot);
  expect(exit).toBe(soundness === 'complete' ? 0 : 3);
  const found = judged?.sources.find(({ name }) => name === source);
  expect([found?.soundness, found?.problem?.code]).toEqual([soundness, code]);
  expect(found?.problem?.message ?? '').toMatch(says ?? /^$/);

  const mine = (rows: readonly Row[]) => rows.filter((row) => row.source === source);
  const devices = mine(await readTableRows(folder, slot, 'devices'));
  expect(devices.length > 0).toBe(soundness !== 'missing');
  expect(devices.some(({ proven }) => proven === 'true')).toBe(soundness === 'complete');
  const [figures] = mine(await readTableRows(folder, slot, 'coverage'));
  if (soundness === 'untrusted') {
    expect(figures).toMatchObject({ coverage_low: '0.00', coverage_high: '100.00' });
  }
  const members = mine(await readTableRows(folder, slot, 'groups'));
  expect(new Set(members.map(({ verdict }) => verdict))).toEqual(new Set(members.length > 0 ? ['unknown'] : []));
  if (soundness === 'complete') {
    expect(members[0]?.why).toContain('"Read Smart Computer Groups"');
  }
  const other = judged?.sources.find(({ name }) => name !== source);
  expect(other?.soundness).toBe('complete');
});
