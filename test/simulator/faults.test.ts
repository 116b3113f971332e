import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { faultNames, type Simulator, type SimulatorOptions, startSimulator } from '../../simulator/simulator.ts';
import {
  appId,
  applicationFilter,
  createStarter,
  downloadExport,
  type Get,
  inventoryPath,
  pollExport,
  readJson,
  readPath,
  requestGraphToken,
  requestJamfToken,
  retrieveReport,
  signInToGraph,
  signInToJamf,
  startExport,
  toList,
  waitForExport,
  windowsDevicesPath,
} from './client.ts';

const start = createStarter({ devices: 100, slowMilliseconds: 1 });

/** Signs in before the fault is set, so that it is injected into data first. */
async function startJamfWith(...faults: string[]): Promise<{ simulator: Simulator; get: Get }> {
  const simulator = await start();
  const get = await signInToJamf(simulator);
  simulator.setFaults(faults);
  return { simulator, get };
}

async function startGraphWith(
  options: SimulatorOptions,
  ...faults: string[]
): Promise<{ simulator: Simulator; get: Get }> {
  const simulator = await start({ ...options, graph: { exportPolls: 0, ...options.graph } });
  const get = await signInToGraph(simulator);
  simulator.setFaults(faults);
  return { simulator, get };
}

const wholeReport = { filter: applicationFilter, select: ['DeviceId'], top: 1000 };

const countCsvRows = (content: string): number => content.trim().split('\r\n').length - 1;

describe('setting faults', () => {
  test('an unknown name is refused with the closest ones', async () => {
    const simulator = await start();
    expect(() => simulator.setFaults(['throtled-seconds'])).toThrow(/the names are throttled-seconds, /);
    expect(() => simulator.setFaults(['azure/hang'])).toThrow();
    expect(() => simulator.setFaults(['jamf/slow-pages=50:lasting', 'graph/hang'])).not.toThrow();
    expect(() => simulator.setFaults(['jamf/hang@devices=0', 'graph/down@download:lasting'])).not.toThrow();
    expect(() => simulator.setFaults(['hang@lunch'])).toThrow(/the requests are sign-in, devices, report, download/);
    await expect(startSimulator({ faults: ['nothing'] })).rejects.toThrow(/There is no fault/);
    expect(faultNames).toHaveLength(51);
  });

  test('a fault of one kind of request leaves the others alone', async () => {
    const { simulator, get } = await startJamfWith('jamf/throttled-bare@devices:lasting');
    expect((await get(inventoryPath)).status).toBe(429);
    expect((await (await signInToJamf(simulator))(inventoryPath)).status).toBe(429);
    simulator.setFaults(['jamf/throttled-bare@sign-in:lasting']);
    expect((await get(inventoryPath)).status).toBe(200);
    expect((await requestJamfToken(simulator)).status).toBe(429);
  });

  test('a fault of one platform does not affect the other, and setting faults again heals the earlier ones', async () => {
    const { simulator, get } = await startJamfWith('graph/throttled-bare:lasting');
    expect((await get(inventoryPath)).status).toBe(200);
    expect((await (await signInToGraph(await start()))(windowsDevicesPath)).status).toBe(200);
    simulator.setFaults(['jamf/server-errors:lasting']);
    expect((await get(inventoryPath)).status).toBe(503);
    expect((await requestJamfToken(simulator)).status).toBe(503);
    simulator.setFaults([]);
    expect((await get(inventoryPath)).status).toBe(200);
  });
});

describe('transport', () => {
  test.each([
    ['throttled-seconds', [429, 429, 200]],
    ['throttled-date', [429, 429, 200]],
    ['throttled-bare', [429, 429, 200]],
    ['server-errors', [503, 502, 200]],
  ])('%s affects data and sign-in, then heals', async (fault, wanted) => {
    const { simulator, get } = await startJamfWith(fault);
    const statuses = [];
    for (let count = 0; count < 3; count += 1) {
      statuses.push((await get(inventoryPath)).status);
    }
    expect(statuses).toEqual(wanted);
    expect((await requestJamfToken(simulator)).status).not.toBe(200);
  });

  test('Retry-After in seconds, as a date, or not at all; a request that comes too early is recorded', async () => {
    const waits = [];
    for (const fault of [
      'throttled-seconds',
      'throttled-date',
      'throttled-bare',
      'throttled-seconds:lasting',
      'throttled-seconds=9',
    ]) {
      const { get } = await startJamfWith(fault);
      waits.push((await get(inventoryPath)).headers.get('retry-after'));
    }
    expect(waits).toEqual(['1', expect.stringMatching(/ GMT$/), null, '3600', '9']);
    const { simulator, get } = await startJamfWith('throttled-seconds');
    await get(inventoryPath);
    await get(inventoryPath);
    expect(simulator.violations).toEqual([expect.stringMatching(/before its Retry-After was over/)]);
  });
});

