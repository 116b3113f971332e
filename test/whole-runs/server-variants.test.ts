import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { buildings, departments } from '../../simulator/devices/names.ts';
import type { SimulatorOptions } from '../../simulator/simulator.ts';
import type { ModelNight } from '../model/rows.ts';
import { sample } from '../sampling.ts';
import { expectTables } from './expect-tables.ts';
import { expectRun, listIds, observe } from './expected-runs.ts';
import {
  makeFolder,
  openSimulator,
  type RunChanges,
  readAllTables,
  readTableRows,
  removeFolders,
  runSlot,
  type SimulatorSetup,
} from './simulator-runs.ts';

const slot = '2026-03-01';
let setup: SimulatorSetup;
/** What every other fleet of the same devices is held against. */
let plain: { readonly folder: string; readonly run: ModelNight };
let reference: Record<string, string>;

beforeAll(async () => {
  const folder = await expectModelRun({});
  plain = { folder, run: expectRun(slot, observe(setup.simulator)) };
  reference = await tablesOf(folder);
  await setup.close();
});
afterEach(() => setup.close());
afterAll(removeFolders);

const section = (attributeSection: NonNullable<NonNullable<SimulatorOptions['jamf']>['attributeSection']>) =>
  [`with the attribute in ${attributeSection}`, { jamf: { attributeSection } }] as const;

/** Other servers and ways, the same devices: nothing in any table may tell one from the other. */
const sameFleet: readonly (readonly [string, SimulatorOptions])[] = [
  ['older server', { jamf: { older: true } }],
  ['older server, signed in by an account', { jamf: { older: true, signIn: 'account' } }],
  ['account', { jamf: { signIn: 'account' } }],
  section('GENERAL'),
  section('HARDWARE'),
  section('OPERATING_SYSTEM'),
  section('USER_AND_LOCATION'),
  section('PURCHASING'),
  section('EXTENSION_ATTRIBUTES'),
  ['server that gives fewer rows than asked for', { jamf: { pageCap: 70 } }],
  ['tenant with small pages', { graph: { pageSize: 60 } }],
  ['tenant that takes no notice of the filter [P17]', { faults: ['filter-ignored:lasting'], graph: { pageSize: 300 } }],
  ['tenant whose exports take long', { graph: { exportPolls: 6 } }],
];

const otherFleets: readonly (readonly [string, SimulatorOptions])[] = [
  ['tenant whose states never change their date', { graph: { frozenStates: true } }],
  ['tenant with an upgraded app', { graph: { upgradedApp: true } }],
  ['population of company devices', { graph: { population: 'company' } }],
];

async function expectModelRun(options: SimulatorOptions, changes: RunChanges = {}): Promise<string> {
  setup = await openSimulator({ devices: 400, ...options });
  const folder = await makeFolder();
  const { exit } = await runSlot(setup, folder, slot, changes);
  expect(exit).toBe(0);
  await expectTables(folder, slot, expectRun(slot, observe(setup.simulator)));
  return folder;
}

/** Every table, but for the rows that say how access was judged: an account and an API client differ there. */
async function tablesOf(folder: string): Promise<Record<string, string>> {
  const tables = await readAllTables(folder, slot);
  const lines = (tables.deployment ?? '').split('\n').filter((line) => !/macos\.\w+-read-only/.test(line));
  return { ...tables, deployment: lines.join('\n') };
}

test.each(sample(sameFleet, 3))(
  '%s: for every device what its server holds, in the same bytes',
  async (_what, options) => {
    expect(await tablesOf(await expectModelRun(options))).toEqual(reference);
  },
);

test.each(['client', 'account'] as const)(
  'a server in a context path, signed in to by %s: the same bytes, and nothing that lies beside it is asked [W3]',
  async (signIn) => {
    const contextPath = '/mdm/jamf';
    const folder = await expectModelRun({ jamf: { contextPath, signIn } });
    expect(await tablesOf(folder)).toEqual(reference);
    const beside = setup.simulator.requests.filter(
      ({ origin, path }) => origin === 'service' && !/^\/download\//.test(path),
    );
    expect([beside, setup.simulator.leaks]).toEqual([[], []]);
    const report = await readFile(join(folder, 'muster-data/latest/report.json'), 'utf8');
    expect(report).toContain(`${setup.simulator.url}${contextPath}/computers.html?id={id}&o=r`);
  },
);

