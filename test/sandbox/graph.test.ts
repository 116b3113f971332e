import { crc32 } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/sandbox.ts';
import {
  appId,
  applicationFilter,
  downloadExport,
  pollExport,
  readJson,
  readPath,
  signInToGraph,
  startExport,
  tenantId,
  toList,
  waitForExport,
  windowsDevicesPath,
} from './client.ts';

const moment = new Date('2026-03-01T05:15:00Z');
const open: Sandbox[] = [];
const report = '/v1.0/deviceManagement/reports/retrieveDeviceAppInstallationStatusReport';

async function start(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await startSandbox({ moment, devices: 200, ...options });
  open.push(sandbox);
  return sandbox;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((sandbox) => sandbox.close()));
});

describe('managedDevices', () => {
  test('every Windows device, page by page, with the requested properties', async () => {
    const sandbox = await start({ graph: { pageSize: 30 } });
    const get = await signInToGraph(sandbox);
    const ids: unknown[] = [];
    let path: string | undefined = `${windowsDevicesPath}&$select=id,deviceName&$top=1000`;
    while (path !== undefined) {
      const body = await readJson(await get(path));
      expect(Object.keys(readPath(body, 'value', 0) as object)).toEqual(['id', 'deviceName']);
      ids.push(...toList(body.value).map((device) => device.id));
      const next: unknown = body['@odata.nextLink'];
      path = typeof next === 'string' ? next.slice(sandbox.urls.graph.length) : undefined;
    }
    expect(ids).toEqual(
      sandbox
        .truth()
        .filter((row) => row.source === 'windows')
        .map((row) => row.device_id),
    );
  });

  test('devices of other systems are there without a filter, or where the server ignores it', async () => {
    const systems = async (sandbox: Sandbox, path: string) =>
      new Set(
        toList((await readJson(await (await signInToGraph(sandbox))(path))).value).map(
          (device) => device.operatingSystem,
        ),
      );
    expect((await systems(await start(), '/v1.0/deviceManagement/managedDevices')).has('iOS')).toBe(true);
    expect([...(await systems(await start(), windowsDevicesPath))]).toEqual(['Windows']);
    expect((await systems(await start({ graph: { ignoresFilter: true } }), windowsDevicesPath)).has('iOS')).toBe(true);
  });

  test('odd bodies: no name, no serial number, no date, no user', async () => {
    const devices = toList(
      (await readJson(await (await signInToGraph(await start({ devices: 600 })))(windowsDevicesPath))).value,
    );
    expect(devices.some((device) => device.deviceName === null)).toBe(true);
    expect(devices.some((device) => device.serialNumber === null)).toBe(true);
    expect(devices.some((device) => device.lastSyncDateTime === '0001-01-01T00:00:00Z')).toBe(true);
    expect(devices.some((device) => device.userPrincipalName === '')).toBe(true);
  });
});

