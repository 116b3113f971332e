import { describe, expect, it } from 'vitest';
import { toOptionalClient } from '../../../src/sources/jamf/client.ts';
import { readSmartGroups } from '../../../src/sources/jamf/groups.ts';
import { isUnread, readAccount, refuseHiddenSite } from '../../../src/sources/jamf/scope.ts';
import { forbidden, jamfWith, paged, type Routes } from './server.ts';

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
    ['v2', { [smart('v2')]: paged(listed), ...members('v2') }],
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
    [
      'in another case',
      { [smart('v3')]: paged([{ id: '5', name: 'agent installed' }, listed[2]]), ...members('v3') },
      'no smart',
    ],
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
    [
      'with a member of no id',
      { [smart('v3')]: paged(listed), ...members('v3'), [membership('v3', 101)]: { body: { members: [null] } } },
      'without an id',
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

describe('an account', () => {
  const privileges = ['Read Computers', 'Read Policies'];
  const sees = (account: unknown, accountGroups: unknown = []): Routes => ({
    'GET /api/v1/auth': { body: { account, accountGroups, sites: [] } },
  });
  const check = async (routes: Routes, site = '') => {
    const { jamf } = await jamfWith(routes);
    const account = await readAccount(toOptionalClient(jamf), new AbortController().signal);
    refuseHiddenSite(jamf, account, site);
    return account;
  };
  const [full, ofSite, ofGroup] = ['FullAccess', 'SiteAccess', 'GroupBasedAccess'].map((accessLevel) => ({
    accessLevel,
  }));

  /** The three forms of an account that sees a part of the fleet, whose total the server reports as if it were all. */
  const limited: readonly (readonly [string, Routes])[] = [
    ['by its access level', sees(ofSite)],
    ['by its access level, although it names all sites', sees({ ...ofSite, privilegesBySite: { '-1': privileges } })],
    ['by its privileges', sees({ ...full, privilegesBySite: { '3': privileges } })],
    ['by the privileges of its groups', sees({ ...ofGroup, privilegesBySite: { '3': privileges, '4': [] } })],
    [
      'where it may read computers in one site alone',
      sees({ ...ofGroup, privilegesBySite: { '-1': ['Read Policies'], '3': privileges } }),
    ],
    ['through a group', sees(ofGroup, [{ ...ofSite, siteId: 3, privileges }])],
    ['through a group, without privileges of its own', sees({ ...ofGroup, privilegesBySite: {} }, [ofSite])],
  ];

  it.each(limited)('that sees one site is refused: %s', async (_how, routes) => {
    await expect(check(routes)).rejects.toMatchObject({ code: 'site-scoped' });
  });

  it.each(limited)('that sees one site is let through where that is meant: %s', async (_how, routes) => {
    await expect(check(routes, 'Headquarters')).resolves.toMatchObject({ limitation: expect.any(String) });
  });

  it.each<[string, Routes]>([
    ['everything', sees(full)],
    ['everything by its privileges', sees({ ...full, privilegesBySite: { '-1': privileges, '3': ['Read Sites'] } })],
    ['what its groups say', sees(ofGroup)],
    ['everything through one of its groups', sees(ofGroup, [ofSite, full])],
    ['no account behind an API client', sees(null)],
    ['no account behind an API client beside groups', sees(null, [ofSite])],
    ['no such endpoint', {}],
    ['an endpoint that refuses', { 'GET /api/v1/auth': forbidden }],
  ])('is let through: %s', async (_name, routes) => {
    await expect(check(routes)).resolves.toMatchObject({ limitation: undefined });
  });

  it.each<[string, Routes]>([
    ['500', { 'GET /api/v1/auth': { status: 500, body: '<html>canary</html>' } }],
    ['400', { 'GET /api/v1/auth': { status: 400 } }],
    ['a web page', { 'GET /api/v1/auth': { body: '<html>canary</html>' } }],
    ['a redirect', { 'GET /api/v1/auth': { status: 302 } }],
  ])('is unknown, and costs nothing else, where its endpoint answers with %s', async (_what, routes) => {
    const account = await check(routes);
    expect(account).toMatchObject({ limitation: undefined, found: { is: 'unread' } });
    expect(isUnread(account)).toBe(true);
    expect(JSON.stringify(account)).not.toContain('canary');
  });
});
