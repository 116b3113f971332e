/** A night of three kinds at once: some machines are in Fleet and in Jamf Pro or Intune, and Linux hosts in Fleet alone. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readSettings } from '../../src/compose/read-settings.ts';
import type { ReportDocument } from '../../src/reports/document/report-document.ts';
import { type PlatformRequest, send } from '../contracts/platform.ts';
import { type Loopback, loopback } from '../http/loopback.ts';
import { kindsUnderTest } from '../kinds.ts';
import { isCounted } from '../model/rows.ts';
import { expectRun, judgeDevices, observe } from '../whole-runs/expected-runs.ts';
import {
  makeFolder,
  openSimulator,
  type Row,
  readTableRows,
  removeFolders,
  runSlot,
  type SimulatorSetup,
} from '../whole-runs/simulator-runs.ts';
import { answerAsFleet, makeHost, policyName, token } from './server.ts';

const slot = '2026-11-20';
const kinds = kindsUnderTest.map(({ kind }) => kind);
let setup: SimulatorSetup;
let fleet: Loopback;
let shared: string[];
let document: ReportDocument;
let devices: Row[];
let tables: { coverage: Row[]; groups: Row[]; deployment: Row[] };

beforeAll(async () => {
  setup = await openSimulator({ devices: 40, graph: { exportPolls: 0 } }, slot);
  const { machines } = expectRun(slot, observe(setup.simulator));
  const known = machines.flatMap(({ standing, isShared }) => (isCounted(standing) && !isShared ? [standing] : []));
  const twins = (['macs', 'windows'] as const).flatMap((source) =>
    known.filter((row) => row.source === source).slice(0, 3),
  );
  shared = twins.map(({ facts }) => facts.serialNumber ?? '');
  const hosts = [
    ...twins.map(({ source, facts }, index) => {
      const platform = source === 'macs' ? 'darwin' : 'windows';
      return { ...makeHost(index + 1), platform, hardware_serial: facts.serialNumber };
    }),
    ...[11, 14, 17].map((id) => makeHost(id)),
  ];
  fleet = await loopback((incoming, response) => {
    const url = new URL(incoming.url ?? '/', 'http://fleet.example.com');
    const request = { path: url.pathname, url } as PlatformRequest;
    const state = { devices: hosts, claimed: hosts.length, pageSize: 4, linkOrigin: '', token };
    send(
      response,
      incoming.headers.authorization === `Bearer ${token}` ? answerAsFleet(request, state) : { status: 401, body: {} },
    );
  });
  setup.simulator.environment.FLEET_TOKEN = token;
  const source = `  - { name: hosts, platform: fleet, url: "${fleet.origin}", token: env:FLEET_TOKEN, policy: ${policyName} }`;
  const yaml = setup.simulator.settings().replace('sources:\n', `sources:\n${source}\n`);
  const { settings, problems } = readSettings(yaml, setup.simulator.environment, { kinds });
  expect(problems).toEqual([]);
  const folder = await makeFolder();
  await runSlot({ ...setup, settings: settings ?? setup.settings, kinds }, folder, slot);
  const [coverage, groups, deployment] = await Promise.all(
    (['coverage', 'groups', 'deployment'] as const).map((table) => readTableRows(folder, slot, table)),
  );
  tables = { coverage: coverage ?? [], groups: groups ?? [], deployment: deployment ?? [] };
  devices = await readTableRows(folder, slot, 'devices');
  document = JSON.parse(await readFile(join(folder, 'muster-data/report', `date=${slot}`, 'report.json'), 'utf8'));
});

afterAll(async () => {
  await Promise.all([setup.close(), fleet.close(), removeFolders()]);
});

const figuresOf = (source: string) => tables.coverage.find((row) => row.source === source);

it('is complete, and every source is sound', () => {
  expect(tables.coverage.map(({ source, soundness }) => [source, soundness])).toEqual([
    ['hosts', 'complete'],
    ['macs', 'complete'],
    ['windows', 'complete'],
    ['all', 'complete'],
  ]);
});

it('counts a machine once that two kinds know', () => {
  for (const serial of shared) {
    const rows = devices.filter((row) => row.serial_number === serial);
    expect(rows.map(({ counted }) => counted).sort()).toEqual(['false', 'true']);
    expect(rows.map(({ excluded_because: because }) => because).sort()).toEqual(['', 'superseded']);
  }
  const counted = judgeDevices(setup.simulator, slot).filter(isCounted).length;
  expect(Number(figuresOf('all')?.counted)).toBe(counted + 3);
});

it('judges Linux hosts, and divides coverage by it as by any other operating system', () => {
  expect(document.platformTitles).toMatchObject({ linux: 'Linux', macos: 'macOS', windows: 'Windows' });
  const linux = document.coverageBy.filter(({ field, value }) => field === 'platform' && value === 'linux');
  expect(linux).toMatchObject([{ devices: 3, counted: 3, installed: 2, notInstalled: 1, provenInstalled: 2 }]);
  expect(tables.groups.filter(({ platform }) => platform === 'linux').slice(0, 1)).toMatchObject([
    { source: 'hosts', device_id: '11', group: 'Installed', in_picture: 'true', verdict: 'derived' },
  ]);
});

it('makes the checks of the kind', () => {
  const own = tables.deployment.filter(({ source, check }) => source === 'hosts' && check === 'policy.query');
  expect(own).toMatchObject([{ result: 'pass' }]);
});
