/** What is read of a row, an account, an object or a time, and what is left out: a table for each rule. */
import { describe, expect, it } from 'vitest';
import type { DeviceFacts } from '../../../src/core/facts.ts';
import { MusterError } from '../../../src/errors.ts';
import { SlowAnswerError } from '../../../src/http/client.ts';
import { parseClassicAttribute, readAttribute } from '../../../src/sources/jamf/attribute.ts';
import { parseRoot } from '../../../src/sources/jamf/classic.ts';
import { readCriteria } from '../../../src/sources/jamf/criteria.ts';
import { createDeploymentChecks } from '../../../src/sources/jamf/deployment-checks.ts';
import { openInventory } from '../../../src/sources/jamf/inventory.ts';
import {
  parseApiGroup,
  parseApiScript,
  parseClassicGroup,
  parseClassicScript,
  parsePolicy,
  parseProfile,
} from '../../../src/sources/jamf/objects.ts';
import { createPace, maximumPageBytes } from '../../../src/sources/jamf/pace.ts';
import { type ParsedRow, parseIdPage } from '../../../src/sources/jamf/parse.ts';
import { addPlaceNames, readPlaceNames } from '../../../src/sources/jamf/places.ts';
import { toJamfReadFailure } from '../../../src/sources/jamf/read-failure.ts';
import { jamfRules } from '../../../src/sources/jamf/rules.ts';
import { parseAccount, readAccount } from '../../../src/sources/jamf/scope.ts';
import type { JamfSettings } from '../../../src/sources/jamf/settings.ts';
import { parseJamfTime } from '../../../src/sources/jamf/times.ts';
import { walkInventory } from '../../../src/sources/jamf/walk.ts';
import { attribute, computer, entry, parseOne, unnamed, who } from './builders.ts';
import {
  createEmptyReading,
  createReadContext,
  forbidden,
  jamfWith,
  paged,
  type Question,
  type Reply,
  type Routes,
} from './server.ts';

describe('a time', () => {
  it.each([
    ['2026-10-06T23:57:00.65Z', '2026-10-06T23:57:00.650Z'],
    ['2026-10-06T23:57:00.123456789Z', '2026-10-06T23:57:00.123Z'],
    [' 2026-10-06T23:57:00Z\n', '2026-10-06T23:57:00.000Z'],
    ['2026-10-06T23:57:00-0130', '2026-10-07T01:27:00.000Z'],
    [' 2026-10-06T23:57:00+02:00 ', '2026-10-06T21:57:00.000Z'],
    ['2026-10-06', '2026-10-06T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2026-01-31', '2026-01-31T00:00:00.000Z'],
    ['2026-12-31', '2026-12-31T00:00:00.000Z'],
    ['2026-02-29', undefined],
    ['2026-04-31', undefined],
    ['2026-04-00', undefined],
    ['2026-00-10', undefined],
    ['2026-13-10', undefined],
    ['2026-10-06T24:57:00Z', undefined],
    ['2026-10-06T23:57:00', undefined],
    ['2026-10-06T23:57Z', undefined],
    ['2026-10-06T23:57:00.Z', undefined],
    ['x2026-10-06', undefined],
    ['2026-10-06x', undefined],
    ['1970-01-02T00:00:00Z', undefined],
    ['1969-12-31T00:00:00Z', undefined],
    ['1970-01-02T00:00:00.001Z', '1970-01-02T00:00:00.001Z'],
    ['1969-12-30T23:59:59Z', '1969-12-30T23:59:59.000Z'],
    ['', undefined],
    [20261006, undefined],
    [null, undefined],
  ])('%j is %s', (value, expected) => {
    expect(parseJamfTime(value)).toBe(expected);
  });
});

