import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Simulator } from '../../simulator/simulator.ts';
import {
  appId,
  applicationFilter,
  createStarter,
  downloadExport,
  type Get,
  type Json,
  pollExport,
  readJson,
  readPath,
  retrieveReport,
  signInToGraph,
  startExport,
  tenantId,
  toList,
  waitForExport,
  windowsDevicesPath,
} from './client.ts';

const start = createStarter({ devices: 200 });

/** All pages of a list, by its links. */
async function readPages(simulator: Simulator, get: Get, path: string): Promise<Json[]> {
  const pages: Json[] = [];
  for (let next: unknown = path; typeof next === 'string'; next = pages.at(-1)?.['@odata.nextLink']) {
    pages.push(await readJson(await get(next.replace(simulator.urls.graph, ''))));
  }
  return pages;
}

describe('managedDevices', () => {
  test('odd bodies: no name, no serial number, no date, no user', async () => {
    const get = await signInToGraph(await start({ devices: 600 }));
    const devices = toList((await readJson(await get(windowsDevicesPath))).value);
    const odd = {
      deviceName: null,
      serialNumber: null,
      lastSyncDateTime: '0001-01-01T00:00:00Z',
      userPrincipalName: '',
    };
    for (const [property, value] of Object.entries(odd)) {
      expect(devices.map((device) => device[property])).toContain(value);
    }
  });

  test('are paged by key, with the link of recorded answers and the count of the page', async () => {
    const simulator = await start({ graph: { pageSize: 30 } });
    const get = await signInToGraph(simulator);
    const pages = await readPages(simulator, get, `${windowsDevicesPath}&$select=id,deviceName`);
    const ids = pages.flatMap(({ value }) => toList(value).map((row) => row.id));
    expect(pages.map((page) => page['@odata.count'])).toEqual([30, 30, 30, ids.length - 90]);
    const { deviceName, id } = toList(pages[0]?.value).at(-1) ?? {};
    const link = String(pages[0]?.['@odata.nextLink']);
    expect(link).toContain(
      `$skiptoken=LastDeviceName%3d%27${encodeURIComponent(String(deviceName))}%27%2cLastDeviceId%3d%27${id}%27`,
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('a device that goes moves no other row, unless the list is paged by position', async () => {
    const listed = async (...faults: string[]) => {
      const simulator = await start({ graph: { pageSize: 30 }, faults: ['drifting-pages', ...faults] });
      const pages = await readPages(simulator, await signInToGraph(simulator), windowsDevicesPath);
      const ids = new Set(pages.flatMap(({ value }) => toList(value).map((row) => row.id)));
      return simulator.listRecords().filter((row) => row.source === 'windows' && !ids.has(row.id)).length;
    };
    // The device that comes has a name that the reading has passed, or its place on the last page.
    expect(await listed()).toBeLessThanOrEqual(1);
    expect(await listed('paged-by-position')).toBe(1);
  });

  test('ranges of the enrolment date hold each Windows device that has a date, once', async () => {
    const get = await signInToGraph(await start({ faults: ['dates-null'] }));
    const filter = (range: string) => `${windowsDevicesPath}${encodeURIComponent(` and enrolledDateTime ${range}`)}`;
    const read = async (path: string) => toList((await readJson(await get(path))).value);
    const all = await read(windowsDevicesPath);
    const dates = all.flatMap((row) => (row.enrolledDateTime === null ? [] : String(row.enrolledDateTime))).sort();
    const bound = String(dates[50]).replace('Z', '.4999999Z');
    const [before, after] = [await read(filter(`lt ${bound}`)), await read(filter(`gt ${bound}`))];
    expect(before).toHaveLength(dates.filter((date) => date <= String(dates[50])).length);
    expect(before.length + after.length).toBe(dates.length);
    expect(all.length - dates.length).toBeGreaterThan(5);
    expect([...before, ...after].filter((row) => row.operatingSystem !== 'Windows')).toEqual([]);
  });
});

describe('sign-in and permissions', () => {
  test('Entra refuses an unknown client with its own error code', async () => {
    const simulator = await start();
    const response = await fetch(`${simulator.urls.login}/${tenantId}/oauth2/v2.0/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'client_credentials', client_id: 'nobody' }),
    });
    expect(response.status).toBe(400);
    expect((await readJson(response)).error_description).toMatch(/^AADSTS700016: /);
  });

  test('a missing permission is refused with JSON inside the message', async () => {
    const simulator = await start({ graph: { withoutPermissions: ['DeviceManagementApps.Read.All'] } });
    const get = await signInToGraph(simulator);
    const refused = await get(`/v1.0/deviceAppManagement/mobileApps/${appId}`);
    expect(refused.status).toBe(403);
    const message = JSON.parse(String(readPath(await refused.json(), 'error', 'message'))) as { Message: string };
    expect(message.Message).toContain('DeviceManagementApps.Read.All');
    expect((await get(windowsDevicesPath)).status).toBe(200);
  });
});

describe('export jobs', () => {
  test('are not started, in progress, completed without url, and completed', async () => {
    const get = await signInToGraph(await start());
    const job = await startExport(get);
    const states = [job];
    for (let count = 0; count < 3; count += 1) {
      states.push(await pollExport(get, job));
    }
    expect(states.map((state) => [state.status, state.url === null])).toEqual([
      ['notStarted', true],
      ['inProgress', true],
      ['completed', true],
      ['completed', false],
    ]);
  });

  test('give a zip with one CSV: BOM, CRLF, only the requested columns, in another order', async () => {
    const simulator = await start({ graph: { exportPolls: 0 } });
    const get = await signInToGraph(simulator);
    const select = ['DeviceId', 'InstallState', 'LastModifiedDateTime'];
    const job = await waitForExport(get, await startExport(get, { select }));
    const file = await downloadExport(job.url);
    expect(file.name).toBe(`${String(job.id)}.csv`);
    expect(file.content.startsWith('\ufeffLastModifiedDateTime,InstallState,DeviceId\r\n')).toBe(true);
    expect(crc32(file.content)).toBe(file.crc);
    expect(Buffer.byteLength(file.content)).toBe(file.size);
    expect(file.content).toMatch(/"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{7}","1","/);
    const known = new Set(simulator.listRecords().map(({ id }) => id));
    const ids = file.content
      .trim()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',')[2]?.replaceAll('"', '') ?? '');
    expect(ids.some((id) => !known.has(id))).toBe(true);
    expect(new Set(ids).size).toBeLessThan(ids.length);
  });

  test('localized columns are added, and cannot be requested', async () => {
    const get = await signInToGraph(await start({ graph: { exportPolls: 0 } }));
    const job = await waitForExport(get, await startExport(get, { select: ['DeviceId', 'AppInstallState'] }));
    expect((await downloadExport(job.url)).content).toMatch(/^\ufeffAppInstallState,AppInstallState_loc,DeviceId\r\n/);
    expect(readPath(await startExport(get, { select: ['AppInstallState_loc'] }), 'error', 'code')).toBe('BadRequest');
    expect(readPath(await startExport(get, { filter: '' }), 'error', 'code')).toBe('BadRequest');
  });

  test('the download refuses an Authorization header and a wrong signature', async () => {
    const get = await signInToGraph(await start({ graph: { exportPolls: 0 } }));
    const { url } = await waitForExport(get, await startExport(get));
    expect((await fetch(String(url), { headers: { authorization: 'Bearer x' } })).status).toBe(400);
    expect((await fetch(String(url).replace(/sig=[^&]+/, 'sig=wrong'))).status).toBe(403);
    expect((await fetch(String(url))).status).toBe(200);
  });
});

describe('the synchronous report', () => {
  const ask = async (simulator: Simulator, body: Json) => {
    const response = await retrieveReport(await signInToGraph(simulator), body);
    return { type: response.headers.get('content-type'), status: response.status, body: await readJson(response) };
  };

  test('50 rows unless more are requested, as an octet stream with the total', async () => {
    const simulator = await start();
    const first = await ask(simulator, { filter: applicationFilter, select: ['DeviceId', 'InstallState'] });
    expect(first.type).toBe('application/octet-stream');
    expect(toList(first.body.Values)).toHaveLength(50);
    expect(readPath(first.body, 'Schema', 0)).toEqual({ Column: 'DeviceId', PropertyType: 'String' });
    const all = await ask(simulator, { filter: applicationFilter, select: ['DeviceId'], top: 500 });
    expect(toList(all.body.Values)).toHaveLength(Number(first.body.TotalRowCount));
    expect((await ask(simulator, { select: ['DeviceId'] })).status).toBe(400);
  });
});
