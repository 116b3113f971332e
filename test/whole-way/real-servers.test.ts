/** Behaviours of real servers that once made a night wrong, each by its number: over HTTP, from the request to the tables. */
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PlatformRequest } from '../../simulator/platforms/request.ts';
import { type PlatformResponse, respondJson } from '../../simulator/platforms/response.ts';
import type { SandboxOptions } from '../../simulator/sandbox.ts';
import { runNight } from '../../src/night.ts';
import { readRunContext as readContext } from '../../src/run/run-context.ts';
import { deviceLine, truthAt, truthLines } from './roll.ts';
import { momentOf, newFolder, night, openWay, partsOf, removeFolders, tableRows, type Way } from './way.ts';

const [first, second] = ['2026-03-01', '2026-03-02'] as const;

type Rule = (request: PlatformRequest, response: PlatformResponse) => PlatformResponse;
const asItIs: Rule = (_, response) => response;

let way: Way;
let folder: string;
let rule: Rule;

async function open(options: SandboxOptions = {}): Promise<void> {
  rule = asItIs;
  folder = await newFolder();
  const intercept: SandboxOptions['intercept'] = async (request, respond) => rule(request, await respond(request));
  way = await openWay({ devices: 120, intercept, ...options });
}

afterEach(() => way.close());
afterAll(removeFolders);

type Item = Record<string, unknown>;

/** The rows of a list of devices, where this is one. */
function changeList({ path }: PlatformRequest, response: PlatformResponse, change: (rows: Item[]) => Item[]) {
  const name = /\/computers-inventory$/.test(path) ? 'results' : /\/managedDevices$/.test(path) ? 'value' : '';
  if (name === '' || response.status !== 200) {
    return response;
  }
  const body = JSON.parse(String(response.body)) as Record<string, Item[]>;
  const rows = body[name] ?? [];
  const changed = change(rows);
  const { totalCount = [] } = body;
  return respondJson(200, {
    ...body,
    [name]: changed,
    ...(name === 'results' ? { totalCount: Number(totalCount) - rows.length + changed.length } : {}),
  });
}

/** The app report by the synchronous action alone. */
function answerReport(rows: readonly Item[]): Rule {
  return (request, response) => {
    if (request.path.endsWith('/exportJobs')) {
      return respondJson(403, { error: { code: 'Forbidden' } });
    }
    if (!request.path.endsWith('/retrieveDeviceAppInstallationStatusReport')) {
      return response;
    }
    const { select, skip, top } = JSON.parse(request.body) as { select: string[]; skip: number; top: number };
    const page = rows.slice(skip, skip + Math.min(top, 50));
    return respondJson(200, {
      TotalRowCount: rows.length,
      Schema: select.map((Column) => ({ Column, PropertyType: 'String' })),
      Values: page.map((row) => select.map((column) => row[column] ?? null)),
    });
  };
}

function reportRow(device: string, state: number, at: string, user = 'one'): Item {
  const code = { ErrorCode: 0, HexErrorCode: '0x00000000', InstallStateDetail: 0 };
  return { DeviceId: device, UserId: user, InstallState: state, LastModifiedDateTime: at, ...code };
}

const listed = (source: string, slot = first) =>
  truthAt(way.sandbox, slot).filter((truth) => truth.source === source && truth.counted && !truth.stale);
const rowsOf = async (source: string, slot = first) =>
  (await tableRows(folder, slot, 'devices')).filter((row) => row.source === source);
const soundnessOf = async (source: string, slot = first) =>
  (await tableRows(folder, slot, 'coverage')).find((row) => row.source === source)?.soundness;
const today = '2026-03-01 02:00:00';

describe('Intune', () => {
  beforeEach(() => open());

  test('F4: a PC whose apps Configuration Manager delivers is managed elsewhere, and no failure [F4]', async () => {
    const [one, ...others] = listed('windows').map(({ device_id }) => device_id);
    const report = answerReport(others.map((id) => reportRow(id, 1, today)));
    rule = (request, response) =>
      changeList(request, report(request, response), (rows) =>
        rows.map((row) => ({ ...row, configurationManagerClientEnabledFeatures: { modernApps: row.id !== one } })),
      );
    await night(way, folder, first);
    const elsewhere = (await rowsOf('windows')).filter(({ reason }) => reason === 'managed-elsewhere');
    expect(elsewhere.map(({ device_id }) => device_id)).toEqual([one]);
  });

  test('F6: a first night whose report names no device is suspect, and no baseline [F6]', async () => {
    rule = answerReport([]);
    expect((await night(way, folder, first)).exit).toBe(3);
    expect(await soundnessOf('windows')).toBe('suspect');
    rule = asItIs;
    expect((await night(way, folder, second)).exit).toBe(0);
    expect(await soundnessOf('windows', second)).toBe('complete');
  });

  test('F7: old records that a clean-up rule deletes are no drop, and told once [F7]', async () => {
    const silent = new Set(listed('windows').flatMap(({ device_id }, index) => (index % 2 === 0 ? [device_id] : [])));
    rule = (request, response) =>
      changeList(request, response, (rows) =>
        rows.map((row) => (silent.has(String(row.id)) ? { ...row, lastSyncDateTime: '2025-12-01T00:00:00Z' } : row)),
      );
    expect((await night(way, folder, first)).exit).toBe(0);
    rule = asItIs;
    way.sandbox.setMoment(momentOf(second));
    for (const id of silent) {
      way.sandbox.changeDevice('windows', id, { gone: true });
    }
    const outcome = await night(way, folder, second);
    expect(outcome.exit).toBe(0);
    expect(outcome.night?.events.filter(({ kind }) => kind === 'count.cleaned-up')).toHaveLength(1);
  });

  test('F8: the newest outcome decides, whoever was signed in before [F8]', async () => {
    const ids = listed('windows').map(({ device_id }) => device_id);
    rule = answerReport(
      ids.flatMap((id) => [reportRow(id, 1, '2024-05-01 08:00:00', 'gone'), reportRow(id, 3, today)]),
    );
    await night(way, folder, first);
    const rows = (await rowsOf('windows')).filter(({ device_id = '' }) => ids.includes(device_id));
    expect(new Set(rows.map(({ status, proven }) => `${status} ${proven}`))).toEqual(new Set(['Not Installed true']));
  });
});