describe('a row', () => {
  const general = (changes: object) => ({ general: { platform: 'Mac', extensionAttributes: [entry()], ...changes } });

  it.each([
    [{ id: '3', name: 'Berlin' }, 'Berlin'],
    [{ id: 3, name: 'Berlin' }, 'Berlin'],
    [{ id: '-1', name: 'None' }, undefined],
    [{ id: -1, name: 'None' }, undefined],
    [{ name: 'None' }, 'None'],
    [{ id: '3', name: ' ' }, undefined],
    [null, undefined],
    ['Berlin', undefined],
  ])('has of the site %j the name %s', (site, expected) => {
    expect(parseOne(general({ site })).device?.site).toBe(expected);
  });

  it.each<[string, Record<string, unknown>, object]>([
    [
      'both dates of contact',
      general({ lastContact: '2026-01-02', lastContactTime: '2026-01-01' }),
      { lastSeenAt: '2026-01-02T00:00:00.000Z' },
    ],
    [
      'both dates of enrolment',
      general({ lastEnrolledDate: '2026-01-02', initialEntryDate: '2026-01-01' }),
      { enrolledAt: '2026-01-02T00:00:00.000Z' },
    ],
    ['a user name and an address', { userAndLocation: { username: 'ada', email: 'a@b.test' } }, { user: 'ada' }],
    [
      'management in another spelling',
      general({ remoteManagement: { managed: 'false' } }),
      { managementState: 'managed' },
    ],
  ])('with %s', (_, changes, expected) => {
    expect(parseOne(changes).device).toMatchObject(expected);
  });

  it('has the ids of its department and its building, beside the device', () => {
    const { departmentId, buildingId, device } = parseOne({ userAndLocation: { departmentId: 4, buildingId: '5' } });
    expect([departmentId, buildingId]).toEqual(['4', '5']);
    expect(device).not.toHaveProperty('departmentId');
    const none = parseOne({ userAndLocation: { departmentId: null, buildingId: '' } });
    expect([Object.hasOwn(none, 'departmentId'), Object.hasOwn(none, 'buildingId')]).toEqual([false, false]);
  });

  it.each<[unknown, string[]]>([
    [['Installed', 7, true], ['Installed, 7, true']],
    [[null, {}, ['x'], 'Installed'], ['Installed']],
    ['Installed', []],
    [{ 0: 'Installed' }, []],
    [['x'.repeat(2000)], ['x'.repeat(1024)]],
  ])('has of the values %#', (values, expected) => {
    const { device } = parseOne(general({ extensionAttributes: [null, 'x', [], entry({ values })] }));
    expect(device?.answers.map(({ value }) => value)).toEqual(expected);
  });

  it('is no answer of an attribute whose definition has no id', () => {
    const entries = [entry({ definitionId: null }), entry({ definitionId: '' })];
    expect(parseOne(general({ extensionAttributes: entries })).device?.answers).toEqual([]);
    const byName = parseOne(general({ extensionAttributes: entries }), { name: attribute.name });
    expect(byName.definitions).toEqual(['', '']);
  });

  it('of ids alone is an id', () => {
    expect(parseIdPage({ totalCount: 2, results: [computer(), { id: 7 }] }, who)).toEqual({
      total: 2,
      rows: [{ id: '958' }, { id: '7' }],
    });
  });
});

