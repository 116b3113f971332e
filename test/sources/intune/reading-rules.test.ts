/** What is read of a device, a report or an app, and what is compared: a table for each rule. */
import { jwtVerify } from 'jose';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { MusterError } from '../../../src/errors.ts';
import {
  type AppDefinition,
  buildAppInstrument,
  toAppsFailure,
  toAppsReading,
} from '../../../src/sources/intune/apps.ts';
import { createCertificateProof } from '../../../src/sources/intune/certificate.ts';
import { createProofProvider } from '../../../src/sources/intune/client-proof.ts';
import { isSameReport } from '../../../src/sources/intune/compare-rows.ts';
import { parseManagedDevice } from '../../../src/sources/intune/listing.ts';
import {
  countUnlistedDevices,
  foldDeviceId,
  groupRowsByDevice,
  parseDevice,
  parseGraphTime,
  parseListedDevice,
  parseReportAnswers,
  readDeviceId,
} from '../../../src/sources/intune/parse.ts';
import { parseReportCsv, parseReportPage, type ReportRow } from '../../../src/sources/intune/report.ts';
import { intuneRules } from '../../../src/sources/intune/rules.ts';
import { fakeClock } from '../../http/loopback.ts';
import { makeCertificate } from '../../peers/certificate.ts';
import { appId, readNight, reply, startTenant, type Tenant, windowsApp } from './tenant.ts';

const row: ReportRow = {
  ...{ deviceId: 'D', userId: 'u', state: '1', stateDetail: '0', errorCode: '0', hexErrorCode: '0x0' },
  ...{ modifiedAt: '', hasFilter: undefined },
};