describe('walks', () => {
  test('token-expired revokes the token between pages; lasting, every token', async () => {
    const { simulator, get } = await startJamfWith('token-expired');
    expect((await get(`${inventoryPath}&page-size=20`)).status).toBe(200);
    expect((await get(`${inventoryPath}&page-size=20&page=1`)).status).toBe(401);
    expect((await get(`${inventoryPath}&page-size=20`)).status).toBe(401);
    expect((await (await signInToJamf(simulator))(`${inventoryPath}&page-size=20&page=1`)).status).toBe(200);
    const tenant = await startGraphWith({}, 'token-expired:lasting');
    expect((await tenant.get(windowsDevicesPath)).status).toBe(401);
    expect((await (await signInToGraph(tenant.simulator))(windowsDevicesPath)).status).toBe(401);
  });

  test('rows-hidden: the total counts rows that the pages do not show, until the walk is over', async () => {
    const { get } = await startJamfWith('rows-hidden');
    const first = await readJson(await get(`${inventoryPath}&page-size=2000`));
    expect(toList(first.results).length).toBeLessThan(Number(first.totalCount));
    const second = await readJson(await get(`${inventoryPath}&page-size=2000`));
    expect(toList(second.results).length).toBe(second.totalCount);
  });
});

describe('records that cannot be rendered', () => {
  test.each([
    ['record-500', 500],
    ['record-502', 502],
    ['record-html', 200],
    ['record-cut', 200],
  ])('%s: pages that have one of them fail, and ids still come', async (fault, status) => {
    const { get } = await startJamfWith(`${fault}=2:lasting`);
    const read = async (path: string) => {
      const text = await (await get(path)).text();
      return text.startsWith('{"totalCount":') && text.endsWith(']}');
    };
    const pages = Array.from({ length: 50 }, (_, page) => `${inventoryPath}&page-size=1&page=${page}`);
    const isRead = await Promise.all(pages.map(read));
    expect(isRead.filter((isWhole) => !isWhole)).toHaveLength(2);
    expect(await read(`${inventoryPath}&page-size=2000`)).toBe(false);
    expect((await get(`${inventoryPath}&page-size=2000`)).status).toBe(status);
    expect(await read(inventoryPath.replace(/section=.*&/, 'section=IBEACONS&page-size=2000&'))).toBe(true);
  });

  test('record-endless: the page goes on and on', async () => {
    const { get } = await startJamfWith('record-endless');
    let bytes = 0;
    for await (const piece of (await get(`${inventoryPath}&page-size=2000`)).body ?? []) {
      bytes += piece.length;
      if (bytes > 3_000_000) {
        break;
      }
    }
    expect(bytes).toBeGreaterThan(3_000_000);
    expect((await readJson(await get(`${inventoryPath}&page-size=2000`))).totalCount).toBe(47);
  });
});

describe('exports', () => {
  test('export-stuck never completes the first job; the next one completes', async () => {
    const { get } = await startGraphWith({}, 'export-stuck');
    const stuck = await waitForExport(get, await startExport(get));
    expect([stuck.status, stuck.url]).toEqual(['inProgress', null]);
    expect((await waitForExport(get, await startExport(get))).url).not.toBeNull();
  });

  test('export-failed: the job fails', async () => {
    const { get } = await startGraphWith({}, 'export-failed');
    expect((await pollExport(get, await startExport(get))).status).toBe('failed');
  });

  test('export-empty and rows-hidden give fewer rows than the synchronous total', async () => {
    for (const [fault, rest] of [
      ['export-empty', 0],
      ['rows-hidden', 1],
    ] as const) {
      const { get } = await startGraphWith({}, fault);
      const { content } = await downloadExport((await waitForExport(get, await startExport(get))).url);
      const total = Number((await readJson(await retrieveReport(get, wholeReport))).TotalRowCount);
      expect(countCsvRows(content)).toBeLessThan(total - 5);
      expect(countCsvRows(content) > 0).toBe(rest === 1);
      const fresh = await downloadExport((await waitForExport(get, await startExport(get))).url);
      expect(countCsvRows(fresh.content)).toBe(total);
    }
  });

  test('zip-broken: the content is not what the checksum says, or the archive is cut, or is none', async () => {
    const { get } = await startGraphWith({}, 'zip-broken');
    const job = await waitForExport(get, await startExport(get));
    const broken = await downloadExport(job.url);
    expect(Buffer.byteLength(broken.content)).toBe(broken.size);
    expect(crc32(broken.content)).not.toBe(broken.crc);
    const whole = Buffer.from(await (await fetch(String(job.url))).arrayBuffer());
    expect(whole.includes(Buffer.from('PK\x05\x06', 'latin1'))).toBe(true);
    const cut = await startGraphWith({}, 'zip-broken=2');
    const part = Buffer.from(
      await (await fetch(String((await waitForExport(cut.get, await startExport(cut.get))).url))).arrayBuffer(),
    );
    expect(part.includes(Buffer.from('PK\x05\x06', 'latin1'))).toBe(false);
  });
});

