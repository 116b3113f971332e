/** Behaviours of real servers that once made a night wrong, each by its number: over HTTP, from the request to the tables. */
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import type { PlatformRequest } from '../../simulator/platforms/request.ts';
import { type PlatformResponse, respondJson } from '../../simulator/platforms/response.ts';
import type { SimulatorOptions } from '../../simulator/simulator.ts';
import { readRunContext } from '../../src/compose/run-context.ts';
import { runNight } from '../../src/night.ts';
import { isCounted } from '../model/rows.ts';
import { expectTables } from './expect-tables.ts';
import { expectRun, judgeDevices, listIds, observe } from './expected-runs.ts';
import {
  composeSimulatorParts,
  makeFolder,
  openSimulator,
  readTableRows,
  removeFolders,
  runSlot,
  type SimulatorSetup,
  toMoment,
} from './simulator-runs.ts';

const first = '2026-03-01';
const second = '2026-03-02';

type Item = Readonly<Record<string, unknown>>;
type Rule = (request: PlatformRequest, response: PlatformResponse) => PlatformResponse;

let setup: SimulatorSetup;
let folder: string;
/** What a platform answers is passed through it. */
let rule: Rule;

async function open(options: SimulatorOptions): Promise<void> {
  const intercept: SimulatorOptions['intercept'] = async (request, respond) => rule(request, await respond(request));
  setup = await openSimulator({ devices: 120, intercept, ...options });
}

beforeEach(async () => {
  rule = (_, response) => response;
  folder = await makeFolder();
  await open({});
});
afterEach(() => setup.close());
afterAll(removeFolders);

async function reopen(options: SimulatorOptions): Promise<void> {
  await setup.close();
  await open(options);
}

/** Changes each row of the lists of devices. */
function changeDevices(change: (row: Item) => Item): Rule {
  return ({ path }, response) => {
    const name = /\/computers-inventory$/.test(path) ? 'results' : 'value';
    if (response.status !== 200 || !/\/(computers-inventory|managedDevices)$/.test(path)) {
      return response;
    }
    const body = JSON.parse(String(response.body)) as Record<string, Item[]>;
    return respondJson(200, { ...body, [name]: body[name]?.map(change) });
  };
}

/** The app report, by the synchronous action alone. */
function answerReport(rows: readonly Item[]): Rule {
  return ({ path, body }, response) => {
    if (path.endsWith('/exportJobs')) {
      return respondJson(403, { error: { code: 'Forbidden' } });
    }
    if (!path.endsWith('/retrieveDeviceAppInstallationStatusReport')) {
      return response;
    }
    const { select, skip, top } = JSON.parse(body) as { select: string[]; skip: number; top: number };
    const page = rows.slice(skip, skip + Math.min(top, 50));
    return respondJson(200, {
      TotalRowCount: rows.length,
      Schema: select.map((Column) => ({ Column, PropertyType: 'String' })),
      Values: page.map((row) => select.map((column) => row[column] ?? null)),
    });
  };
}

const reportRow = (DeviceId: string, InstallState: number, LastModifiedDateTime: string, UserId = 'one'): Item => ({
  ...{ DeviceId, UserId, InstallState, LastModifiedDateTime },
  ...{ ErrorCode: 0, HexErrorCode: '0x00000000', InstallStateDetail: 0 },
});

const listLive = (name: string) =>
  judgeDevices(setup.simulator, first).flatMap((row) =>
    row.source === name && isCounted(row) && !row.stale ? [row.facts.id] : [],
  );
const rowsOf = async (source: string) =>
  (await readTableRows(folder, first, 'devices')).filter((row) => row.source === source);
const readSoundness = async (slot: string) =>
  (await readTableRows(folder, slot, 'coverage')).find(({ source }) => source === 'windows')?.soundness;

async function expectMacs(): Promise<void> {
  const run = expectRun(first, observe(setup.simulator));
  await expectTables(folder, first, run, {
    source: 'macs',
    tables: ['devices', 'not-installed', 'changes', 'coverage'],
  });
}

const today = '2026-03-01 02:00:00';

test('F3: a Mac that a lagging node denies for a minute is there [P23]', async () => {
  await reopen({ faults: ['jamf/drifting-pages'], jamf: { pageCap: 20 } });
  const parts = await composeSimulatorParts(setup, folder, first);
  const agreedAt = parts.clock.elapsed() + 60_000;
  rule = ({ query }, response) =>
    query.has('filter') && parts.clock.elapsed() < agreedAt
      ? respondJson(200, { totalCount: 0, results: [] })
      : response;
  const moment = toMoment(first);
  const request = { slot: first, moment, readRunContext: () => readRunContext(setup.settings, folder, moment) };
  expect((await runNight(request, parts)).exit).toBe(0);
  await expectMacs();
});