describe('an account', () => {
  const read = ['Read Computers', 'Read Policies'];
  const account = (more: object = {}, groups: unknown = []) =>
    parseAccount({
      account: { username: 'reader', accessLevel: 'FullAccess', privilegesBySite: { '-1': read }, ...more },
      accountGroups: groups,
    });

  it.each<[string, object, unknown, string | undefined]>([
    ['of the whole server', {}, [], undefined],
    ['of a site by its access level', { accessLevel: 'SiteAccess' }, [], 'its access level is "SiteAccess"'],
    ['of one site', { privilegesBySite: { 1: read } }, [], 'its privileges are those of one site'],
    ['of two sites', { privilegesBySite: { 1: read, 2: [] } }, [], 'its privileges are those of 2 sites'],
    ['of a site besides all', { privilegesBySite: { '-1': read, 1: read } }, [], undefined],
    [
      'that may read computers in a site alone',
      { privilegesBySite: { '-1': ['Read Policies'], 1: read, 2: [] } },
      [],
      'its privileges are those of 2 sites',
    ],
    [
      'that may read computers nowhere',
      { privilegesBySite: { '-1': ['Read Policies'], 1: ['Read Policies'] } },
      [],
      undefined,
    ],
    ['without privileges', { privilegesBySite: {} }, [], undefined],
    ['without a list of privileges', { privilegesBySite: null }, [], undefined],
    ['of a group with site access, full itself', {}, [{ accessLevel: 'SiteAccess' }], undefined],
    [
      'of a group with site access',
      { accessLevel: 'GroupBasedAccess' },
      [{ accessLevel: 'SiteAccess' }],
      'its rights come from a group with site access',
    ],
    [
      'of two groups, one full',
      { accessLevel: 'GroupBasedAccess' },
      [{ accessLevel: 'SiteAccess' }, { accessLevel: 'FullAccess' }],
      undefined,
    ],
    ['of a group of no known level', { accessLevel: 'GroupBasedAccess' }, [{}, null, 'SiteAccess'], undefined],
  ])('%s', (_, more, groups, limitation) => {
    expect(account(more, groups).limitation).toBe(limitation);
  });

  it('has the privileges of all sites, each once', () => {
    const { found } = account({ privilegesBySite: { '-1': read, 1: ['Read Scripts', 7, 'Read Policies'] } });
    expect(found).toEqual({ username: 'reader', privileges: expect.any(Array) });
    const privileges = 'privileges' in found ? (found.privileges ?? []) : [];
    expect(privileges.toSorted()).toEqual(['Read Computers', 'Read Policies', 'Read Scripts']);
    expect(account({ username: ' ', privilegesBySite: { '-1': [] } }).found).toEqual({
      username: undefined,
      privileges: undefined,
    });
    expect(parseAccount(null)).toEqual({
      limitation: undefined,
      found: { username: undefined, privileges: undefined },
    });
  });

  it.each<[string, Reply, object]>([
    ['without the endpoint', { status: 404, body: {} }, { username: undefined, privileges: undefined }],
    ['without the permission', forbidden, { username: undefined, privileges: undefined }],
    ['of a server that fails', { status: 400, body: {} }, { is: 'unread' }],
  ])('%s has no limitation that anybody knows of', async (_, reply, found) => {
    const { jamf } = await jamfWith({ 'GET /api/v1/auth': reply });
    expect(await readAccount(jamf, new AbortController().signal)).toMatchObject({ limitation: undefined, found });
    const stopped = AbortSignal.abort(new Error('stopped'));
    await expect(readAccount(jamf, stopped)).rejects.toThrow('stopped');
  });
});