test.each(otherFleets)('%s: for every device what its server holds', async (_what, options) => {
  await expectModelRun(options);
});

test('a finding of each source names the records that share a serial number, and no other [J4]', async () => {
  const findings = (await readTableRows(plain.folder, slot, 'deployment')).filter(
    ({ check }) => check === 'devices.shared-serial',
  );
  expect(findings.map(({ source }) => source)).toEqual(['macs', 'windows']);
  for (const { source, result, found = '' } of findings) {
    const sharing = plain.run.sharing.flat().filter((row) => row.source === source);
    const [counts] = found.split(': ');
    expect([result, counts]).toEqual(['fail', `4 serial numbers on ${sharing.length} devices`]);
    const ids = found.split(/ and |; /).map((named) => named.match(/\((\S+)\)$/)?.[1] ?? named.split(' ').at(-1));
    expect(ids.sort()).toEqual(sharing.map(({ facts }) => facts.id).sort());
  }
});

test('tokens of 2 s, which run out while devices are read: for every device what its server holds [A1, A6]', async () => {
  const jamf = { tokenSeconds: 2, latencyMilliseconds: 120, pageCap: 15 };
  const folder = await expectModelRun({ jamf, graph: { tokenSeconds: 2 } }, { real: true });
  expect(await tablesOf(folder)).toEqual(reference);
  const signIns = (path: RegExp) => setup.simulator.requests.filter((request) => path.test(request.path)).length;
  expect(signIns(/^\/api\/.*oauth\/token$/)).toBeGreaterThan(1);
  expect(signIns(/\/oauth2\/v2\.0\/token$/)).toBeGreaterThan(1);
});

test('a device is shown with its site, department, building and category; without the privilege only those names miss', async () => {
  const whole = await readTableRows(plain.folder, slot, 'devices');
  const valuesOf = (rows: typeof whole, source: string, column: string) =>
    [...new Set(rows.filter((row) => row.source === source).map((row) => row[column]))].sort();
  expect(valuesOf(whole, 'macs', 'site')).toEqual(['Branch', 'Headquarters']);
  expect(valuesOf(whole, 'macs', 'department')).toEqual(['', ...departments.map(({ name }) => name)].sort());
  expect(valuesOf(whole, 'macs', 'building')).toEqual(['', ...buildings.map(({ name }) => name)].sort());
  expect(valuesOf(whole, 'windows', 'category')).toEqual(['', 'Field service', 'Office']);

  const withoutPrivileges = ['Read Departments', 'Read Buildings'] as const;
  const bare = await readTableRows(await expectModelRun({ jamf: { withoutPrivileges } }), slot, 'devices');
  expect(bare).toEqual(whole.map((row) => (row.source === 'macs' ? { ...row, department: '', building: '' } : row)));
});

test('a tenant of two pages is read in ranges in its second night: every device, as without them [P26]', async () => {
  const next = '2026-03-02';
  const list = '/v1.0/deviceManagement/managedDevices';
  const devices: Record<string, readonly string[]> = {};
  for (const datesKnown of [true, false]) {
    setup = await openSimulator({ devices: 2_200, graph: { datesKnown, pageSize: 200 } });
    const folder = await makeFolder();
    await runSlot(setup, folder, slot);
    const asked = setup.simulator.requests.length;
    expect((await runSlot(setup, folder, next)).exit).toBe(0);
    const pages = setup.simulator.requests.slice(asked).filter(({ path }) => path === list);
    expect(
      new Set(pages.map(({ query }) => query.includes('enrolledDateTime+gt') || query.includes('enrolledDateTime+lt'))),
    ).toEqual(new Set([datesKnown]));
    expect(setup.simulator.violations).toEqual([]);
    devices[String(datesKnown)] = (await readTableRows(folder, next, 'devices'))
      .map((row) => `${row.device_id}`)
      .sort();
    const ids = [...listIds(setup.simulator, 'macs'), ...listIds(setup.simulator, 'windows')];
    expect(devices[String(datesKnown)]).toEqual(ids.sort());
    await setup.close();
  }
  expect(devices.true).toEqual(devices.false);
});
