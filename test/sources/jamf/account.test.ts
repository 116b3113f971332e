/** What an account may see, and what is read beside the computers: the names of places. */
import { describe, expect, it } from 'vitest';
import { omitUndefined } from '../../../src/base/omit-undefined.ts';
import {
  isUnread,
  parseAccount,
  readAccount,
  refuseHiddenSite,
  refuseUnconfirmedSite,
} from '../../../src/sources/jamf/account.ts';
import { toJamfReadFailure } from '../../../src/sources/jamf/client.ts';
import type { InventoryRow } from '../../../src/sources/jamf/parse.ts';
import { addPlaceNames, readPlaceNames } from '../../../src/sources/jamf/places.ts';
import { parseOne } from './builders.ts';
import { forbidden, jamfWith, paged, type Reply, type Routes } from './server.ts';

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
    [
      'of a group with site access, without privileges of its own',
      { accessLevel: 'GroupBasedAccess', privilegesBySite: {} },
      [{ accessLevel: 'SiteAccess' }],
      'its rights come from a group with site access',
    ],
    ['without a list of privileges', { privilegesBySite: null }, [], undefined],
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
    [
      'of a group with site access and one of no known level',
      { accessLevel: 'GroupBasedAccess' },
      [{ accessLevel: 'SiteAccess' }, { accessLevel: 'other' }],
      'its rights come from a group with site access',
    ],
    [
      'of full access beside a group with less',
      { accessLevel: 'FullAccess' },
      [{ accessLevel: 'SiteAccess' }],
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
      isDescribed: false,
      found: { username: undefined, privileges: undefined },
    });
  });

  it.each<[string, Reply, object]>([
    ['without the endpoint', { status: 404, body: {} }, { username: undefined, privileges: undefined }],
    ['without the permission', forbidden, { username: undefined, privileges: undefined }],
    ['of a server that fails', { status: 400, body: { canary: 1 } }, { kind: 'unread' }],
    ['of a server that answers with a web page', { body: '<html>canary</html>' }, { kind: 'unread' }],
  ])('%s has no limitation that anybody knows of', async (_, reply, found) => {
    const { jamf } = await jamfWith({ 'GET /api/v1/auth': reply });
    const read = await readAccount(jamf, new AbortController().signal);
    expect(read).toMatchObject({ limitation: undefined, found });
    expect(isUnread(read)).toBe('kind' in found);
    expect(JSON.stringify(read)).not.toContain('canary');
    const stopped = AbortSignal.abort(new Error('stopped'));
    await expect(readAccount(jamf, stopped)).rejects.toThrow('stopped');
  });

  const sees = (accessLevel: string): Routes => ({ 'GET /api/v1/auth': { body: { account: { accessLevel } } } });
  const check = async (routes: Routes, site = '') => {
    const { jamf } = await jamfWith(routes);
    const account = await readAccount(jamf.optional(), new AbortController().signal);
    refuseHiddenSite(jamf, account, site);
    return account;
  };

  it('that sees one site is refused, unless that is meant', async () => {
    await expect(check(sees('SiteAccess'))).rejects.toMatchObject({ code: 'site-scoped' });
    await expect(check(sees('SiteAccess'), 'Berlin')).resolves.toMatchObject({ limitation: expect.any(String) });
    await expect(check(sees('FullAccess'))).resolves.toMatchObject({ limitation: undefined });
  });

  it('that nobody describes is refused where its Macs are all of one site', async () => {
    const { jamf } = await jamfWith({});
    const refuse = (...sites: readonly (string | undefined)[]) => {
      refuseUnconfirmedSite(
        jamf,
        parseAccount(null),
        sites.map((site) => omitUndefined({ site })),
      );
    };
    const one = /to the same site, as for an account of one site\..* or confirm with "site"/;
    expect(() => refuse('Berlin', 'Berlin')).toThrow(one);
    expect(() => refuse('Berlin', 'Bonn', 'Berlin')).not.toThrow();
    expect(() => refuse('Berlin', undefined)).not.toThrow();
    expect(() => refuse()).not.toThrow();
  });
});

describe('the names of places', () => {
  it('are added where they are known', async () => {
    const { jamf } = await jamfWith({
      'GET /api/v1/departments': paged([{ id: '4', name: 'Sales' }, { id: 5, name: ' ' }, null]),
      'GET /api/v1/buildings': forbidden,
    });
    const nameAt = async (server: typeof jamf, places: Partial<InventoryRow>) => {
      const row = { ...parseOne(), ...places };
      addPlaceNames([row], await readPlaceNames(server));
      return row.device;
    };
    const { device } = parseOne();
    const inFour = { departmentId: '4', buildingId: '4' };
    expect(await nameAt(jamf, inFour)).toEqual({ ...device, department: 'Sales' });
    expect(await nameAt(jamf, { departmentId: '5' })).toEqual(device);
    expect(await nameAt(jamf, {})).toEqual(device);
    const buildings = await jamfWith({
      'GET /api/v1/departments': forbidden,
      'GET /api/v1/buildings': paged([{ id: '4', name: 'North' }]),
    });
    expect(await nameAt(buildings.jamf, inFour)).toEqual({ ...device, building: 'North' });
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
    kind: 'unread',
    why: 'cannot be read: the privilege "Read X" is missing',
    advice: 'Grant "Read X" to the account or API client.',
  };
  expect(await failing(forbidden)).toEqual(missing);
  expect(await failing({ status: 404, body: {} })).toMatchObject({
    kind: 'unread',
    why: 'could not be read [not-found]',
  });
});