describe('Jamf Pro', () => {
  const expectTruth = async (source = '') => {
    const isMeant = (row: { source?: string }) => source === '' || row.source === source;
    const rows = (await tableRows(folder, first, 'devices')).filter(isMeant);
    expect(rows.map(deviceLine).sort()).toEqual(truthLines(truthAt(way.sandbox, first).filter(isMeant)));
  };
  const isInventory = ({ path, query }: PlatformRequest) =>
    path.endsWith('/computers-inventory') && query.get('page-size') !== '1';

  test('F3: a Mac that a lagging node denies for a minute is there [F3]', async () => {
    await open({ faults: ['jamf/drifting-pages'], jamf: { pageCap: 20 } });
    const parts = await partsOf(way, folder, first);
    const agreedAt = parts.clock.elapsed() + 60_000;
    rule = (request, response) =>
      request.query.has('filter') && parts.clock.elapsed() < agreedAt
        ? changeList(request, response, () => [])
        : response;
    const readRunContext = () => readContext(way.settings, folder);
    expect((await runNight({ slot: first, moment: momentOf(first), readRunContext }, parts)).exit).toBe(0);
    await expectTruth('macs');
  });

  test('F18: of one site, a Mac that leaves while an older one comes costs neither [F18]', async () => {
    await open({ jamf: { site: true, signIn: 'account', pageCap: 20 } });
    const sources = way.settings.sources.map((source) => ({ ...source, site: 'Headquarters' }));
    way = { ...way, settings: { ...way.settings, sources } };
    way.sandbox.setMoment(momentOf(first));
    const all = listed('macs').map(({ device_id }) => device_id);
    way.sandbox.removeShareOfDevices(12, 'macs');
    const stayed = listed('macs').map(({ device_id }) => device_id);
    let isOver = false;
    rule = (request, response) => {
      if (!isOver && isInventory(request)) {
        isOver = true;
        way.sandbox.restoreDevices();
        for (const id of stayed.slice(5, 5 + all.length - stayed.length)) {
          way.sandbox.changeDevice('macs', id, { gone: true });
        }
      }
      return response;
    };
    await night(way, folder, first);
    expect(all.length).toBeGreaterThan(stayed.length);
    await expectTruth('macs');
  });

  test.each(['99', '2026', 'Jan 1'])('F16: a Date header that is none closes no night: %s [F16]', async (date) => {
    await open();
    rule = (_, response) => ({ ...response, headers: { ...response.headers, date } });
    expect((await night(way, folder, first)).exit).toBe(0);
    await expectTruth();
  });

  test('F17: an id with a blank is the id without it [F17]', async () => {
    await open();
    rule = (request, response) =>
      changeList(request, response, (rows) => rows.map((row) => ('udid' in row ? { ...row, id: ` ${row.id}` } : row)));
    expect((await night(way, folder, first)).exit).toBe(0);
    await expectTruth();
  });
});

test('F11: a date in 2099 is not known, and proves nothing [F11]', async () => {
  await open();
  const [mac, pc] = (['macs', 'windows'] as const).map(
    (source) => listed(source).find(({ proven }) => proven)?.device_id,
  );
  const ahead = '2099-01-01T00:00:00Z';
  rule = (request, response) =>
    changeList(request, response, (rows) =>
      rows.map((row) => {
        if (row.id === pc) {
          return { ...row, lastSyncDateTime: ahead };
        }
        const general = row.general as Item | undefined;
        return row.id === mac && general
          ? { ...row, general: { ...general, reportDate: ahead, lastContactTime: ahead, lastContact: ahead } }
          : row;
      }),
    );
  expect((await night(way, folder, first)).exit).toBe(0);
  const rows = (await tableRows(folder, first, 'devices')).filter(
    ({ device_id }) => device_id === mac || device_id === pc,
  );
  expect(rows.map(({ last_seen_at, proven, stale }) => [last_seen_at, proven, stale])).toEqual([
    ['', 'false', 'true'],
    ['', 'false', 'true'],
  ]);
});
