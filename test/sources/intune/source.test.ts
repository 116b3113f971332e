import { expect, test } from 'vitest';
import type { IntuneSettings } from '../../../src/sources/intune/settings.ts';
import type { PreviousReading } from '../../../src/sources/source.ts';
import { shortSilence } from '../../limits.ts';
import {
  action,
  always,
  appId,
  device,
  poll,
  type Reply,
  readNight,
  reply,
  rowOf,
  type Seen,
  secret,
  startJob,
  useTenant,
  walk,
  windowsApp,
  zipOf,
} from './tenant.ts';

const tenant = useTenant();

const night = (settings: Partial<IntuneSettings> = {}, remembered: PreviousReading = {}) =>
  readNight(tenant, { settings, remembered });

test('a complete run: every device with all of its rows, and a receipt with both numbers', async () => {
  tenant.content.rows.push(rowOf(1, 3, 'u2'), rowOf(700));
  tenant.content.devices.push(device(30, { operatingSystem: 'iOS' }));
  tenant.content.count = () => 26;
  const { reading, error } = await night();
  expect(error).toBeUndefined();
  expect(reading.devices).toHaveLength(25);
  expect(reading.devices[0]?.answers.map(({ value }) => value)).toEqual(['1', '3']);
  expect(reading.devices[24]?.answers).toEqual([]);
  expect(reading.receipt).toEqual({
    claimed: 26,
    received: 26,
    answersClaimed: 22,
    answersReceived: 22,
    answersProof: 'both ways',
    unlisted: 1,
    overview: 26,
    listed: 'serially: first run',
    pages: 6,
    walks: 2,
    retries: 0,
    firstId: device(1).id,
    lastId: device(30).id,
  });
  expect(reading.findings[0]).toMatchObject({ check: 'windows.app', result: 'pass', instrument: true });
  expect(reading.instrument.id).toBe(appId);
  expect(reading.instrument.fingerprint).toMatch(/^[0-9a-f]{64}$/);
  expect([tenant.count(startJob), tenant.count(action)]).toEqual([1, 1]);
  expect(JSON.stringify(reading)).not.toContain(secret);
});

test('the export is polled after a quarter of a second growing to 10 s', async () => {
  tenant.strike(poll, 10, (seen) => reply({ id: /'(.+)'/.exec(seen.path)?.[1], status: 'inProgress', url: null }));
  const { clock, error } = await night();
  expect(error).toBeUndefined();
  expect(clock.waits.slice(0, 9).map(Math.round)).toEqual([250, 450, 810, 1458, 2624, 4724, 8503, 10_000, 10_000]);
});

test('devices, apps and overview are asked for at once, and the export beside the first page', async () => {
  const together = ['/managedDevices', `/mobileApps/${appId}`, '/managedDeviceOverview'];
  const [asked, exported] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  // None of them is answered before all are asked for, and no page of devices before the export is.
  tenant.content.hold = async ({ path, url }) => {
    if (together.every((part) => tenant.seen.some((one) => one.path.endsWith(part)))) {
      asked.resolve();
    }
    if (path.endsWith('/exportJobs')) {
      exported.resolve();
    }
    const isFirst = together.some((part) => path.endsWith(part)) && !url.searchParams.has('$skiptoken');
    await (isFirst ? asked.promise : undefined);
    await (path.endsWith('/managedDevices') ? exported.promise : undefined);
  };
  expect((await night()).error).toBeUndefined();
});

const inProgress = (seen: Seen) => reply({ id: /'(.+)'/.exec(seen.path)?.[1], status: 'inProgress', url: null });
const failed = (seen: Seen) => reply({ id: /'(.+)'/.exec(seen.path)?.[1], status: 'failed', url: null });
const odd = (status: unknown) => (seen: Seen) => reply({ id: /'(.+)'/.exec(seen.path)?.[1], status, url: null });
const noAddress = (seen: Seen) => reply({ id: /'(.+)'/.exec(seen.path)?.[1], status: 'completed', url: '' });
const refusedLink = { status: 403, body: '<?xml version="1.0"?><Error><Code>AuthenticationFailed</Code></Error>' };
const elsewhere = (seen: Seen) =>
  reply({
    id: /'(.+)'/.exec(seen.path)?.[1],
    status: 'completed',
    url: 'http://127.0.0.1:1/evil.zip?sig=canary-signature',
  });

