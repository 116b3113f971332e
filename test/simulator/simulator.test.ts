import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Simulator } from '../../simulator/simulator.ts';
import { isProven } from '../model/proof.ts';
import { judgeDevices } from '../whole-runs/expected-runs.ts';
import { createStarter, inventoryPath, moment, readJson, readPath, signInToJamf, toList } from './client.ts';

const start = createStarter({ devices: 60 });
const day = moment.toISOString().slice(0, 10);

describe('credentials across origins', () => {
  test('a token, a secret or a password at another origin is recorded', async () => {
    const simulator = await start();
    const header = (origin: 'jamf' | 'graph' | 'downloads' | 'service', value: string) =>
      fetch(`${simulator.urls[origin]}/anything`, { headers: { authorization: value } });
    await header('graph', 'Bearer canary-jamf-token.1');
    await header('jamf', 'Bearer canary-graph-token.1');
    await header('downloads', 'Bearer canary-graph-token.1');
    await header('service', 'Bearer something');
    await fetch(`${simulator.urls.login}/x`, {
      method: 'POST',
      body: `secret=${simulator.environment.JAMF_CLIENT_SECRET}`,
    });
    await fetch(`${simulator.url}/api/v1/auth?token=${simulator.environment.JAMF_PASSWORD}`);
    await fetch(`${simulator.url}/JSSResource/policies`, { headers: { authorization: `Basic ${btoa('a:b')}` } });
    expect(simulator.leaks).toEqual([
      'a Jamf token was sent to GET /anything at graph',
      'a Graph token was sent to GET /anything at jamf',
      'a Graph token was sent to GET /anything at downloads',
      'an Authorization header was sent to GET /anything at downloads',
      'an Authorization header was sent to GET /anything at service',
      'the Jamf client secret was sent to POST /x at login',
      'the Jamf password was in the URL of GET /api/v1/auth at jamf',
      'a password was sent to GET /JSSResource/policies at jamf',
    ]);
  });

  test('more than five requests at once to the Jamf server are recorded', async () => {
    const simulator = await start({ jamf: { latencyMilliseconds: 400 } });
    const get = await signInToJamf(simulator);
    await Promise.all(Array.from({ length: 5 }, () => get(inventoryPath)));
    expect(simulator.violations).toEqual([]);
    await Promise.all(Array.from({ length: 6 }, () => get(inventoryPath)));
    expect(simulator.violations).toEqual([expect.stringMatching(/^6 requests at once/)]);
  });
});

describe('control', () => {
  const post = (simulator: Simulator, path: string, body: object) =>
    fetch(simulator.url + path, { method: 'POST', body: JSON.stringify(body) });

  test('records and leaks over HTTP, and what was requested', async () => {
    const simulator = await start();
    await (await signInToJamf(simulator))(inventoryPath);
    const get = async (path: string): Promise<unknown> => (await fetch(simulator.url + path)).json();
    expect(await get('/sandbox/records')).toEqual(simulator.listRecords());
    expect(await get('/sandbox/leaks')).toEqual([]);
    expect(simulator.requests.map(({ path }) => path)).toEqual(['/api/oauth/token', '/api/v4/computers-inventory']);
  });

  test('the moment moves the devices on, and back', async () => {
    const simulator = await start();
    const before = simulator.listRecords();
    await post(simulator, '/sandbox/moment', { moment: '2026-03-20T05:15:00Z' });
    expect(simulator.listRecords()).not.toEqual(before);
    await post(simulator, '/sandbox/moment', { moment: moment.toISOString() });
    expect(simulator.listRecords()).toEqual(before);
    expect((await post(simulator, '/sandbox/moment', { moment: 'soon' })).status).toBe(400);
  });

  test('faults are set, and unknown ones are refused', async () => {
    const simulator = await start();
    const get = await signInToJamf(simulator);
    expect((await post(simulator, '/sandbox/faults', { faults: ['throttled-bare'] })).status).toBe(200);
    expect((await get(inventoryPath)).status).toBe(429);
    const refused = await post(simulator, '/sandbox/faults', { faults: ['trottled'] });
    expect(refused.status).toBe(400);
    expect((await readJson(refused)).error).toMatch(/throttled-bare/);
  });
});

