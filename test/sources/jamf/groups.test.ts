import { describe, expect, it } from 'vitest';
import type { JamfReading } from '../../../src/deployment/checks/jamf/reading.ts';
import { readSmartGroups } from '../../../src/sources/jamf/groups.ts';
import type { Recorder } from '../../../src/sources/reading/progress.ts';
import { forbidden, jamfWith, paged, type Routes } from './server.ts';

const names = { installed: 'Agent Installed', notInstalled: 'Agent Not Installed' };
const listed = [
  { id: '1', siteId: '-1', name: 'All Managed Clients', membershipCount: 3 },
  { id: '101', siteId: '-1', name: 'Agent Installed', membershipCount: 3 },
  { id: '102', siteId: '-1', name: 'Agent Not Installed', membershipCount: 0 },
];
const smart = (version: string) => `GET /api/${version}/computer-groups/smart-groups`;
const membership = (version: string, id: number) => `GET /api/${version}/computer-groups/smart-group-membership/${id}`;
const details = (version: string, id: number) => `GET /api/${version}/computer-groups/smart-groups/${id}`;
const criterion = (value: string) => ({ name: 'Agent Status', searchType: 'is', value });
const criteria = (version: string): Routes => ({
  [details(version, 101)]: { body: { criteria: [criterion('Installed')] } },
  [details(version, 102)]: { body: { criteria: [criterion('Not Installed')] } },
});
const members = (version: string): Routes => ({
  ...criteria(version),
  [membership(version, 101)]: { body: { members: [10, 9, 100, 9] } },
  [membership(version, 102)]: { body: { members: [] } },
});
const classicGroup = (id: number, value: string, computers: string) => ({
  [`GET /JSSResource/computergroups/id/${id}`]: {
    body: `<computer_group><id>${id}</id><is_smart>true</is_smart><criteria><size>1</size><criterion>
      <name>Agent Status</name><search_type>is</search_type><value>${value}</value></criterion></criteria>
      <computers>${computers}</computers></computer_group>`,
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
  const recorded: Partial<JamfReading> = {};
  const record: Recorder<JamfReading> = (part) => void Object.assign(recorded, part);
  const { signal } = new AbortController();
  const groups = await readSmartGroups(names, { jamf, signal, attributeName: 'Agent Status', site: '', record });
  return { groups, recorded, requests: server.requests };
}

describe('groups', () => {
  it.each<[string, Routes]>([
    ['the newest way', { [smart('v3')]: paged(listed), ...members('v3') }],
    [
      'ids from Classic XML where there is no id-only endpoint',
      {
        [smart('v2')]: paged(listed),
        ...criteria('v2'),
        ...classicGroup(
          101,
          'Installed',
          ['10', '9', '100'].map((id) => `<computer><id>${id}</id></computer>`).join(''),
        ),
        ...classicGroup(102, 'Not Installed', '<size>0</size>'),
      },
    ],
    [
      'the Classic API alone',
      {
        ...classicList(classicEntry(101, 'Agent Installed'), classicEntry(102, 'Agent Not Installed')),
        ...classicGroup(
          101,
          'Installed',
          ['10', '9', '100'].map((id) => `<computer><id>${id}</id></computer>`).join(''),
        ),
        ...classicGroup(102, 'Not Installed', ''),
      },
    ],
  ])('are read: %s', async (_name, routes) => {
    expect((await read(routes)).groups).toEqual(both);
  });

  it.each<[string, Routes, string]>([
    ['not there', { [smart('v3')]: paged([listed[2]]), ...members('v3') }, 'there is no smart group of that name'],
    ['there twice', { [smart('v3')]: paged([...listed, { ...listed[1], id: '9' }]), ...members('v3') }, 'there are 2'],
    [
      'a static one',
      {
        ...classicList(classicEntry(101, 'Agent Installed', false), classicEntry(102, 'Agent Not Installed')),
        ...members('v3'),
      },
      'a static group',
    ],
    [
      'about something else',
      {
        [smart('v3')]: paged(listed),
        ...members('v3'),
        [details('v3', 101)]: { body: { criteria: [criterion('Not Installed')] } },
      },
      'its value is "Not Installed"',
    ],
    [
      'forbidden in its criteria',
      { [smart('v3')]: paged(listed), ...members('v3'), [details('v3', 101)]: forbidden },
      '"Read Smart Computer Groups" is missing',
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
    const { groups, recorded, requests } = await read({ [smart('v3')]: forbidden });
    expect(groups.map((group) => group.problem)).toEqual([
      expect.stringContaining('INVALID_PRIVILEGE'),
      expect.stringContaining('INVALID_PRIVILEGE'),
    ]);
    expect(JSON.stringify(groups)).not.toContain('canary');
    expect(recorded.notInstalledGroup).toMatchObject({ why: expect.stringContaining('Computer Groups" is missing') });
    expect(requests).toHaveLength(1);
  });

  it('are recorded for the checks with their criteria', async () => {
    const { recorded } = await read({ [smart('v3')]: paged([listed[2]]), ...members('v3') });
    expect(recorded).toMatchObject({
      installedGroup: { kind: 'none' },
      notInstalledGroup: { kind: 'one', value: { smart: true, criteria: [criterion('Not Installed')] } },
    });
  });
});
