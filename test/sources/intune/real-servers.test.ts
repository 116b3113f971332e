/** Behaviours of real tenants by which a night once was wrong or lost, each by its number. */
import { beforeEach, describe, expect, it } from 'vitest';
import { windows } from '../../../src/deployment/definition.ts';
import { buildDetectionRule } from '../../../src/deployment/windows-places.ts';
import { archiveOf } from './archive.ts';
import {
  action,
  always,
  appId,
  csvOf,
  device,
  fakeClock,
  type Reply,
  readNight,
  readSlice,
  reply,
  rowOf,
  type Seen,
  startJob,
  useTenant,
  walk,
  windowsApp,
} from './tenant.ts';

const tenant = useTenant();

const refused = reply({ error: { code: 'BadRequest' } }, 400);
const broken = reply({ error: { code: 'InternalServerError' } }, 500);
const patience = 10 * 60_000;
const field = 'configurationManagerClientEnabledFeatures';

/** Answers so while the condition holds. */
function refuseWhere(isRefused: (seen: Seen) => boolean, refusal: typeof refused = refused): void {
  tenant.content.mischief = (seen) => (isRefused(seen) ? refusal : undefined);
}

describe('co-managed devices', () => {
  beforeEach(() => {
    tenant.content.devices = [
      device(1, { [field]: { inventory: true, modernApps: false } }),
      device(2, { [field]: { inventory: false, modernApps: true } }),
      device(3, { [field]: null }),
    ];
  });

  it('F4: whose apps Configuration Manager delivers are known as such [F4]', async () => {
    const { reading, error } = await readNight(tenant);
    expect(error).toBeUndefined();
    expect(reading.devices.map(({ clientAppsWorkload }) => clientAppsWorkload)).toEqual([
      'configurationManager',
      undefined,
      undefined,
    ]);
    const [asked] = tenant.seen.filter(({ path }) => path.endsWith('/managedDevices'));
    expect(asked?.url.searchParams.get('$select')?.split(',')).toContain(field);
  });

  it('F4: are not asked about where the service refuses that [F4]', async () => {
    refuseWhere(({ url }) => url.search.includes(field));
    const { reading, error } = await readNight(tenant);
    expect(error).toBeUndefined();
    expect(reading.devices).toHaveLength(3);
    const { url } = tenant.seen.findLast(({ path }) => path.endsWith('/managedDevices')) ?? {};
    expect(url?.searchParams.get('$filter')).toBe("operatingSystem eq 'Windows'");
  });
});

describe('an app that was updated', () => {
  const updated = 'aaaaaaaa-8888-7777-6666-555555555555';
  const rules = [buildDetectionRule(windows.detection)];
  const first = { ...windowsApp, rules };
  const second = { ...windowsApp, id: updated, rules };
  const read = (app: string) => readNight(tenant, { settings: { apps: [app] } });
  const findApp = (reading: Awaited<ReturnType<typeof read>>['reading']) =>
    reading.findings.find(({ check }) => check === 'windows.app');

  it('F5: is every Win32 app of its name, one of the Enterprise App Catalog too; each row says which [F5, F10]', async () => {
    tenant.content.apps = [second, { ...first, '@odata.type': '#microsoft.graph.win32CatalogApp' }];
    const { reading, error } = await read('Endpoint agent');
    expect(error).toBeUndefined();
    expect(reading.instrument.id).toBe(`${appId},${updated}`);
    expect(reading.devices[0]?.answers.map(({ value, app }) => [value, app])).toEqual([
      ['1', appId],
      ['1', updated],
    ]);
    expect(findApp(reading)).toMatchObject({ result: 'pass' });
  });

  it('F5: is read without those of another detection rule, which are named [F5]', async () => {
    tenant.content.apps = [first, { ...windowsApp, id: updated }];
    const { reading, error } = await read('Endpoint agent');
    expect(error).toBeUndefined();
    expect(reading.instrument.id).toBe(appId);
    expect(reading.devices[0]?.answers).toEqual([{ value: '1', at: '2026-11-19T22:10:33.000Z' }]);
    expect(findApp(reading)).toMatchObject({
      result: 'pass',
      found: `${appId}: a published Windows app (Win32); ${updated}: left out, since its detection rule is another`,
    });
  });

  it('F5: is read with all of its name where none has the right rule, and fails its check [F5]', async () => {
    tenant.content.apps = [windowsApp, { ...windowsApp, id: updated }];
    const { reading } = await read('Endpoint agent');
    expect(reading.instrument.id).toBe(`${appId},${updated}`);
    expect(reading.findings.find(({ check }) => check === 'windows.detection-rule')?.result).toBe('fail');
  });

  it('F5: is that app alone where the settings have its id [F5]', async () => {
    tenant.content.apps = [first, second];
    const { reading } = await read(updated);
    expect(reading.instrument.id).toBe(updated);
    expect(reading.devices[0]?.answers).toEqual([{ value: '1', at: '2026-11-19T22:10:33.000Z' }]);
  });
});

