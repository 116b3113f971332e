/** The apps that stand for the agent: how they are found, and the fingerprint of what they measure. */
import { describe, expect, it } from 'vitest';
import { MusterError } from '../../../src/base/errors.ts';
import type { AppDefinition } from '../../../src/sources/intune/apps.ts';
import { buildAppInstrument, toAppsFailure, toAppsReading } from '../../../src/sources/intune/instrument.ts';
import { appId, readNight, reply, useTenant, windowsApp } from './tenant.ts';

describe('the apps', () => {
  const facts = {
    id: 'a',
    type: 'win32LobApp',
    publishingState: 'published',
    installCommand: '',
    uninstallCommand: '',
    setupFile: '',
    detectionRules: [{ path: 'p' }] as Readonly<Record<string, unknown>>[],
    assignments: [
      { intent: 'available', target: 'groupAssignmentTarget', groupId: '1' },
      { intent: 'required', target: 'groupAssignmentTarget', groupId: '2' },
    ],
  };
  const unread = { kind: 'unread', why: 'w', advice: 'a' } as const;
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
    expect(instrument([app({ createdAt: 'x' })], false).fingerprint).toBe(plain.fingerprint);
    const two = instrument([app(), { ...app(), id: 'b' }], false);
    expect([two.id, two.fingerprint === plain.fingerprint]).toEqual(['a,b', false]);
  });

  it.each([
    [['2026-02-01T00:00:00Z', '2026-01-01T00:00:00Z'], '2026-01-01T00:00:00Z'],
    [['2026-02-01T00:00:00Z', undefined], undefined],
    [[undefined], undefined],
  ])('created at %s could answer since %s', (times, since) => {
    const apps = times.map((createdAt) => app({ createdAt }));
    expect(instrument(apps, false).createdAt).toBe(since);
    expect(instrument(apps, false)).toEqual(instrument(apps, undefined));
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
      kind: 'unread',
      why: 'cannot be read: the application permission DeviceManagementApps.Read.All is missing',
      advice: 'Grant the application permission DeviceManagementApps.Read.All.',
    });
  });

  it.each([
    ['app-missing', 'absent', 'an app in the settings does not exist'],
    ['app-ambiguous', 'absent', 'several apps have that name, none of them a Win32 app'],
    ['licence-missing', 'unread', 'the tenant has no active Microsoft Intune licence'],
    ['request-failed', 'unread', 'could not be read [request-failed]'],
  ] as const)('that end with %s are %s', (code, kind, why) => {
    expect(toAppsFailure(new MusterError(code, 'x'))).toMatchObject({ kind, why });
  });
});