test.each([
  ['a job that fails [X2]', poll, 1, failed, 2],
  ['a job that is stuck [X1]', poll, 25, inProgress, 2],
  ['a job of a status nobody knows [X2]', poll, 25, odd('unknownFutureValue'), 2],
  ['a job without an address [X3]', poll, 5, noAddress, 2],
  ['an address that has expired once [X4]', 'GET downloads', 1, refusedLink, 1],
  ['a broken archive [X7]', 'GET downloads', 1, { status: 200, body: 'PK no' }, 2],
  ['jobs that always fail [X2]', poll, always, failed, 3],
  ['an address elsewhere [X5]', poll, always, elsewhere, 1],
  ['a service that takes no jobs', startJob, always, reply({ error: { code: 'BadRequest' } }, 400), 3],
])('%s: the same night in the end', async (_what, part, times, answer, jobs) => {
  const expected = (await night()).reading.devices;
  tenant.seen.length = 0;
  tenant.strike(part, times, answer);
  const { reading, error, clock } = await night();
  expect(error).toBeUndefined();
  expect(reading.devices).toEqual(expected);
  expect(reading.receipt).toMatchObject({ answersClaimed: 20, answersReceived: 20 });
  expect(tenant.count(startJob)).toBe(jobs);
  expect(clock.elapsed()).toBeLessThanOrEqual(jobs * 130_000);
});

test.each([
  ['empty', (): Reply => ({ status: 200, body: zipOf([]) })],
  ['cut', (): Reply => ({ status: 200, body: zipOf(tenant.content.rows.slice(0, 10)) })],
])('a report that is %s: one fresh job, then the synchronous rows [X12]', async (_what, archive) => {
  tenant.strike('GET downloads', 1, () => archive());
  expect((await night()).error).toBeUndefined();
  expect(tenant.count(startJob)).toBe(2);
  tenant.seen.length = 0;
  tenant.strike('GET downloads', always, () => archive());
  const { reading, error } = await night();
  expect(error).toBeUndefined();
  expect(tenant.count(startJob)).toBe(2);
  expect(reading.receipt).toMatchObject({ answersClaimed: 20, answersReceived: 20 });
  expect(reading.devices[0]?.answers).toHaveLength(1);
});

test('the synchronous rows are read to the end in the steps that come, and never half [X12]', async () => {
  tenant.content.rows = Array.from({ length: 120 }, (_, index) => rowOf(1, 1, `u${index}`));
  tenant.strike(poll, always, failed);
  const { reading, error } = await night();
  expect(error).toBeUndefined();
  expect(reading.devices[0]?.answers).toHaveLength(120);
  tenant.strike(action, always, (seen) => {
    const { skip } = JSON.parse(seen.body);
    const rows = skip === 0 ? [[device(1).id, 1]] : [];
    return reply({ TotalRowCount: 120, Schema: [{ Column: 'DeviceId' }, { Column: 'InstallState' }], Values: rows });
  });
  const short = await night();
  expect(short.error).toMatchObject({ code: 'rows-missing' });
  expect(String(short.error)).toContain('reports 120 rows');
  expect(short.reading.receipt).toMatchObject({ answersClaimed: 120, answersReceived: 1, received: 25 });
  expect(short.reading.devices).toEqual([]);
});

test('a server that ignores skip is not read twice', async () => {
  tenant.content.rows = Array.from({ length: 120 }, (_, index) => rowOf(1, 1, `u${index}`));
  tenant.strike(poll, always, failed);
  tenant.strike(action, always, () =>
    reply({
      TotalRowCount: 120,
      Schema: [{ Column: 'DeviceId' }, { Column: 'InstallState' }, { Column: 'UserId' }],
      Values: Array.from({ length: 60 }, (_, index) => [device(1).id, 1, `u${index}`]),
    }),
  );
  expect((await night()).error).toMatchObject({ code: 'paging-broken' });
});

test('no rows at all where the last good run had some', async () => {
  tenant.content.rows = [];
  expect((await night()).error).toBeUndefined();
  const before = { answers: 20, instrument: { id: appId } };
  expect((await night({}, before)).error).toMatchObject({ code: 'rows-missing' });
  const otherApp = { answers: 20, instrument: { id: 'another' } };
  expect((await night({}, otherApp)).error).toBeUndefined();
});

test.each([
  [
    'a next link that repeats [P8]',
    () => reply({ value: [], '@odata.nextLink': '/v1.0/deviceManagement/managedDevices?a' }),
    'paging-broken',
  ],
  [
    'one id with different values [P4, M5]',
    () => reply({ value: [device(1), { ...device(1), deviceName: 'another' }] }),
    'paging-broken',
  ],
  ['the same page again and again [P19]', () => reply({ value: Array(60).fill(device(1)) }), 'paging-broken'],
  ['a page that has expired [P16]', () => reply({ error: { code: 'syncStateNotFound' } }, 410), 'paging-broken'],
  ['more devices counted than listed', () => reply({ '@odata.count': 9, value: [device(1)] }), 'rows-missing'],
])('%s: walked once more, then incomplete', async (_what, answer, code) => {
  const pages = _what.includes('link') ? 2 : 1;
  tenant.strike(walk, pages, answer);
  const recovered = await night();
  expect(recovered.error).toBeUndefined();
  // A second walk has begun where the first has two pages.
  expect(recovered.reading.receipt).toMatchObject({ walks: pages + 2, received: 25 });
  tenant.strike(walk, always, answer);
  const { error, reading } = await night();
  expect(error).toMatchObject({ code });
  expect(reading.receipt.walks).toBe(2 * pages);
  expect(reading.devices).toEqual([]);
});