describe('an app report', () => {
  const documented = [
    'DeviceId',
    'UserPrincipalName',
    'AppInstallState',
    'AppInstallStateDetails',
    'HexErrorCode',
    'LastModifiedDateTime',
  ];
  const asDocumented = () =>
    tenant.content.rows.map(({ UserId, InstallState, InstallStateDetail, ErrorCode, ...row }) => ({
      ...row,
      UserPrincipalName: UserId ?? null,
      AppInstallState: InstallState ?? null,
      AppInstallStateDetails: InstallStateDetail ?? null,
    }));
  const asksForOthers = ({ method, body }: Seen) =>
    method === 'POST' && body.includes('"select"') && !documented.every((name) => body.includes(`"${name}"`));

  it.each([
    ['both ways', 'nothing', refused],
    ['the synchronous action alone', startJob, refused],
    ['exports alone', action, refused],
    ['both ways, where a firewall knows only these', 'nothing', { status: 403, body: '<html>blocked</html>' }],
  ])('F9: of a service that knows only the documented columns is read by %s [F9]', async (_way, missing, refusal) => {
    const expected = (await readNight(tenant)).reading.devices;
    tenant.content.rows = asDocumented();
    refuseWhere((seen) => asksForOthers(seen) || `${seen.method} ${seen.at} ${seen.path}`.includes(missing), refusal);
    tenant.strike('GET downloads', always, {
      status: 200,
      body: archiveOf({ content: Buffer.from(csvOf(tenant.content.rows, documented)) }),
    });
    const { reading, error } = await readNight(tenant);
    expect(error).toBeUndefined();
    expect(reading.devices).toEqual(expected);
  });

  it('F13: in which no row has a state that is known is unreadable [F13]', async () => {
    tenant.content.rows = [rowOf(1, 'Installed'), rowOf(2, 'Not installed')];
    expect((await readNight(tenant)).error).toMatchObject({
      code: 'answer-unreadable',
      message: `The app report of Microsoft Graph "windows" has no known InstallState in any row (app ${appId}). Its format may have changed; update Muster.`,
    });
    tenant.content.rows = [rowOf(1, 'Installed'), rowOf(2, 99)];
    expect((await readNight(tenant)).error).toBeUndefined();
    tenant.content.rows = [rowOf(1, '')];
    expect((await readNight(tenant)).error).toBeUndefined();
  });
});