describe('objects', () => {
  const read = (xml: string, root: string) => parseRoot(`<?xml version="1.0"?>${xml}`, root, who);
  const entryOf = (list: string, type: string, id: number) =>
    `<${list}><${type}><id>${id}</id><name>${type}</name></${type}></${list}>`;
  const scopeOf = (xml: string) => parsePolicy(read(`<policy><scope>${xml}</scope></policy>`, 'policy')).scope;

  it('of a scope are of every kind that Jamf Pro has', () => {
    const common =
      entryOf('computers', 'computer', 1) +
      entryOf('computer_groups', 'computer_group', 2) +
      entryOf('buildings', 'building', 3) +
      entryOf('departments', 'department', 4) +
      entryOf('jss_users', 'jss_user', 5) +
      entryOf('jss_user_groups', 'jss_user_group', 6);
    const more =
      entryOf('users', 'user', 7) +
      entryOf('user_groups', 'user_group', 8) +
      entryOf('network_segments', 'network_segment', 9) +
      entryOf('ibeacons', 'ibeacon', 10);
    const scope = scopeOf(
      `${common}${more}<exclusions>${common}${more}</exclusions><limitations>${common}${more}</limitations>`,
    );
    const names = (entries: readonly { readonly type: string; readonly id: string }[]) =>
      entries.map(({ type, id }) => `${type} ${id}`);
    const targets = ['computer 1', 'computer_group 2', 'building 3', 'department 4', 'jss_user 5', 'jss_user_group 6'];
    const others = ['user 7', 'user_group 8', 'network_segment 9', 'ibeacon 10'];
    expect(names(scope.targets)).toEqual(targets);
    expect(names(scope.exclusions)).toEqual([...targets, ...others]);
    expect(names(scope.limitations)).toEqual(others);
    expect(scope.targets.map(({ computers }) => computers)).toEqual([
      ['1'],
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('of a scope may be all computers or all users', () => {
    expect(scopeOf('<all_computers>true</all_computers><all_jss_users>false</all_jss_users>')).toMatchObject({
      allComputers: true,
      targets: [],
    });
    expect(scopeOf('<all_computers>false</all_computers><all_jss_users>true</all_jss_users>')).toMatchObject({
      allComputers: false,
      targets: [{ type: 'user', id: '', name: 'all' }],
    });
  });

  it('are what Jamf Pro says, and nothing where it says nothing', () => {
    const whole =
      '<policy><general><enabled>false</enabled></general><maintenance><recon>true</recon></maintenance>' +
      '<scripts><size>2</size><script><parameter11>k</parameter11></script><script><name>b</name></script></scripts></policy>';
    const { enabled, updatesInventory, scripts } = parsePolicy(read(whole, 'policy'));
    expect({ enabled, updatesInventory, names: scripts.map(({ name }) => name) }).toEqual({
      enabled: false,
      updatesInventory: true,
      names: ['', 'b'],
    });
    expect([...(scripts[0]?.parameters ?? [])].map(([number, value]) => `${number}${value}`)).toEqual([
      '4',
      '5',
      '6',
      '7',
      '8',
      '9',
      '10',
      '11k',
    ]);
    expect(
      parsePolicy(read('<policy><maintenance><recon>false</recon></maintenance></policy>', 'policy')).updatesInventory,
    ).toBe(false);

    const profile = (general: string) => parseProfile(read(`<p><general>${general}</general></p>`, 'p'));
    expect(profile('')).toMatchObject({ description: '', distribution: undefined, level: undefined, payloads: '' });
    expect(
      profile(
        '<description>d</description><distribution_method> x </distribution_method><level> System </level><payloads>p</payloads>',
      ),
    ).toMatchObject({
      ...{ description: 'd', distribution: 'x', level: 'System', payloads: 'p' },
    });
    expect(profile('<distribution_method> </distribution_method><level> </level>')).toMatchObject({
      distribution: undefined,
      level: undefined,
    });

    expect(parseClassicScript(read('<script/>', 'script'))).toEqual({
      contents: '',
      labels: new Map(numbers.map((number) => [number, ''])),
    });
    expect(parseApiScript({ scriptContents: 'x', parameter11: 'k', parameter4: 4 })).toEqual({
      contents: 'x',
      labels: new Map(numbers.map((number) => [number, number === 11 ? 'k' : ''])),
    });
    const bare = { name: '', searchType: '', value: '' };
    expect(parseApiGroup({ criteria: [null, { name: 'a', searchType: 'is', value: 1 }] })).toEqual({
      smart: true,
      criteria: [bare, { name: 'a', searchType: 'is', value: '1' }],
    });
    expect(parseApiGroup(null)).toEqual({ smart: true, criteria: [] });
    expect(parseClassicGroup(read('<g><is_smart>false</is_smart><criteria><criterion/></criteria></g>', 'g'))).toEqual({
      smart: false,
      criteria: [bare],
    });
  });
  const numbers = [4, 5, 6, 7, 8, 9, 10, 11];

  it('of a group that is static are not asked for', async () => {
    const { jamf, server } = await jamfWith({});
    expect(await readCriteria(jamf, { id: '7', name: 'x', smart: false })).toEqual({ smart: false, criteria: [] });
    expect(server.requests).toEqual([]);
  });

  it.each<[string, Routes, object]>([
    [
      'the newest way',
      { 'GET /api/v3/computer-groups/smart-groups/a%2Fb': { body: { criteria: [{ name: 'n' }] } } },
      { smart: true, criteria: [{ name: 'n' }] },
    ],
    [
      'v2',
      { 'GET /api/v2/computer-groups/smart-groups/a%2Fb': { body: { criteria: [] } } },
      { smart: true, criteria: [] },
    ],
    [
      'the Classic API',
      {
        'GET /JSSResource/computergroups/id/a%2Fb': {
          body: '<computer_group><is_smart>true</is_smart></computer_group>',
        },
      },
      { smart: true, criteria: [] },
    ],
  ])('of a smart group are read: %s', async (_, routes, expected) => {
    const { jamf } = await jamfWith(routes);
    expect(await readCriteria(jamf, { id: 'a/b', name: 'x', smart: true })).toMatchObject(expected);
  });
});

describe('the inventory', () => {
  const path = 'GET /api/v4/computers-inventory';
  async function open(answer: (question: Question) => Reply) {
    const asked: URLSearchParams[] = [];
    const { jamf } = await jamfWith({
      [path]: (question) => {
        asked.push(question.query);
        return answer(question);
      },
    });
    const inventory = await openInventory(jamf, { attribute, sections: ['GENERAL'], ...unnamed });
    asked.length = 0;
    return { inventory, asked };
  }
  const listIds = (query: URLSearchParams) => /\((.*)\)/.exec(query.get('filter') ?? '')?.[1]?.split(',') ?? [];
  const rowsOf = (ids: readonly string[]): Reply => ({
    body: { totalCount: ids.length, results: ids.map((id) => ({ id })) },
  });
  const many = Array.from({ length: 51 }, (_, index) => String(index + 1));

  it('is asked for ids by a small section, and for the newest by one row from the end', async () => {
    const { inventory, asked } = await open(() => rowsOf(['9', '7']));
    expect(await inventory.idPage(2, 500)).toMatchObject({ total: 2, rows: [{ id: '9' }, { id: '7' }] });
    expect(await inventory.newestId()).toBe(9);
    expect(asked.map(String)).toEqual([
      'section=IBEACONS&page-size=500&sort=id%3Aasc&page=2',
      'section=GENERAL&page=0&page-size=1&sort=id%3Adesc',
    ]);
    expect(await (await open(() => rowsOf([]))).inventory.newestId()).toBe(0);
  });

  it('has the bytes and the time of a page, and its devices as they came', async () => {
    const { inventory } = await open(() => ({ body: { totalCount: 1, results: [computer()] } }));
    const page = await inventory.page(0, 1);
    expect(page.bytes).toBe(JSON.stringify({ totalCount: 1, results: [computer()] }).length);
    expect(page.milliseconds).toBeGreaterThanOrEqual(0);
    expect(page.rows[0]?.device?.name).toBe('MAC-01');
    expect(page.rows[0]?.definitions).toEqual(['6']);
  });

  it('is asked for fifty ids at a time', async () => {
    const { inventory, asked } = await open(({ query }) => rowsOf(listIds(query)));
    expect((await inventory.stillThere(many)).map(({ id }) => id)).toEqual(many);
    expect(asked.map((query) => [listIds(query).length, query.get('page-size'), query.get('page')])).toEqual([
      [50, '50', '0'],
      [1, '1', '0'],
    ]);
  });

  it('is asked for half of the ids where all of them are too large', async () => {
    const large = { body: 'x'.repeat(maximumPageBytes + 1) };
    const { inventory, asked } = await open(({ query }) =>
      listIds(query).length > 2 ? large : rowsOf(listIds(query)),
    );
    expect((await inventory.stillThere(['1', '2', '3'])).map(({ id }) => id)).toEqual(['1', '2', '3']);
    expect([...new Set(asked.map((query) => listIds(query).join()))]).toEqual(['1,2,3', '1,2', '3']);
  });

  it('is not asked again for ids of which the answer is refused', async () => {
    const { inventory, asked } = await open(({ query }) => (query.has('filter') ? forbidden : rowsOf(['1'])));
    await expect(inventory.stillThere(['1', '2'])).rejects.toMatchObject({ code: 'permission-missing' });
    expect(asked).toHaveLength(1);
  });
});

describe('a walk', () => {
  /** Pages of a server that gives so many rows at most, and hides some. */
  async function walk(count: number, { cap = 100, size = 10, hidden = [] as number[], totals = [] as number[] } = {}) {
    let asked = 0;
    const readPage = async (page: number, wanted: number) => {
      const [from, length] = [page * Math.min(wanted, cap), Math.min(wanted, cap)];
      const ids = Array.from({ length: count }, (_, index) => index).slice(from, from + length);
      asked += 1;
      const rows = ids.filter((id) => !hidden.includes(id)).map((id) => ({ id: String(id) }));
      return { total: totals[asked - 1] ?? count, rows, bytes: 10, milliseconds: 1 };
    };
    const walked = await walkInventory(readPage, createPace({ size, atOnce: 1, idle: 60_000 }), () => undefined);
    return { ...walked, ids: walked.rows.size, asked };
  }

  it.each<[string, number, NonNullable<Parameters<typeof walk>[1]>, object]>([
    ['of one page', 5, {}, { ids: 5, serverLimit: undefined, hasGap: false, steady: true, asked: 1 }],
    ['of a page that is just full', 10, {}, { ids: 10, serverLimit: undefined, hasGap: false, steady: true, asked: 1 }],
    ['of several', 25, {}, { ids: 25, serverLimit: undefined, hasGap: false, steady: true, asked: 3 }],
    [
      'of a server that gives less than is asked for',
      25,
      { cap: 4 },
      { ids: 25, serverLimit: 4, hasGap: false, steady: true, asked: 7 },
    ],
    ['of a server that hides a row in a later page', 25, { hidden: [12] }, { ids: 24, hasGap: true, steady: false }],
    [
      'of a server that hides a row of the last page',
      25,
      { hidden: [22] },
      { ids: 24, hasGap: true, steady: false, end: undefined },
    ],
    ['in which the total changes', 25, { totals: [25, 26, 25] }, { ids: 25, steady: false, total: 25 }],
    [
      'of a server whose list ends before its total',
      20,
      { totals: Array.from({ length: 20 }, () => 100) },
      { ids: 20, steady: false, asked: 3 },
    ],
    ['of no row', 0, {}, { ids: 0, steady: true, asked: 1, total: 0 }],
  ])('%s', async (_, count, options, expected) => {
    expect(await walk(count, options)).toMatchObject(expected);
  });
});

it.each([
  ['too slow', new SlowAnswerError('request-timed-out', 'Jamf Pro sent nothing for 60 s.')],
  ['too large', new MusterError('answer-too-large', 'Jamf Pro sent more than 32 MB.')],
])('a page of one row that is %s is not asked for again', async (_, error) => {
  let asked = 0;
  const readPage = () => {
    asked += 1;
    return Promise.reject(error);
  };
  const walked = walkInventory(readPage, createPace({ size: 2, atOnce: 1, idle: 60_000 }), () => undefined);
  await expect(walked).rejects.toBe(error);
  expect(asked).toBe(2);
});

it('a walk that never ends is given up', async () => {
  const readPage = async (page: number) => ({ total: 1e6, rows: [{ id: String(page) }], bytes: 10, milliseconds: 1 });
  const walked = walkInventory(readPage, createPace({ size: 1, atOnce: 1, idle: 60_000 }), () => undefined);
  await expect(walked).rejects.toMatchObject({
    code: 'paging-broken',
    message: expect.stringContaining('40000 pages'),
  });
});

describe('the checks of the groups', () => {
  const settings = {
    name: 'macs',
    url: 'https://x',
    auth: {} as JamfSettings['auth'],
    extensionAttribute: 'Agent Status',
    site: '',
  };
  const groups = { installed: 'Agent Installed', notInstalled: 'Agent Not Installed' };
  const criterion = { name: 'Agent Status', searchType: 'is', value: 'Installed' };

  async function inspect(holds: 'Installed' | 'Not Installed', routes: Routes = {}, found = true) {
    const { jamf } = await jamfWith(routes);
    const reading = createEmptyReading();
    const inspector = createDeploymentChecks(
      { ...settings, groups },
      createReadContext(),
      reading,
    ).createGroupInspector(jamf);
    const problem = await inspector(
      holds,
      found ? { is: 'one', value: { id: '7', name: 'x', smart: true } } : { is: 'none' },
    );
    const results = ['installed', 'not-installed'].map(
      (name) => reading.findings.find(({ check }) => check === `macos.smart-group-${name}`)?.result,
    );
    return { problem, results };
  }
  const api = (value: string) => ({
    'GET /api/v3/computer-groups/smart-groups/7': { body: { criteria: [{ ...criterion, value }] } },
  });

  it('are of the group that holds them, and say why its members count for nothing', async () => {
    expect(await inspect('Installed', api('Installed'))).toEqual({ problem: undefined, results: ['pass', 'unknown'] });
    expect(await inspect('Not Installed', api('Not Installed'))).toEqual({
      problem: undefined,
      results: ['unknown', 'pass'],
    });
    expect(await inspect('Not Installed', api('Installed'))).toEqual({
      problem: 'its value is "Installed"',
      results: ['unknown', 'fail'],
    });
    expect(await inspect('Installed', {}, false)).toMatchObject({ results: ['fail', 'unknown'] });
    const denied = { 'GET /api/v3/computer-groups/smart-groups/7': forbidden };
    expect(await inspect('Installed', denied)).toMatchObject({
      ...{
        problem: expect.stringContaining('"Read Smart Computer Groups" is missing'),
        results: ['unknown', 'unknown'],
      },
    });
  });

  it('say that the settings name none', () => {
    const reading = createEmptyReading();
    createDeploymentChecks(settings, createReadContext(), reading);
    expect(reading.findings.find(({ check }) => check === 'macos.smart-group-installed')).toMatchObject({
      ...{ result: 'unknown', found: 'the settings name no smart groups' },
    });
  });

  it('and of the attribute say what became of it', async () => {
    for (const [code, expected] of [
      ['attribute-missing', 'fail: there is no extension attribute of that name'],
      ['attribute-ambiguous', 'fail: there are several of that name'],
      ['request-failed', 'unknown: could not be read [request-failed]'],
    ] as const) {
      const reading = createEmptyReading();
      const checks = createDeploymentChecks(settings, createReadContext(), reading);
      const error = new MusterError(code, 'x');
      await expect(checks.readAttribute(() => Promise.reject(error))).rejects.toBe(error);
      const finding = () => reading.findings.find(({ check }) => check === 'macos.extension-attribute');
      expect(`${finding()?.result}: ${finding()?.found}`).toBe(expected);
      await checks.readAttribute(async () => undefined);
      expect(finding()?.found).toContain('"Read Computer Extension Attributes" is missing');
    }
  });
});

describe('the names of places', () => {
  const device: DeviceFacts = { id: '1', platform: 'macos', answers: [] };
  it('are added where they are known', async () => {
    const { jamf } = await jamfWith({
      'GET /api/v1/departments': paged([{ id: '4', name: 'Sales' }, { id: 5, name: ' ' }, null]),
      'GET /api/v1/buildings': forbidden,
    });
    const names = await readPlaceNames(jamf);
    const row = (places: Pick<ParsedRow, 'departmentId' | 'buildingId'>) => ({
      ...{ id: '1', definitions: [], device },
      ...places,
    });
    expect(addPlaceNames(row({ departmentId: '4', buildingId: '4' }), names)).toEqual({
      ...device,
      department: 'Sales',
    });
    expect(addPlaceNames(row({ departmentId: '5' }), names)).toEqual(device);
    expect(addPlaceNames(row({ departmentId: '' }), names)).toEqual(device);
    expect(addPlaceNames({ id: '1', definitions: [], departmentId: '4' }, names)).toBeUndefined();
    const buildings = await jamfWith({
      'GET /api/v1/departments': forbidden,
      'GET /api/v1/buildings': paged([{ id: '4', name: 'North' }]),
    });
    const inNorth = row({ departmentId: '4', buildingId: '4' });
    expect(addPlaceNames(inNorth, await readPlaceNames(buildings.jamf))).toEqual({ ...device, building: 'North' });
    const both = { departments: new Map(), buildings: new Map([['4', 'North']]) };
    expect(addPlaceNames(inNorth, both)).toEqual({ ...device, building: 'North' });
  });
});

describe('the attribute', () => {
  const list = 'GET /api/v1/computer-extension-attributes';
  const read = async (...names: unknown[]) => {
    const { jamf } = await jamfWith({ [list]: paged(names.map((name, index) => ({ id: String(index + 1), name }))) });
    return readAttribute(jamf, 'Agent Status', '9');
  };
  it('that nobody has is asked after by a name that is near', async () => {
    await expect(read('Agent Statsu', 7, 'Other')).rejects.toThrow(
      'no extension attribute "Agent Status". Did you mean "Agent Statsu"?',
    );
    await expect(read('Other')).rejects.toThrow('no extension attribute "Agent Status". Put its display name');
  });
  it('of the Classic API may be disabled', () => {
    const parse = (enabled: string) =>
      parseClassicAttribute(parseRoot(`<?xml version="1.0"?><a>${enabled}</a>`, 'a', who));
    expect(['', '<enabled>true</enabled>', '<enabled>false</enabled>'].map((text) => parse(text).enabled)).toEqual([
      true,
      true,
      false,
    ]);
    expect(parse('')).toEqual({
      id: '',
      name: '',
      enabled: true,
      dataType: '',
      inputType: '',
      section: undefined,
      script: '',
    });
  });
  it('is enabled unless the server says that it is not, and has no script where it says none', async () => {
    expect(await read('Agent Status')).toEqual({
      ...{ id: '1', name: 'Agent Status', enabled: true, dataType: '', inputType: '', section: undefined, script: '' },
    });
  });
});

it('what could not be read says which privilege is missing, or the code', async () => {
  const failing = async (reply: Reply) => {
    const { jamf } = await jamfWith({ 'GET /x': reply });
    const error = await jamf
      .json({ path: '/x', permission: 'Read X' }, () => undefined)
      .catch((reason: unknown) => reason);
    return toJamfReadFailure(error, 'Read X');
  };
  const missing = {
    is: 'unread',
    why: 'cannot be read: the privilege "Read X" is missing',
    advice: 'Grant "Read X" to the account or API client.',
  };
  expect(await failing(forbidden)).toEqual(missing);
  expect(await failing({ status: 404, body: {} })).toMatchObject({
    is: 'unread',
    why: 'could not be read [not-found]',
  });
});

it('every value but two is no clear answer', () => {
  const unclear = { status: 'Not Installed', provable: false };
  expect(jamfRules).toMatchObject({
    silent: { ...unclear, reason: 'never-reported' },
    blank: { ...unclear, reason: 'never-reported' },
    other: { ...unclear, reason: 'unrecognised-value' },
  });
  expect([...jamfRules.words]).toEqual([
    ['Installed', { status: 'Installed', reason: 'reported', provable: true }],
    ['Not Installed', { status: 'Not Installed', reason: 'reported', provable: true }],
  ]);
});
