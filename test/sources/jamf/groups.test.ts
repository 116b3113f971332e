import { describe, expect, it } from 'vitest';
import { MusterError } from '../../../src/base/errors.ts';
import { createDeploymentChecks } from '../../../src/sources/jamf/deployment.ts';
import { readCriteria, readSmartGroups } from '../../../src/sources/jamf/groups.ts';
import type { JamfSettings } from '../../../src/sources/jamf/settings.ts';
import { createEmptyReading } from '../empty-reading.ts';
import { createReadContext, forbidden, jamfWith, paged, type Routes } from './server.ts';

const names = { installed: 'Agent Installed', notInstalled: 'Agent Not Installed' };
const listed = [
  { id: '1', siteId: '-1', name: 'All Managed Clients', membershipCount: 3 },
  { id: '101', siteId: '-1', name: 'Agent Installed', membershipCount: 3 },
  { id: '102', siteId: '-1', name: 'Agent Not Installed', membershipCount: 0 },
];
const smart = (version: string) => `GET /api/${version}/computer-groups/smart-groups`;
const membership = (version: string, id: number) => `GET /api/${version}/computer-groups/smart-group-membership/${id}`;
const members = (version: string): Routes => ({
  [membership(version, 101)]: { body: { members: [10, 9, 100, 9] } },
  [membership(version, 102)]: { body: { members: [] } },
});
const classicGroup = (id: number, computers: string) => ({
  [`GET /JSSResource/computergroups/id/${id}`]: {
    body: `<computer_group><id>${id}</id><computers>${computers}</computers></computer_group>`,
  },
});
const classicList = (...groups: string[]): Routes => ({
  'GET /JSSResource/computergroups': { body: `<computer_groups><size>2</size>${groups.join('')}</computer_groups>` },
});
const classicEntry = (id: number, name: string, isSmart = true) =>
  `<computer_group><id>${id}</id><name>${name}</name><is_smart>${isSmart}</is_smart></computer_group>`;
const both = [
  { holds: 'Installed', name: 'Agent Installed', members: ['10', '100', '9'] },
  { holds: 'Not Installed', name: 'Agent Not Installed', members: [] },
];

async function read(routes: Routes) {
  const { jamf, server } = await jamfWith(routes);
  return {
    groups: await readSmartGroups(jamf, names, new AbortController().signal, async () => undefined),
    requests: server.requests,
  };
}

describe('groups', () => {
  it.each<[string, Routes]>([
    ['the newest way', { [smart('v3')]: paged(listed), ...members('v3') }],
    [
      'ids from Classic XML where there is no id-only endpoint',
      {
        [smart('v2')]: paged(listed),
        ...classicGroup(101, ['10', '9', '100'].map((id) => `<computer><id>${id}</id></computer>`).join('')),
        ...classicGroup(102, '<size>0</size>'),
      },
    ],
    [
      'the Classic API alone',
      {
        ...classicList(classicEntry(101, 'Agent Installed'), classicEntry(102, 'Agent Not Installed')),
        ...classicGroup(101, ['10', '9', '100'].map((id) => `<computer><id>${id}</id></computer>`).join('')),
        ...classicGroup(102, ''),
      },
    ],
  ])('are read: %s', async (_name, routes) => {
    expect((await read(routes)).groups).toEqual(both);
  });

  it.each<[string, Routes, string]>([
    ['not there', { [smart('v3')]: paged([listed[2]]), ...members('v3') }, 'no smart group called "Agent Installed"'],
    ['there twice', { [smart('v3')]: paged([...listed, { ...listed[1], id: '9' }]), ...members('v3') }, '2 groups'],
    [
      'a static one',
      {
        ...classicList(classicEntry(101, 'Agent Installed', false), classicEntry(102, 'Agent Not Installed')),
        ...members('v3'),
      },
      'not a smart group',
    ],
    [
      'forbidden',
      { [smart('v3')]: paged(listed), ...members('v3'), [membership('v3', 101)]: forbidden },
      '"Read Smart Computer Groups"',
    ],
    [
      'without a list of members',
      { [smart('v3')]: paged(listed), ...members('v3'), [membership('v3', 101)]: { body: {} } },
      'without a list of members',
    ],
  ])('are a problem of their own when one is %s', async (_name, routes, words) => {
    const { groups } = await read(routes);
    expect(groups).toEqual([
      { holds: 'Installed', name: 'Agent Installed', problem: expect.stringContaining(words) },
      both[1],
    ]);
  });

  it('are both a problem when the list is forbidden, asked for once', async () => {
    const { groups, requests } = await read({ [smart('v3')]: forbidden });
    expect(groups.map((group) => group.problem)).toEqual([
      expect.stringContaining('INVALID_PRIVILEGE'),
      expect.stringContaining('INVALID_PRIVILEGE'),
    ]);
    expect(JSON.stringify(groups)).not.toContain('canary');
    expect(requests).toHaveLength(1);
  });
});

describe('criteria', () => {
  it('of a static group are not asked for', async () => {
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
      problem: expect.stringContaining('"Read Smart Computer Groups" is missing'),
      results: ['unknown', 'unknown'],
    });
  });

  it('say that the settings name none', () => {
    const reading = createEmptyReading();
    createDeploymentChecks(settings, createReadContext(), reading);
    expect(reading.findings.find(({ check }) => check === 'macos.smart-group-installed')).toMatchObject({
      result: 'unknown',
      found: 'the settings name no smart groups',
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