describe('a page size', () => {
  const sizeOf = ({ url }: Seen) => Number(url.searchParams.get('$top') ?? 0);
  const listTops = () => [...new Set(tenant.seen.map(sizeOf).filter((top) => top > 1))];

  it('F14: that is refused shrinks [F14]', async () => {
    refuseWhere((seen) => seen.path.endsWith('/managedDevices') && sizeOf(seen) > 100);
    const { reading, error } = await readNight(tenant);
    expect(error).toBeUndefined();
    expect(reading.devices).toHaveLength(25);
    expect(listTops()).toEqual([1000, 333, 111, 37]);
  });

  it('F14: with which the service fails at once shrinks too, in seconds [F14]', async () => {
    Object.assign(tenant.content, {
      pageSize: 1000,
      devices: Array.from({ length: 450 }, (_, index) => device(index)),
    });
    tenant.content.mischief = (seen) =>
      seen.path.endsWith('/managedDevices') && sizeOf(seen) > 200 ? reply('gateway', 504) : undefined;
    const { reading, error, clock } = await readNight(tenant, { patience });
    expect(error).toBeUndefined();
    expect(reading.devices).toHaveLength(450);
    expect(listTops()).toEqual([1000, 333, 111]);
    expect(clock.elapsed()).toBeLessThan(30_000);
  });

  it('F14: is not what fails where the service answers nothing, which is waited for [F14]', async () => {
    tenant.strike(walk, always, broken);
    const { error, clock } = await readNight(tenant, { patience: 60_000 });
    expect(error).toMatchObject({ code: 'request-failed', message: expect.stringContaining('gave up after') });
    expect(listTops()).toEqual([1000]);
    // The last wait is drawn, and may end just before the patience does.
    expect(clock.elapsed()).toBeGreaterThan(30_000);
  });

  it('F14: is asked in vain where everything is refused, and not for long [F14]', async () => {
    tenant.strike(walk, always, refused);
    expect((await readNight(tenant)).error).toMatchObject({ code: 'request-refused' });
    expect(tenant.count(walk)).toBe(8);
  });
});

describe('a device that the service cannot render', () => {
  /** Pages of at least so many devices fail with it, unless only ids are asked for. */
  function poison(number: number, answer: Reply, least = 1): void {
    const isPoisoned = ({ id }: Record<string, unknown>) => id === device(number).id;
    tenant.content.mischief = ({ path, url }) => {
      const { size, value } = readSlice(url, tenant.content);
      const isList = path.endsWith('/managedDevices') && url.searchParams.get('$select') !== 'id';
      return isList && size >= least && value.some(isPoisoned) ? answer : undefined;
    };
  }

  it.each([1, 7, 12, 25])('F1: is got round with a smaller page, wherever it is: %i [F1]', async (number) => {
    poison(number, broken, 5);
    const { reading, error, clock } = await readNight(tenant, { patience });
    expect(error).toBeUndefined();
    expect(reading.devices).toHaveLength(25);
    expect(clock.elapsed()).toBeLessThan(60_000);
  });

  it.each<[string, string, Reply]>([
    ['500', 'request-failed', broken],
    ['502', 'request-failed', reply('gateway', 502)],
    ['a web page with 200', 'answer-unreadable', { status: 200, body: '<html>Sign in</html>' }],
    ['cut JSON', 'answer-unreadable', { status: 200, body: '{"value":[{' }],
  ])(
    'F1: makes the source incomplete where no page gets round it, and is named: %s [F1]',
    async (_how, code, answer) => {
      poison(12, answer);
      const { reading, error, clock } = await readNight(tenant, { patience });
      const said = `After 11 devices, every page fails, down to 1 a page; the next device is ${String(device(12).id)}.`;
      expect(error).toMatchObject({ code, message: expect.stringContaining(said) });
      expect(reading.devices).toEqual([]);
      expect(clock.elapsed()).toBeLessThan(2 * 60_000);
    },
  );

  it('F1: is not what fails while the service is down for four minutes [F1]', async () => {
    const clock = fakeClock();
    const until = clock.elapsed() + 4 * 60_000;
    tenant.content.mischief = ({ path }) =>
      path.endsWith('/managedDevices') && clock.elapsed() < until ? broken : undefined;
    const { reading, error } = await readNight(tenant, { patience, clock });
    expect(error).toBeUndefined();
    expect(reading.devices).toHaveLength(25);
  });

  it('F1: is one row of the synchronous report, of which pages are divided too [F1]', async () => {
    const isLarge = ({ path, body }: Seen) => path.endsWith(action) && JSON.parse(body).top > 5;
    tenant.content.mischief = (seen) => (isLarge(seen) ? broken : undefined);
    tenant.strike(startJob, always, refused);
    const { reading, error, clock } = await readNight(tenant, { patience });
    expect(error).toBeUndefined();
    expect(reading.receipt).toMatchObject({ answersClaimed: 20, answersReceived: 20 });
    expect(clock.elapsed()).toBeLessThan(2 * 60_000);
  });
});