describe('a time', () => {
  it.each([
    ['2026-11-19t22:10:33z', '2026-11-19T22:10:33.000Z'],
    [' 2026-11-19 22:10:33 ', '2026-11-19T22:10:33.000Z'],
    ['2026-11-19T22:10:33.1', '2026-11-19T22:10:33.100Z'],
    ['2026-11-19T22:10:33.123456789012', '2026-11-19T22:10:33.123Z'],
    ['2026-11-19T22:10:33-01:30', '2026-11-19T23:40:33.000Z'],
    ['0002-01-01T00:00:00Z', '0002-01-01T00:00:00.000Z'],
    ['9998-12-31T00:00:00Z', '9998-12-31T00:00:00.000Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['0000-01-01T00:00:00Z', undefined],
    ['9999-01-01T00:00:00Z', undefined],
    ['2026-02-29T00:00:00Z', undefined],
    ['2026-04-31T00:00:00Z', undefined],
    ['2026-11-19T22:10:33+0100', undefined],
    ['2026-11-19T22:10:33.Z', undefined],
    ['2026-11-19', undefined],
    ['x2026-11-19T22:10:33Z', undefined],
    ['2026-11-19T22:10:33Zx', undefined],
  ])('%j is %s', (value, expected) => {
    expect(parseGraphTime(value)).toBe(expected);
  });
});

describe('a time without a zone', () => {
  const zone = process.env.TZ;
  afterEach(() => {
    process.env.TZ = zone;
    if (zone === undefined) {
      delete process.env.TZ;
    }
  });
  it('is UTC, wherever Muster runs', () => {
    process.env.TZ = 'America/New_York';
    expect(new Date('2026-11-19T22:10:33').toISOString()).toBe('2026-11-20T03:10:33.000Z');
    expect(parseGraphTime('2026-11-19 22:10:33')).toBe('2026-11-19T22:10:33.000Z');
  });
});

describe('a device', () => {
  it.each([
    ['a-1', 'a-1'],
    ['x'.repeat(1024), 'x'.repeat(1024)],
    ['x'.repeat(1025), undefined],
    [' ', undefined],
    [7, undefined],
    [undefined, undefined],
  ])('has an id that is whole: %#', (id, expected) => {
    expect(readDeviceId({ id })).toBe(expected);
  });

  it('of the list has the fields that were asked for; without an id it is unreadable', () => {
    expect(parseManagedDevice({ id: 'd', model: 'M', other: 'x' }, 'Graph', ['id', 'model'])).toEqual({
      id: 'd',
      model: 'M',
    });
    expect(parseManagedDevice({ id: 'd', model: 'M', secret: 'x' }, 'Graph')).not.toHaveProperty('secret');
    expect(() => parseManagedDevice({ id: '' }, 'Graph')).toThrow(
      expect.objectContaining({ code: 'answer-unreadable' }),
    );
  });

  it('has facts where it runs Windows, and only an id where not', () => {
    expect(parseListedDevice({ id: 'd', operatingSystem: 'WINDOWS', model: 'M' })).toEqual({
      id: 'd',
      facts: { id: 'd', platform: 'windows', model: 'M', answers: [] },
    });
    expect(parseListedDevice({ id: 'd', operatingSystem: 'iOS', model: 'M' })).toEqual({ id: 'd' });
  });

  it('has each field from its own', () => {
    const known = {
      ...{ deviceName: 'n', serialNumber: 's', userPrincipalName: 'u', osVersion: 'o', model: 'm' },
      ...{ lastSyncDateTime: '2026-11-19T00:00:00Z', enrolledDateTime: '2025-11-19T00:00:00Z' },
      ...{ managementState: 'ms', managementAgent: 'ma', managedDeviceOwnerType: 'company' },
    };
    const facts = {
      ...{ id: 'd', platform: 'windows', name: 'n', serialNumber: 's', user: 'u', osVersion: 'o', model: 'm' },
      ...{ lastSeenAt: '2026-11-19T00:00:00.000Z', enrolledAt: '2025-11-19T00:00:00.000Z' },
      ...{ managementState: 'ms', managementAgent: 'ma', ownership: 'company', answers: [] },
    };
    expect(parseDevice({ id: 'd', ...known, deviceCategoryDisplayName: 'Kiosk' }, [])).toEqual({
      ...facts,
      category: 'Kiosk',
    });
    for (const none of ['Unknown', ' ', null]) {
      expect(parseDevice({ id: 'd', ...known, deviceCategoryDisplayName: none }, [])).toStrictEqual(facts);
    }
  });

  it('is the same whatever the case, the braces and the blanks of its id', () => {
    expect(foldDeviceId(' {ABC-1}\t')).toBe('abc-1');
    const grouped = groupRowsByDevice([{ ...row, deviceId: '{d}' }, row, { ...row, deviceId: 'e' }]);
    expect([grouped.size, grouped.has('d'), grouped.has('f')]).toEqual([2, true, false]);
    expect(['d', 'e', 'f', '{d}', 'd'].map((id) => grouped.take(id).length)).toEqual([2, 1, 0, 0, 0]);
  });

  it('that only the report knows is counted, once, and a row of none is not', () => {
    const rows = groupRowsByDevice([
      row,
      row,
      { ...row, deviceId: 'E' },
      { ...row, deviceId: ' ' },
      { ...row, deviceId: 'f' },
    ]);
    expect(countUnlistedDevices(rows, [{ id: '{D}' }])).toBe(2);
    expect(countUnlistedDevices(rows, [])).toBe(3);
  });
});

describe('answers', () => {
  const answers = (...rows: Partial<ReportRow>[]) => parseReportAnswers(rows.map((more) => ({ ...row, ...more })));

  it('are in order of their time, then state, user and detail', () => {
    const shuffled = [
      { state: '3', userId: 'b' },
      { state: '1', userId: 'b', modifiedAt: '2026-11-19T00:00:00Z' },
      { state: '3', userId: 'a', stateDetail: '2' },
      { state: '3', userId: 'a', stateDetail: '1' },
      { state: '1', userId: 'c', modifiedAt: '2026-11-18T00:00:00Z' },
    ];
    const expected = [
      { value: '3', detail: 'state detail 1' },
      { value: '3', detail: 'state detail 2' },
      { value: '3' },
      { value: '1', at: '2026-11-18T00:00:00.000Z' },
      { value: '1', at: '2026-11-19T00:00:00.000Z' },
    ];
    expect(answers(...shuffled)).toStrictEqual(expected);
    expect(answers(...shuffled.toReversed())).toStrictEqual(expected);
  });

  it.each([
    [{ errorCode: ' ', hexErrorCode: '0x00000000', stateDetail: '0.0' }, undefined],
    [{ errorCode: ' 5 ', hexErrorCode: '0x5', stateDetail: ' 7 ' }, 'error 5 (0x5), state detail 7'],
    [{ errorCode: '5', hexErrorCode: '0' }, 'error 5'],
    [{ errorCode: '0', hexErrorCode: 'bad' }, 'error bad'],
    [{ stateDetail: 'x'.repeat(2000) }, `state detail ${'x'.repeat(1024 - 13)}`],
  ])('have the detail of their codes: %#', (codes, detail) => {
    expect(answers(codes)).toStrictEqual([{ value: '1', ...(detail === undefined ? {} : { detail }) }]);
  });

  it('are bounded', () => {
    expect(answers({ state: 'x'.repeat(2000) })[0]?.value).toHaveLength(1024);
  });
});

describe('a report', () => {
  const csv = (header: string, ...lines: string[]) =>
    parseReportCsv([Buffer.from([header, ...lines].join('\n'))], 'Graph');
  const page = (body: object) => parseReportPage(body, 'Graph');

  it.each([
    ['1', true],
    [' TRUE ', true],
    ['0', false],
    ['False', false],
    ['', undefined],
    ['yes', undefined],
    ['toString', undefined],
  ])('says of filters %j: %s', async (flag, expected) => {
    const header = 'DeviceId,InstallState,AssignmentFilterIdsExist';
    expect((await csv(header, `D,1,${flag}`))[0]?.hasFilter).toBe(expected);
  });

  it.each([
    [true, true],
    [0, false],
    [1, true],
    [null, undefined],
    [{}, undefined],
  ])('of the synchronous action says of filters %j: %s', (flag, expected) => {
    const Schema = ['DeviceId', 'InstallState', 'AssignmentFilterIdsExist'].map((Column) => ({ Column }));
    expect(page({ TotalRowCount: 1, Schema, Values: [['D', 1, flag]] }).rows[0]?.hasFilter).toBe(expected);
  });

  it('without that column says nothing of filters', async () => {
    expect((await csv('DeviceId,InstallState', 'D,1'))[0]).toEqual({
      ...{ deviceId: 'D', userId: '', state: '1', stateDetail: '', errorCode: '', hexErrorCode: '', modifiedAt: '' },
      hasFilter: undefined,
    });
  });

  it('has its columns by their names, with blanks around, and the first row is the header', async () => {
    expect(
      (await csv(' InstallState , DeviceId ', '3,D')).map(({ deviceId, state }) => `${deviceId} ${state}`),
    ).toEqual(['D 3']);
  });

  it.each<[string, () => unknown, string]>([
    ['no bytes', () => parseReportCsv([], 'Graph'), 'The app report of Graph is empty and has no header.'],
    ['bytes that are no text', () => parseReportCsv([Buffer.from([0xff, 0xfe, 0x41])], 'Graph'), 'is not UTF-8 text.'],
    ['a column twice', () => csv('DeviceId,InstallState,UserId,UserId', 'D,1,u,u'), 'has the column UserId 2 times.'],
    ['no DeviceId', () => csv('InstallState', '1'), 'lacks the column DeviceId.'],
    ['no InstallState', () => csv('DeviceId', 'D'), 'lacks the column InstallState.'],
    [
      'a short row in the third line',
      () => csv('DeviceId,InstallState', 'D,1', 'D'),
      'is broken (CSV_RECORD_INCONSISTENT_FIELDS_LENGTH in line 3).',
    ],
    [
      'a record that never ends',
      () => csv('DeviceId,InstallState', `${'x'.repeat(1024 * 1024 + 1)},1`),
      'is broken (CSV_MAX_RECORD_SIZE',
    ],
    ['a body that is a list', () => page([]), 'is not an object.'],
    ['no total', () => page({ Values: [] }), 'has no TotalRowCount.'],
    ['a total of a fraction', () => page({ TotalRowCount: 1.5, Values: [] }), 'has no TotalRowCount.'],
    ['no values', () => page({ TotalRowCount: 0, Schema: [] }), 'has no Values.'],
    ['no schema', () => page({ TotalRowCount: 1, Values: [[]] }), 'has no Schema.'],
    [
      'a schema of something else',
      () => page({ TotalRowCount: 1, Schema: [null, {}], Values: [[1, 2]] }),
      'lacks the column DeviceId.',
    ],
    [
      'a longer row',
      () =>
        page({ TotalRowCount: 1, Schema: [{ Column: 'DeviceId' }, { Column: 'InstallState' }], Values: [['D', 1, 2]] }),
      'has a row of another length.',
    ],
    [
      'a row that is a text',
      () => page({ TotalRowCount: 1, Schema: [{ Column: 'DeviceId' }, { Column: 'InstallState' }], Values: ['D1'] }),
      'has a row of another length.',
    ],
    [
      'a cell that is a list',
      () =>
        page({ TotalRowCount: 1, Schema: [{ Column: 'DeviceId' }, { Column: 'InstallState' }], Values: [['D', []]] }),
      'has something other than text or a number in InstallState.',
    ],
  ])('with %s is refused', async (_, read, why) => {
    const refused = { code: 'answer-unreadable', message: expect.stringContaining(why) };
    await expect((async () => read())()).rejects.toMatchObject(refused);
  });

  it('of the synchronous action may have no row, whatever its schema', () => {
    expect(page({ TotalRowCount: 7, Values: [] })).toEqual({ total: 7, rows: [] });
    expect(
      page({ TotalRowCount: 1, Schema: [{ Column: 'InstallState' }, { Column: 'DeviceId' }], Values: [[null, 'D']] })
        .rows,
    ).toMatchObject([{ deviceId: 'D', state: '' }]);
  });

  const rows = (count: number, more: Partial<ReportRow> = {}) =>
    Array.from({ length: count }, (_, index) => ({ ...row, deviceId: `d${index}`, ...more }));
  it.each<[string, ReportRow[], ReportRow[], boolean]>([
    [
      'the same rows in another order and case',
      rows(9),
      rows(9)
        .toReversed()
        .map((one) => ({ ...one, deviceId: `{${one.deviceId.toUpperCase()}}`, userId: 'U' })),
      true,
    ],
    ['five more', rows(20), rows(25), true],
    ['six more', rows(20), rows(26), false],
    ['six fewer', rows(26), rows(20), false],
    [
      'five other devices',
      [...rows(20), ...rows(5).map((one) => ({ ...one, deviceId: `a${one.deviceId}` }))],
      [...rows(20), ...rows(5).map((one) => ({ ...one, deviceId: `b${one.deviceId}` }))],
      true,
    ],
    [
      'six other devices',
      [...rows(20), ...rows(6).map((one) => ({ ...one, deviceId: `a${one.deviceId}` }))],
      [...rows(20), ...rows(6).map((one) => ({ ...one, deviceId: `b${one.deviceId}` }))],
      false,
    ],
    ['the same devices of other users', rows(9), rows(9, { userId: 'v' }), false],
    ['half a per cent of many more', rows(2000), rows(2010), true],
    ['more than half a per cent of many more', rows(2000), rows(2011), false],
  ])('and another are the same with %s: %#', (_, one, other, expected) => {
    expect(isSameReport(one, other)).toBe(expected);
  });
});

describe('the apps', () => {
  const facts = {
    ...{
      id: 'a',
      type: 'win32LobApp',
      publishingState: 'published',
      installCommand: '',
      uninstallCommand: '',
      setupFile: '',
    },
    detectionRules: [{ path: 'p' }] as Readonly<Record<string, unknown>>[],
    assignments: [
      { intent: 'available', target: 'groupAssignmentTarget', groupId: '1' },
      { intent: 'required', target: 'groupAssignmentTarget', groupId: '2' },
    ],
  };
  const unread = { is: 'unread', why: 'w', advice: 'a' } as const;
  const app = (more: object = {}): AppDefinition => ({ id: 'a', facts: { ...facts, ...more } });
  const instrument = (
    apps: readonly AppDefinition[],
    hasFilters: boolean | undefined,
    remembered?: { fingerprint: string },
  ) => buildAppInstrument(apps, { who: 'Graph', hasFilters, remembered });
  const plain = instrument([app()], false);

  it('have the fingerprint of what decides the states, and of nothing else', () => {
    expect(plain).toEqual({ id: 'a', fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(instrument([app({ installCommand: 'x', type: 'y', publishingState: 'z', setupFile: 's' })], false)).toEqual(
      plain,
    );
    expect(instrument([app({ assignments: facts.assignments.toReversed() })], false)).toEqual(plain);
    for (const [index, change] of [
      { detectionRules: [{ path: 'q' }] },
      { detectionRules: [] },
      { assignments: facts.assignments.slice(1) },
      { assignments: facts.assignments.map((one) => ({ ...one, intent: 'required' })) },
      { assignments: facts.assignments.map((one) => ({ ...one, target: 'x' })) },
      { assignments: facts.assignments.map((one) => ({ ...one, groupId: undefined })) },
    ].entries()) {
      expect(instrument([app(change)], false).fingerprint, String(index)).not.toBe(plain.fingerprint);
    }
    const two = instrument([app(), { ...app(), id: 'b' }], false);
    expect([two.id, two.fingerprint === plain.fingerprint]).toEqual(['a,b', false]);
  });

  it('have another fingerprint with filters; where nobody knows, it is as it was', () => {
    const filtered = instrument([app()], true);
    expect(filtered.fingerprint).not.toBe(plain.fingerprint);
    const remember = ({ fingerprint = '' }: typeof plain) => ({ fingerprint });
    expect(instrument([app()], undefined, remember(filtered))).toEqual(filtered);
    expect(instrument([app()], undefined, remember(plain))).toEqual(plain);
    expect(instrument([app()], undefined)).toEqual(plain);
    expect(instrument([app()], false, remember(filtered))).toEqual(plain);
  });

  it('have none where anything of one could not be read', () => {
    expect(instrument([app(), { id: 'b', facts: undefined }], false)).toEqual({ id: 'a,b' });
    expect(instrument([app({ assignments: unread }), app()], false)).toEqual({ id: 'a,a' });
    let deep: object = {};
    for (let level = 0; level < 100_000; level += 1) {
      deep = { deep };
    }
    expect(() => instrument([app({ detectionRules: [deep] })], false)).toThrow(
      expect.objectContaining({ code: 'answer-unreadable', message: expect.stringContaining('nested too deeply') }),
    );
  });

  it('that may not be read are unread, all of them', () => {
    expect(toAppsReading([app()])).toEqual([facts]);
    expect(toAppsReading([app(), { id: 'b', facts: undefined }])).toEqual({
      is: 'unread',
      why: 'cannot be read: the application permission DeviceManagementApps.Read.All is missing',
      advice: 'Grant the application permission DeviceManagementApps.Read.All.',
    });
  });

  it.each([
    ['app-missing', 'absent', 'an app in the settings does not exist'],
    ['app-ambiguous', 'absent', 'several apps have that name'],
    ['licence-missing', 'unread', 'the tenant has no active Microsoft Intune licence'],
    ['request-failed', 'unread', 'could not be read [request-failed]'],
  ] as const)('that end with %s are %s', (code, is, why) => {
    expect(toAppsFailure(new MusterError(code, 'x'))).toMatchObject({ is, why });
  });
});

describe('an app by its name', () => {
  let tenant: Tenant;
  beforeEach(async () => {
    tenant = await startTenant();
  });
  afterEach(() => tenant.close());
  const other = 'AAAAAAAA-8888-7777-6666-555555555555';
  const read = (apps: readonly string[]) => readNight(tenant, { settings: { apps } });

  it.each<[string, Record<string, unknown>[], string]>([
    ['alone', [windowsApp], appId],
    [
      'in upper case',
      [
        { ...windowsApp, id: other },
        { ...windowsApp, id: other.toLowerCase(), displayName: 'x' },
      ],
      other.toLowerCase(),
    ],
    [
      'beside a macOS package',
      [{ ...windowsApp, id: other, '@odata.type': '#microsoft.graph.macOSPkgApp' }, windowsApp],
      appId,
    ],
    ['beside one without a usable id', [{ ...windowsApp, id: 'x' }, windowsApp], appId],
    ['beside one in another case', [{ ...windowsApp, id: other, displayName: 'endpoint agent' }, windowsApp], appId],
    ['twice under one id', [windowsApp, { ...windowsApp, id: appId.toUpperCase() }], appId],
  ])('is found %s', async (_, apps, expected) => {
    tenant.world.apps = apps;
    expect((await read(['Endpoint agent'])).reading.instrument.id).toBe(expected);
  });

  it('is read once where the settings have its id, in whichever case, and its name', async () => {
    const { reading } = await read(['Endpoint agent', appId.toUpperCase(), appId]);
    expect(reading.instrument.id).toBe(appId);
    expect(tenant.seen.filter(({ path }) => path.endsWith(`/mobileApps/${appId}`))).toHaveLength(1);
  });

  it('is ambiguous where two have it, and missing where none has, with the nearest', async () => {
    tenant.world.apps = [windowsApp, { ...windowsApp, id: other }];
    const message = `has 2 apps called "Endpoint agent": ${[appId, other.toLowerCase()].sort().join(', ')}.`;
    expect((await read(['Endpoint agent'])).error).toMatchObject({
      code: 'app-ambiguous',
      message: expect.stringContaining(message),
    });
    expect((await read(['Endpoint agnet'])).error).toMatchObject({
      code: 'app-missing',
      message: expect.stringContaining('has no app "Endpoint agnet". Did you mean "Endpoint agent"? Check'),
    });
    expect((await read(['11111111-8888-7777-6666-555555555555'])).error).toMatchObject({ code: 'app-missing' });
  });

  it('is missing without a nearest where the apps have no names, or cannot be listed', async () => {
    const missing = { code: 'app-missing', message: expect.stringContaining('has no app "Endpoint agnet". Check') };
    tenant.world.apps = [{ ...windowsApp, displayName: null }];
    expect((await read(['Endpoint agnet'])).error).toMatchObject(missing);
    tenant.world.mischief = ({ url }) => (url.search.includes('select') ? reply({}, 400) : undefined);
    expect((await read(['Endpoint agnet'])).error).toMatchObject(missing);
  });

  it('is asked for in lower case, with its assignments', async () => {
    tenant.world.apps = [{ ...windowsApp, id: other.toLowerCase() }];
    expect((await read([other])).reading.instrument.id).toBe(other.toLowerCase());
    const asked = tenant.seen.filter(({ path }) => path.includes('/mobileApps/'));
    expect(asked.map(({ url }) => decodeURIComponent(url.search))).toEqual(['?$expand=assignments']);
  });

  it('is measured by its detection rules, and not by its requirements', async () => {
    const { reading } = await read([appId]);
    tenant.world.apps = [{ ...windowsApp, rules: windowsApp.rules.map((rule) => ({ ...rule, path: 'D:' })) }];
    expect((await read([appId])).reading.instrument.fingerprint).not.toBe(reading.instrument.fingerprint);
    const requirement = { '@odata.type': '#microsoft.graph.win32LobAppFileSystemRule', ruleType: 'requirement' };
    tenant.world.apps = [{ ...windowsApp, rules: [requirement, ...windowsApp.rules] }];
    expect((await read([appId])).reading.instrument).toEqual(reading.instrument);
  });

  it('has its assignments from the answer, from further pages, or not at all', async () => {
    const first = await read([appId]);
    const shown = first.reading.findings.find(({ check }) => check === 'windows.assignment')?.found;
    expect(shown).toMatch(/^available to the group "aaaaaaaa-0000-0000-0000-000000000001"; /);
    expect(tenant.seen.some(({ path }) => path.endsWith('/assignments'))).toBe(false);
    tenant.world.apps = [{ ...windowsApp, assignments: undefined }];
    tenant.world.mischief = ({ path }) =>
      path.endsWith('/assignments') ? reply({ value: windowsApp.assignments }) : undefined;
    const paged = await read([appId]);
    expect(paged.reading.instrument).toEqual(first.reading.instrument);
    const asked = tenant.seen.filter(({ path }) => path.endsWith('/assignments')).map(({ url }) => url.search);
    expect(asked).toEqual(['']);
    const toUsers = {
      intent: 'required',
      target: { '@odata.type': '#microsoft.graph.allLicensedUsersAssignmentTarget' },
    };
    tenant.world.mischief = ({ path }) => (path.endsWith('/assignments') ? reply({ value: [toUsers] }) : undefined);
    const { findings } = (await read([appId])).reading;
    expect(findings.find(({ check }) => check === 'windows.assignment')?.found).toMatch(/^required for all users; /);
    tenant.world.mischief = ({ path }) => (path.endsWith('/assignments') ? reply({}, 400) : undefined);
    const unread = await read([appId]);
    expect(unread.reading.instrument).toEqual({ id: appId });
    expect(unread.reading.findings.find(({ check }) => check === 'windows.assignment')?.found).toContain(
      'its assignments could not be read [',
    );
  });
});

describe('a certificate', () => {
  const made = makeCertificate(new Date('2027-01-02T00:00:00Z'));
  const other = makeCertificate();
  const now = new Date('2026-11-20T05:15:00Z');

  it.each([
    ['in line breaks', made.pem],
    ['in line breaks of two characters', made.pem.replaceAll('\n', '\\n')],
    ['with its chain before it', other.certificatePem + made.pem],
  ])('signs what Entra asks for: %s', async (_, pem) => {
    const body = new URLSearchParams();
    const proof = createCertificateProof(pem, 'https://x/token', 'Microsoft sign-in', now);
    await proof({ issuer: 'https://x' }, { client_id: 'id' }, body, new Headers());
    const { payload, protectedHeader } = await jwtVerify(body.get('client_assertion') ?? '', made.publicKey);
    expect(protectedHeader).toEqual({ alg: 'RS256', typ: 'JWT', 'x5t#S256': made.thumbprint });
    expect([payload.aud, payload.iss, (payload.exp ?? 0) - (payload.iat ?? 0)]).toEqual(['https://x/token', 'id', 300]);
  });

  it.each([
    ['x', 'must be PEM text with a private key and a certificate'],
    [made.keyPem, 'must be PEM text'],
    [made.certificatePem, 'must be PEM text'],
    [made.pem.replaceAll(' CERTIFICATE-', ' CERTIFICATE REQUEST-'), 'must be PEM text'],
    [made.keyPem + other.certificatePem, 'belongs to another certificate'],
    [made.pem.replace(/[\w+/=]{20}\n-----END PRIVATE/, '\n-----END PRIVATE'), 'damaged, or encrypted'],
  ])('%# is refused: %s', (pem, why) => {
    expect(() => createCertificateProof(pem, 'https://x', 'Microsoft sign-in', now)).toThrow(
      expect.objectContaining({ code: 'secret-unreadable', message: expect.stringContaining(why) }),
    );
  });

  it('has ended at the moment of its end', () => {
    const at = (moment: string) => () =>
      createCertificateProof(made.pem, 'https://x', 'Microsoft sign-in', new Date(moment));
    expect(at('2027-01-01T23:59:59Z')).not.toThrow();
    expect(at('2027-01-02T00:00:00Z')).toThrow('The certificate for Microsoft sign-in expired on 2027-01-02.');
  });
});

test('the four ways to say who Muster is have something that tells one from the next', async () => {
  const given = (value: string) => async (refresh: boolean) => `${value}${refresh ? '-new' : ''}`;
  const secret = createProofProvider(
    { clientId: given('id'), clientSecret: given('s') },
    'https://x',
    'Microsoft sign-in',
    fakeClock(),
  );
  expect(await secret(false)).toMatchObject({ clientId: 'id', presented: 'id s' });
  expect(await secret(true)).toMatchObject({ clientId: 'id-new', presented: 'id-new s-new' });
  const signed = createProofProvider(
    { clientId: given('id'), assertion: async () => 'token' },
    'https://x',
    'Microsoft sign-in',
    fakeClock(),
  );
  const { proof, presented } = await signed(false);
  const body = new URLSearchParams();
  await proof({ issuer: 'https://x' }, { client_id: 'id' }, body, new Headers());
  expect(presented).toBe('id');
  expect(Object.fromEntries(body)).toEqual({
    client_id: 'id',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: 'token',
  });
});

test('who is not counted, and what decides', () => {
  expect(intuneRules.exclusions).toEqual([
    { because: 'unmanaged', field: 'managementState', is: ['discovered'] },
    {
      because: 'retiring',
      field: 'managementState',
      is: ['retirePending', 'retireIssued', 'wipePending', 'wipeIssued', 'deletePending'],
    },
    { because: 'not-manageable', field: 'managementAgent', is: ['msSense', 'configurationManagerClient'] },
    { because: 'personal', field: 'ownership', is: ['personal'], onlyCompany: true },
  ]);
  expect(intuneRules).toMatchObject({ winning: ['1', '4'], ageDates: ['lastSeenAt'], answersHaveDates: true });
});
