import { describe, expect, test } from 'vitest';
import type { Simulator } from '../../simulator/simulator.ts';
import {
  createStarter,
  inventoryPath,
  readJson,
  readPath,
  requestJamfAccountToken,
  requestJamfToken,
  signInToJamf,
  signInToJamfAsAccount,
  toList,
} from './client.ts';

const start = createStarter({ devices: 60 });

function listMacIds(simulator: Simulator): string[] {
  return simulator.listRecords().flatMap(({ source, id }) => (source === 'macs' ? [id] : []));
}

describe('sign-in', () => {
  test('an account and a client get tokens in their own forms', async () => {
    const simulator = await start();
    expect(Object.keys(await readJson(await requestJamfAccountToken(simulator)))).toEqual(['token', 'expires']);
    expect(await readJson(await requestJamfToken(simulator))).toMatchObject({ token_type: 'Bearer', expires_in: 1799 });
  });

  test('an expired token gets the error of a real server', async () => {
    const get = await signInToJamf(await start({ jamf: { tokenSeconds: 0 } }));
    const response = await get(inventoryPath);
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({
      httpStatus: 401,
      errors: [{ code: 'INVALID_TOKEN', description: 'Unauthorized', id: '0', field: null }],
    });
    expect((await get('/JSSResource/policies')).status).toBe(401);
  });

  test('a wrong secret is refused as RFC 6749 says', async () => {
    const simulator = await start();
    const wrong = await fetch(`${simulator.url}/api/v1/oauth/token`, {
      method: 'POST',
      body: 'grant_type=client_credentials',
    });
    expect(wrong.status).toBe(400);
    expect((await readJson(wrong)).error).toBe('invalid_client');
  });

  test('an older server knows neither the versioned path nor v4 nor v3 groups', async () => {
    const simulator = await start({ jamf: { older: true } });
    expect((await fetch(`${simulator.url}/api/v1/oauth/token`, { method: 'POST' })).status).toBe(404);
    const get = await signInToJamf(simulator);
    expect((await get('/api/v4/computers-inventory')).status).toBe(404);
    expect((await get('/api/v3/computers-inventory')).status).toBe(200);
    expect((await get('/api/v3/computer-groups/smart-groups')).status).toBe(404);
    expect((await get('/api/v2/computer-groups/smart-group-membership/101')).status).toBe(200);
  });

  test('/v1/auth lists the privileges, and a request without one is refused', async () => {
    const simulator = await start({
      jamf: { withoutPrivileges: ['Read Computer Extension Attributes', 'Read Policies'] },
    });
    const get = await signInToJamfAsAccount(simulator);
    const privileges = readPath(await readJson(await get('/api/v1/auth')), 'account', 'privilegesBySite', '-1');
    expect(privileges).toContain('Read Computers');
    expect(privileges).not.toContain('Read Policies');
    const refused = await get('/api/v1/computer-extension-attributes');
    expect(refused.status).toBe(403);
    expect(readPath(await refused.json(), 'errors', 0, 'code')).toBe('INVALID_PRIVILEGE');
    const classic = await get('/JSSResource/policies');
    expect(classic.status).toBe(403);
    expect(await classic.text()).toContain('refusing to fulfill it');
  });

  test('a site-scoped account sees the Macs of its site and no others', async () => {
    const simulator = await start({ jamf: { site: true } });
    const sited = await signInToJamfAsAccount(simulator);
    const page = await readJson(await sited(inventoryPath));
    expect(readPath(await readJson(await sited('/api/v1/auth')), 'account', 'accessLevel')).toBe('SiteAccess');
    expect(page.totalCount).toBe(toList(page.results).length);
    expect(page.totalCount).toBe(listMacIds(simulator).length);
    const all = await readJson(await (await signInToJamf(simulator))(inventoryPath));
    expect(Number(all.totalCount)).toBeGreaterThan(Number(page.totalCount));
  });
});