test('equal rows of one id are one device, which the reading names [M5]', async () => {
  const expected = (await night()).reading;
  tenant.content.devices.unshift(device(2), device(7));
  tenant.content.devices.push(device(7));
  tenant.content.count = () => tenant.content.devices.length;
  const { reading, error } = await night();
  expect(error).toBeUndefined();
  expect(reading.devices).toEqual(expected.devices);
  expect(reading.repeated).toEqual([device(2).id, device(7).id]);
  expect(reading.receipt).toMatchObject({ received: 25, claimed: 25 });
});

test('a device twice in the place of one that the report knows and is still there: incomplete [P4, M5]', async () => {
  const gone = device(5);
  tenant.content.devices = tenant.content.devices.with(4, device(2));
  expect((await night()).error).toBeUndefined();
  tenant.strike(`managedDevices/${String(gone.id)}`, always, reply(gone));
  const { error } = await night();
  expect(error).toMatchObject({ code: 'paging-broken', message: expect.stringContaining('in the place of others') });
});

test('more devices counted than listed are counted again, by one id', async () => {
  tenant.content.count = () => 26;
  expect((await night()).error).toMatchObject({ code: 'rows-missing' });
  const asked = tenant.seen.map(({ url }) => url.search).filter((search) => search.endsWith('&$top=1'));
  expect(asked[0]).toMatch(/&\$select=id&\$top=1$/);
});

test.each([
  ['another path', '/v1.0/users?$skiptoken=1'],
  ['a path that climbs', '/v1.0/deviceManagement/managedDevices/../../users'],
])('a next link to %s is not fetched [P10]', async (_what, link) => {
  tenant.strike(walk, always, reply({ value: [device(1)], '@odata.nextLink': link }));
  expect((await night()).error).toMatchObject({ code: 'foreign-link' });
  expect(tenant.count(walk)).toBe(1);
});

test.each([
  ['no value', {}],
  ['a value that is no list', { value: {} }],
  ['a device without an id', { value: [{ deviceName: 'x' }] }],
  ['a next link that is no text [P11]', { value: [], '@odata.nextLink': 7 }],
])('a page with %s [P7]', async (_what, body) => {
  tenant.strike(walk, always, reply(body));
  expect((await night()).error).toMatchObject({ code: 'answer-unreadable' });
});

test('a next link of 100 kB, which no server takes [P11]', async () => {
  const link = `/v1.0/deviceManagement/managedDevices?$skiptoken=${'x'.repeat(100_000)}`;
  tenant.strike(walk, always, reply({ value: [device(1)], '@odata.nextLink': link }));
  const { error, reading } = await night();
  expect(error).toMatchObject({ code: 'request-refused' });
  expect(reading.devices).toEqual([]);
});

test('an empty page in the middle is no end, and a count of one page alone claims nothing [P5]', async () => {
  const path = '/v1.0/deviceManagement/managedDevices';
  tenant.strike(walk, 1, reply({ '@odata.count': 0, value: [], '@odata.nextLink': `${path}?$skiptoken=0` }));
  const { reading, error } = await night();
  expect(error).toBeUndefined();
  expect(reading.receipt.received).toBe(25);
  expect(reading.receipt.claimed).toBeUndefined();
});

test('a page that times out once is asked for in smaller pieces, as the service answers something else', async () => {
  tenant.strike(walk, 1, { ...reply({ error: { code: 'GatewayTimeout' } }, 504), isLate: true });
  const { error, reading } = await readNight(tenant, { idle: shortSilence });
  expect(error).toBeUndefined();
  expect(reading.receipt).toMatchObject({ walks: 3, received: 25 });
  const tops = tenant.seen.map(({ url }) => url.searchParams.get('$top')).filter((top) => top !== null);
  expect(tops).toEqual(['1000', '1', '333', '333']);
});

test('tokens that live two seconds [A1, A6]', async () => {
  tenant.content.tokenSeconds = 2;
  const { error } = await night();
  expect(error).toBeUndefined();
  expect(tenant.count('/token')).toBeGreaterThan(1);
});

test('several apps: each proved on its own, their rows pooled', async () => {
  const second = { ...windowsApp, id: appId.replace('9', '8') };
  tenant.content.apps.push(second);
  const { error, reading } = await night({ apps: [appId, second.id] });
  expect(error).toBeUndefined();
  expect(reading.receipt).toMatchObject({ answersClaimed: 40, answersReceived: 40 });
  expect(reading.devices[0]?.answers).toHaveLength(2);
  expect(reading.instrument.id).toBe(`${second.id},${appId}`);
});