describe('a tenant that refuses', () => {
  const report = '/v1.0/deviceManagement/reports/retrieveDeviceAppInstallationStatusReport';
  const body = JSON.stringify(wholeReport);
  const app = `/v1.0/deviceAppManagement/mobileApps/${appId}`;
  const jobs = '/v1.0/deviceManagement/reports/exportJobs';
  const range = `${windowsDevicesPath}${encodeURIComponent(' and enrolledDateTime lt 2020-01-01T00:00:00Z')}`;

  test.each<[string, string, RequestInit, number[]]>([
    ['export-refused', jobs, { method: 'POST', body: JSON.stringify({}) }, [403, 400]],
    ['action-gone', report, { method: 'POST', body }, [400, 200]],
    ['action-refused', report, { method: 'POST', body }, [403, 200]],
    ['action-throttled', report, { method: 'POST', body }, [500, 500, 200]],
    ['filter-refused', windowsDevicesPath, {}, [400, 200]],
    ['ranges-refused', range, {}, [400, 200]],
    ['expand-refused', `${app}?$expand=assignments`, {}, [400, 200]],
    ['assignments-refused', `${app}/assignments`, {}, [403, 200]],
    ['licence-missing', windowsDevicesPath, {}, [400, 200]],
  ])('%s, then heals', async (fault, path, init, statuses) => {
    const { get } = await startGraphWith({}, fault);
    for (const status of statuses) {
      expect((await get(path, init)).status).toBe(status);
    }
  });

  test('sign-in-unsteady is a refusal by its status, and transient by its code', async () => {
    const simulator = await start({ faults: ['sign-in-unsteady'] });
    const refused = await requestGraphToken(simulator);
    expect([refused.status, readPath(await readJson(refused), 'error_codes', 0)]).toEqual([400, 90033]);
    expect((await requestGraphToken(simulator)).status).toBe(200);
  });
});

test('devices-hidden: the list lacks a share of the devices, which overview and report know', async () => {
  const { get } = await startGraphWith({}, 'devices-hidden=40');
  const listed = toList((await readJson(await get(windowsDevicesPath))).value).length;
  const overview = await readJson(await get('/v1.0/deviceManagement/managedDeviceOverview'));
  const counted = Number(readPath(overview, 'deviceOperatingSystemSummary', 'windowsCount'));
  expect(listed).toBeLessThan(counted * 0.7);
  expect(listed).toBeGreaterThan(counted * 0.5);
});

test('filter-ignored, combination-ignored: rows that nobody asked for', async () => {
  const count = async (clause: string, ...faults: string[]) => {
    const { get } = await startGraphWith({}, ...faults);
    return toList((await readJson(await get(`${windowsDevicesPath}${encodeURIComponent(clause)}`))).value).length;
  };
  const none = ' and enrolledDateTime lt 0001-01-01T00:00:00Z';
  expect(await count(none)).toBe(0);
  expect(await count(none, 'combination-ignored')).toBe(await count(''));
  expect(await count('', 'filter-ignored')).toBeGreaterThan(await count(''));
});

test('renamed-devices, dates-first-year: the name moves before the page, the date is none', async () => {
  const { simulator, get } = await startGraphWith({ graph: { pageSize: 30 } }, 'renamed-devices', 'dates-first-year');
  const first = await readJson(await get(windowsDevicesPath));
  const second = await readJson(await get(String(first['@odata.nextLink']).replace(simulator.urls.graph, '')));
  const dates = [...toList(first.value), ...toList(second.value)].map((row) => row.enrolledDateTime);
  expect(dates.filter((date) => date === '0001-01-01T00:00:00Z').length).toBeGreaterThan(3);
  const again = toList((await readJson(await get(windowsDevicesPath))).value);
  const renamed = again.filter((row) => String(row.deviceName).startsWith('!')).map((row) => row.id);
  expect(renamed).toHaveLength(1);
  expect([...toList(first.value), ...toList(second.value)].map((row) => row.id)).not.toContain(renamed[0]);
});

test('ids-respelled: the report writes device ids otherwise than the list', async () => {
  const { get } = await startGraphWith({}, 'ids-respelled');
  const ids = toList((await readJson(await retrieveReport(get, wholeReport))).Values).map((row) =>
    String(readPath(row, 0)),
  );
  expect(ids.every((id) => /^\{[0-9A-F-]{36}\}$/.test(id))).toBe(true);
});