describe('inventory', () => {
  test('sections that were not requested are null', async () => {
    const get = await signInToJamf(await start());
    const body = await readJson(await get('/api/v4/computers-inventory?section=HARDWARE'));
    expect(readPath(body, 'results', 0, 'general')).toBeNull();
    expect(readPath(body, 'results', 0, 'extensionAttributes')).toBeNull();
    expect(readPath(body, 'results', 0, 'hardware')).not.toBeNull();
  });

  test('v4 and v3 name the contact differently', async () => {
    const get = await signInToJamf(await start());
    const four = readPath(await readJson(await get('/api/v4/computers-inventory')), 'results', 0, 'general');
    const three = readPath(await readJson(await get('/api/v3/computers-inventory')), 'results', 0, 'general');
    expect(four).toHaveProperty('lastContact');
    expect(four).not.toHaveProperty('lastContactTime');
    expect(three).toHaveProperty('lastContactTime');
  });

  test('page-size is silently limited, and the pages together are all Macs', async () => {
    const simulator = await start({ jamf: { pageCap: 7 } });
    const get = await signInToJamf(simulator);
    const all = listMacIds(simulator);
    const ids: unknown[] = [];
    for (let page = 0; page < 9; page += 1) {
      const { totalCount, results } = await readJson(await get(`${inventoryPath}&page-size=500&page=${page}`));
      expect([totalCount, toList(results).length <= 7]).toEqual([all.length, true]);
      ids.push(...toList(results).map((row) => row.id));
    }
    expect(ids).toEqual(all);
  });

  test.each([
    ['id=in=(4,5,999)', (id: number) => id === 4 || id === 5],
    ['id=="5"', (id: number) => id === 5],
  ])('filter %s', async (filter, keep) => {
    const simulator = await start();
    const get = await signInToJamf(simulator);
    const body = await readJson(await get(`${inventoryPath}&filter=${encodeURIComponent(filter)}`));
    const wanted = listMacIds(simulator).filter((id) => keep(Number(id)));
    expect(toList(body.results).map((row) => row.id)).toEqual(wanted);
    expect(body.totalCount).toBe(wanted.length);
  });

  test('an unknown section, and a field that cannot be filtered or sorted by, is refused', async () => {
    const get = await signInToJamf(await start());
    expect((await get('/api/v4/computers-inventory?sort=hardware.serialNumber')).status).toBe(400);
    expect((await get('/api/v4/computers-inventory?filter=extensionAttributes=="1"')).status).toBe(400);
    expect((await get('/api/v4/computers-inventory?filter=id>20')).status).toBe(400);
    expect((await get('/api/v4/computers-inventory?section=NONSENSE')).status).toBe(400);
  });

  test('timestamps have 0 to 3 fraction digits, and there are nulls where real servers have them', async () => {
    const get = await signInToJamf(await start({ devices: 600 }));
    const rows = toList((await readJson(await get(`${inventoryPath}&page-size=2000`))).results);
    const lengths = new Set(
      rows.map((row) => /\.(\d+)Z$/.exec(String(readPath(row, 'general', 'reportDate')))?.[1]?.length ?? 0),
    );
    expect([...lengths].sort()).toEqual([0, 1, 2, 3]);
    expect(rows.some((row) => row.udid === null && readPath(row, 'general', 'name') === null)).toBe(true);
    expect(rows.some((row) => readPath(row, 'general', 'reportDate') === null)).toBe(true);
  });

  const places = [
    ['GENERAL', 'general'],
    ['HARDWARE', 'hardware'],
    ['OPERATING_SYSTEM', 'operatingSystem'],
    ['USER_AND_LOCATION', 'userAndLocation'],
    ['PURCHASING', 'purchasing'],
    ['EXTENSION_ATTRIBUTES', undefined],
  ] as const;

  test.each(places)('the attribute is in section %s only', async (attributeSection, property) => {
    const get = await signInToJamf(await start({ jamf: { attributeSection } }));
    const sections = places.map(([section]) => `section=${section}`).join('&');
    const page = await readJson(await get(`/api/v4/computers-inventory?${sections}&filter=id=="1"`));
    const [body = {}] = toList(page.results);
    const found = places.filter(([, place]) =>
      toList(readPath(place === undefined ? body : body[place], 'extensionAttributes')).some(
        (entry) => entry.name === 'Agent Status',
      ),
    );
    expect(found).toEqual([[attributeSection, property]]);
    const path = '/api/v1/computer-extension-attributes?filter=name=="Agent Status"';
    expect(readPath(await readJson(await get(path)), 'results', 0, 'inventoryDisplayType')).toBe(attributeSection);
  });
});