describe('an app by its name', () => {
  const tenant = useTenant();
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
    ['twice under one id', [windowsApp, { ...windowsApp, id: appId.toUpperCase() }], appId],
  ])('is found %s', async (_, apps, expected) => {
    tenant.content.apps = apps;
    expect((await read(['Endpoint agent'])).reading.instrument.id).toBe(expected);
  });

  it('is asked for by a filter, in which a quote is written twice', async () => {
    tenant.content.apps = [{ ...windowsApp, displayName: "Agent's app" }];
    expect((await read(["Agent's app"])).reading.instrument.id).toBe(appId);
    const asked = tenant.seen.filter(({ path }) => path.endsWith('/mobileApps')).map(({ url }) => url.searchParams);
    expect(asked.map((query) => [...query])).toEqual([[['$filter', "displayName eq 'Agent''s app'"]]]);
  });

  it('means those that measure the agent; where none does, all', async () => {
    const file = { path: 'C:\\Windows\\System32\\drivers', fileOrFolderName: 'fhfs.sys' };
    const exists = { operationType: 'exists', operator: 'notConfigured', check32BitOn64System: false };
    const right = { ...windowsApp, rules: windowsApp.rules.map((rule) => ({ ...rule, ...file, ...exists })) };
    const old = { ...windowsApp, id: other.toLowerCase() };
    tenant.content.apps = [old, right];
    expect((await read(['Endpoint agent'])).reading.instrument.id).toBe(appId);
    tenant.content.apps = [old, windowsApp];
    expect((await read(['Endpoint agent'])).reading.instrument.id).toBe([appId, old.id].sort().join(','));
  });

  it('is read once where the settings have its id, in whichever case, and its name', async () => {
    const { reading } = await read(['Endpoint agent', appId.toUpperCase(), appId]);
    expect(reading.instrument.id).toBe(appId);
    expect(tenant.seen.filter(({ path }) => path.endsWith(`/mobileApps/${appId}`))).toHaveLength(1);
  });

  it('is ambiguous where two have it and none is a Win32 app, and missing where none has, with the nearest', async () => {
    const macPackage = { ...windowsApp, '@odata.type': '#microsoft.graph.macOSPkgApp' };
    tenant.content.apps = [macPackage, { ...macPackage, id: other }];
    const message = `has 2 apps called "Endpoint agent", and none is a Windows app (Win32): ${[appId, other.toLowerCase()].sort().join(', ')}.`;
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
    tenant.content.apps = [{ ...windowsApp, displayName: null }];
    expect((await read(['Endpoint agnet'])).error).toMatchObject(missing);
    expect(tenant.seen.map(({ url }) => url.search)).toContain('?$select=id,displayName');
    tenant.content.mischief = ({ url }) => (url.search.includes('select') ? reply({}, 400) : undefined);
    expect((await read(['Endpoint agnet'])).error).toMatchObject(missing);
  });

  it('is asked for in lower case, with its assignments', async () => {
    tenant.content.apps = [{ ...windowsApp, id: other.toLowerCase() }];
    expect((await read([other])).reading.instrument.id).toBe(other.toLowerCase());
    const asked = tenant.seen.filter(({ path }) => path.includes('/mobileApps/'));
    expect(asked.map(({ url }) => decodeURIComponent(url.search))).toEqual(['?$expand=assignments']);
  });

  it('is measured by its detection rules, and not by its requirements', async () => {
    const { reading } = await read([appId]);
    tenant.content.apps = [{ ...windowsApp, rules: windowsApp.rules.map((rule) => ({ ...rule, path: 'D:' })) }];
    expect((await read([appId])).reading.instrument.fingerprint).not.toBe(reading.instrument.fingerprint);
    const requirement = { '@odata.type': '#microsoft.graph.win32LobAppFileSystemRule', ruleType: 'requirement' };
    tenant.content.apps = [{ ...windowsApp, rules: [requirement, ...windowsApp.rules] }];
    expect((await read([appId])).reading.instrument).toEqual(reading.instrument);
  });

  it('has its assignments from the answer, from further pages, or not at all', async () => {
    const first = await read([appId]);
    const shown = first.reading.findings.find(({ check }) => check === 'windows.assignment')?.found;
    expect(shown).toMatch(/^available to the group "aaaaaaaa-0000-0000-0000-000000000001"; /);
    expect(tenant.seen.some(({ path }) => path.endsWith('/assignments'))).toBe(false);
    tenant.content.apps = [{ ...windowsApp, assignments: undefined }];
    tenant.content.mischief = ({ path }) =>
      path.endsWith('/assignments') ? reply({ value: windowsApp.assignments }) : undefined;
    const paged = await read([appId]);
    expect(paged.reading.instrument).toEqual(first.reading.instrument);
    const asked = tenant.seen.filter(({ path }) => path.endsWith('/assignments')).map(({ url }) => url.search);
    expect(asked).toEqual(['']);
    const next = 'https://graph.example.com/more';
    tenant.content.apps = [{ ...windowsApp, assignments: [], 'assignments@odata.nextLink': next }];
    expect((await read([appId])).reading.instrument).toEqual(first.reading.instrument);
    tenant.content.apps = [{ ...windowsApp, assignments: undefined }];
    const toUsers = {
      intent: 'required',
      target: { '@odata.type': '#microsoft.graph.allLicensedUsersAssignmentTarget' },
    };
    tenant.content.mischief = ({ path }) => (path.endsWith('/assignments') ? reply({ value: [toUsers] }) : undefined);
    const { findings } = (await read([appId])).reading;
    expect(findings.find(({ check }) => check === 'windows.assignment')?.found).toMatch(/^required for all users; /);
    tenant.content.mischief = ({ path }) => (path.endsWith('/assignments') ? reply({}, 400) : undefined);
    const unread = await read([appId]);
    expect(unread.reading.instrument).toEqual({ id: appId });
    expect(unread.reading.findings.find(({ check }) => check === 'windows.assignment')?.found).toContain(
      'its assignments could not be read [',
    );
  });
});