describe('sign-in and permissions', () => {
  test('Entra refuses an unknown client with its own error code', async () => {
    const sandbox = await start();
    const response = await fetch(`${sandbox.urls.login}/${tenantId}/oauth2/v2.0/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'client_credentials', client_id: 'nobody' }),
    });
    expect(response.status).toBe(400);
    expect((await readJson(response)).error_description).toMatch(/^AADSTS700016: /);
  });

  test('a missing permission is refused with JSON inside the message', async () => {
    const sandbox = await start({ graph: { withoutPermissions: ['DeviceManagementApps.Read.All'] } });
    const get = await signInToGraph(sandbox);
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
    const sandbox = await start({ graph: { exportPolls: 0 } });
    const get = await signInToGraph(sandbox);
    const select = ['DeviceId', 'InstallState', 'LastModifiedDateTime'];
    const job = await waitForExport(get, await startExport(get, { select }));
    const file = await downloadExport(job.url);
    expect(file.name).toBe(`${String(job.id)}.csv`);
    expect(file.content.startsWith('\ufeffLastModifiedDateTime,InstallState,DeviceId\r\n')).toBe(true);
    expect(crc32(file.content)).toBe(file.crc);
    expect(Buffer.byteLength(file.content)).toBe(file.size);
    expect(file.content).toMatch(/"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{7}","1","/);
    const known = new Set(sandbox.truth().map((row) => row.device_id));
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
  const ask = async (sandbox: Sandbox, body: object) => {
    const response = await (await signInToGraph(sandbox))(report, { method: 'POST', body: JSON.stringify(body) });
    return { type: response.headers.get('content-type'), status: response.status, body: await readJson(response) };
  };

  test('50 rows unless more are requested, as an octet stream with the total', async () => {
    const sandbox = await start();
    const first = await ask(sandbox, { filter: applicationFilter, select: ['DeviceId', 'InstallState'] });
    expect(first.type).toBe('application/octet-stream');
    expect(toList(first.body.Values)).toHaveLength(50);
    expect(readPath(first.body, 'Schema', 0)).toEqual({ Column: 'DeviceId', PropertyType: 'String' });
    const all = await ask(sandbox, { filter: applicationFilter, select: ['DeviceId'], top: 500 });
    expect(toList(all.body.Values)).toHaveLength(Number(first.body.TotalRowCount));
    expect((await ask(sandbox, { select: ['DeviceId'] })).status).toBe(400);
  });

  test('it spells some ids in upper case or braces, and names a few devices that are not listed', async () => {
    const sandbox = await start({ devices: 400 });
    const { body } = await ask(sandbox, { filter: applicationFilter, select: ['DeviceId'], top: 500 });
    const ids = [...new Set(toList(body.Values).map((row) => String(readPath(row, 0))))];
    const listed = sandbox.truth().map(({ device_id }) => device_id);
    const spelled = (id: string) =>
      [`{${id.toUpperCase()}}`, id.toUpperCase(), id].findIndex((text) => ids.includes(text));
    const spellings = listed.map(spelled);
    for (const spelling of [0, 1, 2]) {
      expect(spellings.filter((found) => found === spelling).length).toBeGreaterThan(10);
    }
    const orphans = ids.filter((id) => !listed.includes(id.replace(/[{}]/g, '').toLowerCase()));
    expect(orphans.length).toBeGreaterThanOrEqual(2);
    expect(orphans.length).toBeLessThan(10);
  });

  test('a tenant with frozen states never changes a date', async () => {
    const dates = async (day: string) => {
      const sandbox = await start({
        moment: new Date(`${day}T05:15:00Z`),
        firstNight: '2026-02-01',
        graph: { frozenStates: true },
      });
      const { body } = await ask(sandbox, {
        filter: applicationFilter,
        select: ['DeviceId', 'LastModifiedDateTime'],
        top: 500,
      });
      return new Map(toList(body.Values).map((row) => [readPath(row, 0), readPath(row, 1)]));
    };
    const early = await dates('2026-02-02');
    const late = await dates('2026-02-20');
    const both = [...early.keys()].filter((id) => late.has(id));
    expect(both.length).toBeGreaterThan(30);
    expect(both.filter((id) => early.get(id) !== late.get(id))).toEqual([]);
  });
});

test('an app that was replaced shares the rows with the app that replaced it', async () => {
  const sandbox = await start({ graph: { upgradedApp: true } });
  const get = await signInToGraph(sandbox);
  const ids = async (application: string) => {
    const body = JSON.stringify({ filter: `(ApplicationId eq '${application}')`, select: ['DeviceId'], top: 500 });
    return toList((await readJson(await get(report, { method: 'POST', body }))).Values).map((row) => readPath(row, 0));
  };
  const [first, second] = [await ids(appId), await ids('99999999-8888-7777-6666-000000000002')];
  expect(first.length).toBeGreaterThan(second.length);
  expect(second.length).toBeGreaterThan(20);
  expect(second.filter((id) => first.includes(id))).toEqual([]);
  expect(sandbox.settings()).toMatch(/app: \[.*0002\]/);
});

test('apps are found by name, with rules and assignments', async () => {
  const get = await signInToGraph(await start());
  const found = toList(
    (await readJson(await get("/v1.0/deviceAppManagement/mobileApps?$filter=displayName eq 'People''s browser'")))
      .value,
  );
  expect(found).toHaveLength(1);
  const agent = await readJson(await get(`/v1.0/deviceAppManagement/mobileApps/${appId}?$expand=assignments`));
  expect(readPath(agent, 'rules', 0, 'fileOrFolderName')).toBe('fhfs.sys');
  expect(readPath(agent, 'assignments', 0, 'intent')).toBe('available');
  expect(
    toList((await readJson(await get(`/v1.0/deviceAppManagement/mobileApps/${appId}/assignments`))).value),
  ).toHaveLength(1);
  expect((await get('/v1.0/deviceAppManagement/mobileApps?$top=999')).status).toBe(500);
});