describe('groups', () => {
  async function members(simulator: Simulator, id: number): Promise<unknown> {
    return (
      await readJson(await (await signInToJamf(simulator))(`/api/v3/computer-groups/smart-group-membership/${id}`))
    ).members;
  }

  test('evaluate their criteria for managed computers', async () => {
    const simulator = await start({ devices: 400 });
    const rows = toList(
      (await readJson(await (await signInToJamf(simulator))(`${inventoryPath}&page-size=2000`))).results,
    );
    const holding = (word: string) =>
      rows
        .filter((row) => readPath(row, 'general', 'remoteManagement', 'managed') === true)
        .filter((row) => {
          const entry = toList(row.extensionAttributes).find((attribute) => attribute.name === 'Agent Status');
          return readPath(entry, 'values', 0) === word;
        })
        .map((row) => Number(row.id));
    expect(await members(simulator, 101)).toEqual(holding('Installed'));
    expect(await members(simulator, 102)).toEqual(holding('Not Installed'));
    expect(holding('Not Installed').length).toBeGreaterThan(3);
  });

  test('have every managed Mac without criteria, either value with both, and none with an unknown attribute', async () => {
    const simulator = await start();
    const group = simulator.jamf.groups.find((candidate) => candidate.id === 101);
    const before = await members(simulator, 101);
    group?.criteria.splice(0);
    const everyone = await members(simulator, 101);
    expect((everyone as number[]).length).toBeGreaterThan((before as number[]).length);
    const criterion = { priority: 0, andOr: 'and' as const, openingParen: false, closingParen: false };
    group?.criteria.push(
      { ...criterion, name: 'Agent Status', searchType: 'is', value: 'Installed' },
      { ...criterion, priority: 1, andOr: 'or', name: 'Agent Status', searchType: 'is', value: 'Not Installed' },
    );
    expect(await members(simulator, 101)).toEqual(
      [...(before as number[]), ...((await members(simulator, 102)) as number[])].sort((one, other) => one - other),
    );
    group?.criteria.splice(0, 2, { ...criterion, name: 'No Such Attribute', searchType: 'is', value: '' });
    expect(await members(simulator, 101)).toEqual([]);
  });

  test('are written as XML too', async () => {
    const get = await signInToJamf(await start());
    const xml = await (await get('/JSSResource/computergroups/id/101')).text();
    expect(xml).toMatch(/^<\?xml .*<computer_group><id>101<\/id><name>Agent Installed<\/name>/);
    expect(xml).toMatch(/<computers><size>\d+<\/size><computer><id>/);
    expect(xml).toContain('<search_type>is</search_type>');
  });
});

test('policies, scripts, profiles and the attribute are what the deployment document asks for', async () => {
  const simulator = await start();
  const get = await signInToJamf(simulator);
  const policy = await (await get('/JSSResource/policies/id/14')).text();
  expect(policy).toContain('<name>enroll.sh</name><priority>After</priority><parameter4>muster-reader</parameter4>');
  expect(policy).toContain('<maintenance><recon>true</recon>');
  const scripts = toList((await readJson(await get('/api/v1/scripts?filter=name=="enroll.sh"'))).results);
  expect(scripts.map((script) => script.parameter9)).toEqual(['circleId']);
  expect(scripts[0]?.scriptContents).toContain('\r\n');
  const attribute = await (await get('/JSSResource/computerextensionattributes/id/23')).text();
  expect(attribute).toContain('<script>#!/bin/sh&#13;\n');
  const profile = await (await get('/JSSResource/osxconfigurationprofiles/id/31')).text();
  expect(profile).toContain('&lt;key&gt;AllowedTeamIdentifiers&lt;/key&gt;');
  const missing = await get('/JSSResource/policies/id/999');
  expect(missing.status).toBe(404);
  expect(missing.headers.get('content-type')).toMatch('text/html');
});