describe('changes to the devices', () => {
  test('the agent of a share of them can be flipped', async () => {
    const simulator = await start({ devices: 400 });
    const before = new Map(simulator.listRecords().map(({ id, hasAgent }) => [id, hasAgent]));
    simulator.flipShareOfDevices(50, 'macs');
    const flipped = simulator.listRecords().filter(({ id, hasAgent }) => before.get(id) !== hasAgent);
    expect(flipped.length).toBeGreaterThan(60);
    expect(flipped.every((row) => row.source === 'macs')).toBe(true);
  });

  test('one device can change, in its record and in what the platform reports', async () => {
    const simulator = await start();
    const find = (id: string) => simulator.listRecords().find((record) => record.id === id);
    const findProven = (source: string) =>
      judgeDevices(simulator, day).find((row) => row.source === source && isProven(row))?.facts.id ?? '';
    const mac = findProven('macs');
    simulator.changeDevice('macs', mac, { agent: 'nothing', name: null, managed: false });
    expect(find(mac)).toMatchObject({ answers: [], hasAgent: false, managementState: 'unmanaged' });
    const get = await signInToJamf(simulator);
    const body = await readJson(
      await get(`/api/v4/computers-inventory?section=GENERAL&section=EXTENSION_ATTRIBUTES&filter=id=="${mac}"`),
    );
    const [computer = {}] = toList(body.results);
    expect(readPath(computer, 'general', 'name')).toBeNull();
    expect(toList(computer.extensionAttributes).find((entry) => entry.name === 'Agent Status')?.values).toEqual([]);
    const device = findProven('windows');
    simulator.changeDevice('windows', device, { agent: 'missing' });
    expect(find(device)).toMatchObject({ answers: [{ value: '3' }], hasAgent: false });
    simulator.changeDevice('windows', device, { gone: true });
    expect(find(device)).toBeUndefined();
    expect(() => simulator.changeDevice('macs', 'nobody', {})).toThrow(/no device nobody/);
  });
});

describe('canaries', () => {
  const listCanaries = (simulator: Simulator) =>
    [...simulator.settings().matchAll(/- \{ source: macs, serial: (\S+), expect: (Installed|Not Installed) \}/g)].map(
      ([, serial, status]) => ({ source: 'macs', serial_number: serial, status }),
    );

  test('two Macs that the settings name are kept with and without the agent, night for night', async () => {
    const simulator = await start({ devices: 400 });
    const canaries = listCanaries(simulator);
    expect(canaries.map(({ status }) => status)).toEqual(['Installed', 'Not Installed']);
    for (const day of ['2026-03-01', '2026-03-20', '2026-05-01']) {
      simulator.setMoment(new Date(`${day}T05:15:00Z`));
      simulator.flipShareOfDevices(100);
      for (const { source, serial_number, status } of canaries) {
        const row = judgeDevices(simulator, day).find(
          (one) => one.source === source && one.facts.serialNumber === serial_number,
        );
        expect(row).toMatchObject({ status, against: [], excludedBecause: undefined });
      }
    }
  });

  test('an account that is limited to a site sees them, and the smallest simulator has none', async () => {
    const limited = await start({ jamf: { site: true } });
    const seen = limited.listRecords().map(({ serialNumber }) => serialNumber);
    expect(seen).toEqual(expect.arrayContaining(listCanaries(limited).map(({ serial_number }) => serial_number)));
    expect((await start({ devices: 2 })).settings()).not.toContain('canaries');
  });
});

test('the service has its two downloads', async () => {
  const simulator = await start();
  const bundle = await fetch(`${simulator.urls.service}/download/mac/resources/bundle.dat`);
  const tar = gunzipSync(Buffer.from(await bundle.arrayBuffer()));
  expect(tar.subarray(257, 262).toString()).toBe('ustar');
  const installer = Buffer.from(await (await fetch(`${simulator.urls.service}/download/mac/fhfs.pkg`)).arrayBuffer());
  expect(installer.subarray(0, 4).toString()).toBe('xar!');
  expect((await fetch(`${simulator.urls.service}/other`)).status).toBe(404);
});

test('given ports are taken in order', async () => {
  const first = await start();
  // Below the ports that systems give to connections, so that nobody has them by chance.
  const port = 20_000 + (process.pid % 2_400) * 5;
  const simulator = await start({ port });
  expect(Object.values(simulator.urls).map((url) => Number(new URL(url).port) - port)).toEqual([0, 1, 2, 3, 4]);
  expect(first.url).not.toBe(simulator.url);
});