test('F4: a PC whose apps Configuration Manager delivers is managed elsewhere, and no failure [F4]', async () => {
  const [one, ...others] = listLive('windows');
  const report = answerReport(others.map((id) => reportRow(id, 1, today)));
  const change = changeDevices((row) => ({
    ...row,
    configurationManagerClientEnabledFeatures: { modernApps: row.id !== one },
  }));
  rule = (request, response) => change(request, report(request, response));
  await runSlot(setup, folder, first);
  const elsewhere = (await rowsOf('windows')).filter(({ reason }) => reason === 'managed-elsewhere');
  expect(elsewhere.map(({ device_id }) => device_id)).toEqual([one]);
});

test('F6: a first night whose report names no device is suspect, and no baseline [F6]', async () => {
  const asItIs = rule;
  rule = answerReport([]);
  expect((await runSlot(setup, folder, first)).exit).toBe(3);
  expect(await readSoundness(first)).toBe('suspect');
  rule = asItIs;
  expect((await runSlot(setup, folder, second)).exit).toBe(0);
  expect(await readSoundness(second)).toBe('complete');
});

test('F7: old records that a clean-up rule deletes are no drop, and reported once [F7]', async () => {
  const silent = listLive('windows').filter((_, index) => index % 2 === 0);
  rule = changeDevices((row) =>
    silent.includes(String(row.id)) ? { ...row, lastSyncDateTime: '2025-12-01T00:00:00Z' } : row,
  );
  expect((await runSlot(setup, folder, first)).exit).toBe(0);
  setup.simulator.setMoment(toMoment(second));
  for (const id of silent) {
    setup.simulator.changeDevice('windows', id, { gone: true });
  }
  const outcome = await runSlot(setup, folder, second);
  expect(outcome.exit).toBe(0);
  expect(outcome.night?.events.filter(({ kind }) => kind === 'count.cleaned-up')).toHaveLength(1);
});

test('F8: the newest outcome decides, whoever was signed in before [F8]', async () => {
  const ids = listLive('windows');
  rule = answerReport(ids.flatMap((id) => [reportRow(id, 1, '2024-05-01 08:00:00', 'gone'), reportRow(id, 3, today)]));
  await runSlot(setup, folder, first);
  const rows = (await rowsOf('windows')).filter(({ device_id = '' }) => ids.includes(device_id));
  expect(new Set(rows.map(({ status, proven }) => `${status} ${proven}`))).toEqual(new Set(['Not Installed true']));
});

test('F11: a date in 2099 is not known, and proves nothing [F11]', async () => {
  const [mac, pc] = [listLive('macs').at(-1), listLive('windows').at(-1)];
  const ahead = '2099-01-01T00:00:00Z';
  rule = changeDevices((row) => {
    const general = { ...(row.general as Item | undefined), reportDate: ahead, lastContact: ahead };
    return { ...row, ...(row.id === pc && { lastSyncDateTime: ahead }), ...(row.id === mac && { general }) };
  });
  expect((await runSlot(setup, folder, first)).exit).toBe(0);
  const rows = [...(await rowsOf('macs')), ...(await rowsOf('windows'))];
  const shown = rows.filter(({ device_id }) => device_id === mac || device_id === pc);
  const unknown = { last_seen_at: '', proven: 'false', stale: 'true' };
  expect(shown).toEqual([expect.objectContaining(unknown), expect.objectContaining(unknown)]);
});

test('F16: a Date header that is none closes no night [F16]', async () => {
  rule = (_, response) => ({ ...response, headers: { ...response.headers, date: '99' } });
  expect((await runSlot(setup, folder, first)).exit).toBe(0);
});

test('F17: an id with a blank is the id without it, also where no table shows the blank [P25]', async () => {
  rule = changeDevices((row) => (/^\d+$/.test(String(row.id)) ? { ...row, id: ` ${row.id}` } : row));
  const outcome = await runSlot(setup, folder, first);
  const macs = outcome.night?.devices.filter(({ source }) => source === 'macs').map(({ facts }) => facts.id);
  expect(macs?.sort()).toEqual(listIds(setup.simulator, 'macs').sort());
});

test('F18: of one site, a Mac that leaves while an older one comes costs neither [P24]', async () => {
  await reopen({ jamf: { site: true, signIn: 'account', pageCap: 20 } });
  const sources = setup.settings.sources.map((source) => ({ ...source, site: 'Headquarters' }));
  setup = { ...setup, settings: { ...setup.settings, sources } };
  const all = listLive('macs').length;
  setup.simulator.removeShareOfDevices(12, 'macs');
  const stayed = listLive('macs');
  let isOver = false;
  rule = ({ path, query }, response) => {
    if (!isOver && path.endsWith('/computers-inventory') && query.get('page-size') !== '1') {
      isOver = true;
      setup.simulator.restoreDevices();
      for (const id of stayed.slice(5, 5 + all - stayed.length)) {
        setup.simulator.changeDevice('macs', id, { gone: true });
      }
    }
    return response;
  };
  await runSlot(setup, folder, first);
  expect(all).toBeGreaterThan(stayed.length);
  await expectMacs();
});
