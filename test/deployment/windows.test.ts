/** Every check of a Microsoft Intune source through HTTP: as documented, in several ways not, and not readable. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { AppAssignment } from '../../src/sandbox/platforms/graph/graph-objects.ts';
import { accepting, first, type Ground, openGround, put } from './ground.ts';

let ground: Ground;

beforeAll(async () => {
  ground = await openGround('windows');
});
afterEach(() => ground.restore());
afterAll(() => ground.close());

type Change = (ground: Ground) => void;

const app = ({ sandbox }: Ground) => first(sandbox.graph.apps);
const uninstall = (at: Ground) => app(at).uninstallCommandLine;
const rule = (at: Ground) => first(app(at).rules);
const group = 'aaaaaaaa-0000-0000-0000-000000000002';

function assigned(changes: Partial<AppAssignment>): Change {
  return (at) => void app(at).assignments.push({ ...first(app(at).assignments), id: 'x', ...changes });
}

function command(from: string | RegExp, to: string): Change {
  return (at) => put(app(at), { installCommandLine: app(at).installCommandLine.replace(from, to) });
}

const to = (type: string, groupId?: string) => ({
  '@odata.type': `#microsoft.graph.${type}`,
  ...(groupId && { groupId }),
});

const fails: Readonly<Record<string, readonly (readonly [string, Change])[]>> = {
  'windows.app': [
    ['of another type', (at) => put(app(at), { type: '#microsoft.graph.winGetApp' })],
    ['an Office suite', (at) => put(app(at), { type: '#microsoft.graph.officeSuiteApp' })],
    ['not published', (at) => put(app(at), { publishingState: 'processing' })],
    ['gone', ({ sandbox }) => void sandbox.graph.apps.shift()],
  ],
  'windows.detection-rule': [
    ['a second rule', (at) => void app(at).rules.push({ ...rule(at), fileOrFolderName: 'other.sys' })],
    ['another file', (at) => put(rule(at), { fileOrFolderName: 'fhfs.exe' })],
    ['the 32-bit view', (at) => put(rule(at), { check32BitOn64System: true })],
    ['no rule', (at) => put(app(at), { rules: [] })],
    ['only a requirement', (at) => put(rule(at), { ruleType: 'requirement' })],
  ],
  'windows.app-assigned': [
    ['to nobody', (at) => put(app(at), { assignments: [] })],
    [
      'to nobody but an exclusion',
      (at) => put(first(app(at).assignments), { target: to('exclusionGroupAssignmentTarget', group) }),
    ],
    ['an uninstallation beside', assigned({ intent: 'uninstall', target: to('groupAssignmentTarget', group) })],
    ['an uninstallation from everybody', assigned({ intent: 'uninstall', target: to('allDevicesAssignmentTarget') })],
  ],
  'windows.assignment': [
    ['the group lost', (at) => put(app(at), { assignments: [] })],
    ['another group', (at) => put(first(app(at).assignments), { target: to('groupAssignmentTarget', group) })],
    ['required instead', (at) => put(first(app(at).assignments), { intent: 'required' })],
    ['with or without enrolment', (at) => put(first(app(at).assignments), { intent: 'availableWithoutEnrollment' })],
    ['an exclusion beside', assigned({ target: to('exclusionGroupAssignmentTarget', group) })],
    ['an uninstallation beside', assigned({ intent: 'uninstall', target: to('groupAssignmentTarget', group) })],
    ['everybody beside', assigned({ target: to('allLicensedUsersAssignmentTarget') })],
    ['a group more', assigned({ target: to('groupAssignmentTarget', group) })],
  ],
  'windows.install-command': [
    ['without the API key', command(/-ApiKey \S+/, '')],
    ['with a placeholder', command(/-ApiKey \S+/, '-ApiKey <API_KEY>')],
    ['with an empty key', command(/-ApiKey \S+/, '-ApiKey ""')],
    ['with a placeholder for the server', command(/-fqdn \S+/, '-fqdn <SERVER_URL>')],
    ['with a placeholder for the role', command('operator', '<ROLE>')],
    ['with a path behind the host', (at) => command(/-fqdn \S+/, `-fqdn ${at.sandbox.urls.service}/api`)(at)],
    ['with a space that Windows takes for a letter', command(' -fqdn', '\u00a0-fqdn')],
    ['with another host', command(/-fqdn \S+/, '-fqdn https://other.example.com')],
    ['over plain HTTP', command(/-fqdn \S+/, '-fqdn http://files.example.com')],
    ['with another circle', command('circle-42', 'circle-43')],
    ['with another role', command('operator', 'owner')],
    ['with a parameter twice', command('-circleid', '-circleid circle-42 -circleid')],
    ['with something more', command(/$/, ' -Verbose')],
    ['through the 32-bit shell', command('sysnative', 'System32')],
    ['of another script', command('Install-Agent.ps1', 'Other.ps1')],
    ['under another policy', command('bypass', 'Restricted')],
    ['empty', (at) => put(app(at), { installCommandLine: '' })],
    ['with a loose quote', command('-fqdn ', '-fqdn "')],
  ],
  'windows.uninstall-command': [
    [
      'another folder',
      (at) => put(app(at), { uninstallCommandLine: app(at).uninstallCommandLine.replace('Vendor', 'Other') }),
    ],
    ['not silent', (at) => put(app(at), { uninstallCommandLine: app(at).uninstallCommandLine.replace(' /S', '') })],
    ['silent in lower case', (at) => put(app(at), { uninstallCommandLine: uninstall(at).replace('/S', '/s') })],
    ['with another space', (at) => put(app(at), { uninstallCommandLine: uninstall(at).replace(' ', '\u00a0') })],
    ['with a space more in its path', (at) => put(app(at), { uninstallCommandLine: uninstall(at).replace(' ', '  ') })],
    ['empty', (at) => put(app(at), { uninstallCommandLine: '' })],
    ['with more', (at) => put(app(at), { uninstallCommandLine: `${app(at).uninstallCommandLine} & calc` })],
  ],
  'windows.permissions-read-only': [
    ['that may write apps', ({ granted }) => void granted.push('DeviceManagementApps.ReadWrite.All')],
    ['that may wipe', ({ granted }) => void granted.push('DeviceManagementManagedDevices.PrivilegedOperations.All')],
    ['that may write groups', ({ granted }) => void granted.push('Group.ReadWrite.All')],
  ],
};

it('as documented, every check passes', async () => {
  const { findings, reading } = await ground.read();
  expect(reading).toBe('complete');
  expect(findings.filter(({ result }) => result !== 'pass')).toEqual([]);
  const checked = findings.map(({ check }) => check).filter((check) => !check.startsWith('prerequisite.'));
  expect(checked).toEqual([...Object.keys(fails), 'windows.agent-places']);
});

describe.each(Object.entries(fails))('%s', (id, changes) => {
  it.each(changes)('%s: fails', async (_what, change) => {
    expect(changes.length).toBeGreaterThanOrEqual(3);
    change(ground);
    expect(await ground.check(id)).toMatchObject({ result: 'fail', advice: expect.stringMatching(/[.}]$/) });
  });
});

it.each(Object.keys(fails).filter((id) => id !== 'windows.permissions-read-only'))(
  '%s not readable: unknown, and names the permission',
  async (id) => {
    ground.denied.push('DeviceManagementApps.Read.All');
    const finding = await ground.check(id);
    expect(finding).toMatchObject({
      result: 'unknown',
      found: expect.stringContaining('DeviceManagementApps.Read.All'),
    });
  },
);

it('permissions that the token does not tell are unknown', async () => {
  const own = await openGround('windows', { graph: { opaqueTokens: true } });
  const finding = await own.check('windows.permissions-read-only');
  expect(finding).toMatchObject({ result: 'unknown', found: 'the token does not say what this application may do' });
  await own.close();
});

describe('spelling that does not matter', () => {
  it.each<[string, string, Change]>([
    [
      'a host without a scheme',
      'windows.install-command',
      (at) => command(/-fqdn \S+/, `-fqdn ${new URL(at.sandbox.urls.service).host}`)(at),
    ],
    ['values in quotes', 'windows.install-command', command('circle-42', '"circle-42"')],
    ['the script with its folder', 'windows.install-command', command('Install-Agent.ps1', '.\\Install-Agent.ps1')],
    ['parameters in another order', 'windows.install-command', command(/(-circleid \S+) (-MemberRoleId \S+)/, '$2 $1')],
    [
      'the uninstaller in quotes',
      'windows.uninstall-command',
      (at) => put(app(at), { uninstallCommandLine: '"C:\\Program Files (x86)\\Vendor\\uninstall.exe" /S' }),
    ],
  ])('%s', async (_what, id, change) => {
    change(ground);
    expect(await ground.check(id)).toMatchObject({ result: 'pass' });
  });
});

describe('placeholders of a command whose values the settings do not have', () => {
  it.each([
    ['-fqdn', command(/-fqdn \S+/, '-fqdn <SERVER_URL>')],
    ['-circleid', command('circle-42', '<CIRCLE_ID>')],
  ])('%s is still a placeholder', async (name, change) => {
    change(ground);
    const finding = await ground.check('windows.install-command', (text) =>
      text.replace(/ {2}service: .*\n/, '').replace(/ {4}circleId: .*\n/, ''),
    );
    expect(finding).toMatchObject({ result: 'fail', found: `${name} is still a placeholder` });
  });

  it.each([
    ['api-key', command(/-ApiKey \S+/, '-ApiKey <API_KEY>')],
    ['circle-id', command('circle-42', '<CIRCLE_ID>')],
  ])('are no proof of prerequisite.%s', async (id, change) => {
    expect(await ground.check(`prerequisite.${id}`)).toMatchObject({ result: 'pass' });
    change(ground);
    expect(await ground.check(`prerequisite.${id}`)).toMatchObject({ result: 'not-checked' });
  });
});

describe('the agent’s own places', () => {
  const own = (text: string) =>
    text.replace(
      / {4}vendorFolder: Vendor\n/,
      "    uninstallFile: 'D:\\Agent Tools\\remove.exe'\n    detection: { path: 'D:\\Agent', file: agent.sys }\n",
    );

  it('are the document’s, and the finding says so', async () => {
    expect(await ground.check('windows.agent-places')).toMatchObject({
      result: 'pass',
      found: 'as in the deployment interface',
    });
    expect(await ground.check('windows.detection-rule')).toMatchObject({
      expected: expect.stringContaining('C:\\Windows\\System32\\drivers\\fhfs.sys'),
    });
  });

  it('may be others: rule and command must follow, and the findings say where they differ', async () => {
    const { findings } = await ground.read(own);
    const failed = findings.filter(({ result }) => result !== 'pass').map(({ check, result }) => `${check} ${result}`);
    expect(failed).toEqual(['windows.detection-rule fail', 'windows.uninstall-command fail']);
    expect(findings.find(({ check }) => check === 'windows.agent-places')).toMatchObject({
      result: 'pass',
      found:
        'deployment.windows.detection.path is "D:\\Agent", where the deployment interface has "C:\\Windows\\System32\\drivers"; ' +
        'deployment.windows.detection.file is "agent.sys", where the deployment interface has "fhfs.sys"; ' +
        'deployment.windows.uninstallFile is "D:\\Agent Tools\\remove.exe", where the deployment interface has ' +
        '"C:\\Program Files (x86)\\<vendor_folder>\\uninstall.exe"',
    });
    put(rule(ground), { path: 'D:\\Agent', fileOrFolderName: 'agent.sys' });
    put(app(ground), { uninstallCommandLine: '"d:\\agent tools\\REMOVE.exe" /S' });
    const repaired = await ground.read(own);
    expect(repaired.findings.filter(({ result }) => result !== 'pass')).toEqual([]);
    expect(repaired.findings.find(({ check }) => check === 'windows.detection-rule')).toMatchObject({
      expected: 'exactly one rule: the file D:\\Agent\\agent.sys exists, 64-bit view; or an accepted one',
      found: 'exactly the documented file rule, for the file in the settings',
    });
    put(rule(ground), { path: 'd:\\agent' });
    expect(await ground.check('windows.detection-rule', own)).toMatchObject({ result: 'unknown' });
  });
});

describe('another detection rule', () => {
  it.each<[string, Change, 'fail' | 'unknown']>([
    ['the path in another case', (at) => put(rule(at), { path: 'c:\\WINDOWS\\system32\\drivers' }), 'unknown'],
    [
      'a script',
      (at) => put(rule(at), { '@odata.type': '#microsoft.graph.win32LobAppPowerShellScriptRule' }),
      'unknown',
    ],
    ['another file', (at) => put(rule(at), { fileOrFolderName: 'fhfs.exe' }), 'fail'],
    ['a second rule', (at) => void app(at).rules.push({ ...rule(at), fileOrFolderName: 'other.sys' }), 'fail'],
  ])('%s passes once its hash is pasted from the finding into the settings', async (_what, change, result) => {
    change(ground);
    const finding = await ground.check('windows.detection-rule');
    expect(finding).toMatchObject({ result, instrument: true });
    expect(await ground.check('windows.detection-rule', accepting(finding))).toMatchObject({
      result: 'pass',
      found: expect.stringContaining('accepted by Ada Example on 2026-03-01'),
    });
  });
});

describe('groups', () => {
  const by = (name: string) => (text: string) => text.replace(/groups: \[aaaa.*\]/, `groups: ["${name}"]`);

  it('are found by name where names may be read', async () => {
    ground.granted.push('GroupMember.Read.All');
    expect(await ground.check('windows.assignment', by('Agent users'))).toMatchObject({ result: 'pass' });
    expect(await ground.check('windows.assignment', by("People's machines"))).toMatchObject({ result: 'fail' });
    expect(await ground.check('windows.assignment', by('agent users'))).toMatchObject({
      result: 'fail',
      found: expect.stringContaining('there is no group "agent users"'),
    });
    ground.sandbox.graph.groups.push({ id: 'aaaaaaaa-0000-0000-0000-000000000009', displayName: 'Agent users' });
    expect(await ground.check('windows.assignment', by('Agent users'))).toMatchObject({ result: 'fail' });
  });

  it('by name are unknown where names may not be read', async () => {
    const finding = await ground.check('windows.assignment', by('Agent users'));
    expect(finding).toMatchObject({ result: 'unknown', advice: expect.stringContaining('GroupMember.Read.All') });
  });

  it('may be taken over by an upgraded app', async () => {
    const own = await openGround('windows', { graph: { upgradedApp: true } });
    expect(await own.check('windows.assignment')).toMatchObject({ result: 'pass' });
    own.sandbox.graph.apps[1]?.assignments.push(...(own.sandbox.graph.apps[0]?.assignments.splice(0) ?? []));
    expect(await own.check('windows.assignment')).toMatchObject({ result: 'pass' });
    own.sandbox.graph.apps[1]?.assignments.splice(0);
    expect(await own.check('windows.assignment')).toMatchObject({ result: 'fail' });
    await own.close();
  });
});

describe('an assignment', () => {
  const withoutGroups = (text: string) => text.replace(/ +groups: \[aaaa.*\]\n/, '');
  const also = (assignments: string) => (text: string) =>
    text.replace(/( +)(groups: \[aaaa.*\]\n)/, `$1$2$1alsoAssigned: ${assignments}\n`);
  const decides = async (change?: (text: string) => string) =>
    (await ground.read(change)).findings.filter(({ instrument, result }) => instrument && result !== 'pass');

  it.each<[string, Change, string]>([
    ['as documented', () => undefined, 'available to the group "aaaaaaaa-0000-0000-0000-000000000001"'],
    ['required instead', (at) => put(first(app(at).assignments), { intent: 'required' }), 'required for the group "'],
    ['with an exclusion', assigned({ target: to('exclusionGroupAssignmentTarget', group) }), '(excluded)'],
    ['to all devices too', assigned({ target: to('allDevicesAssignmentTarget') }), 'available to all devices'],
    [
      'required for all users too',
      assigned({ intent: 'required', target: to('allLicensedUsersAssignmentTarget') }),
      'required for all users',
    ],
    [
      'with a filter',
      assigned({ target: { ...to('allDevicesAssignmentTarget'), deviceAndAppManagementAssignmentFilterId: 'f' } }),
      'assignment filters: in use',
    ],
  ])('%s passes where the settings name no group, and is shown', async (_what, change, shown) => {
    change(ground);
    const finding = await ground.check('windows.assignment', withoutGroups);
    expect(finding).toMatchObject({ result: 'pass', found: expect.stringContaining(shown), instrument: false });
    expect(finding.found).toMatch(/; assignment filters: (none|in use)$/);
  });

  it.each<[string, Change]>([
    ['to nobody', (at) => put(app(at), { assignments: [] })],
    ['uninstalled beside', assigned({ intent: 'uninstall', target: to('groupAssignmentTarget', group) })],
  ])('%s fails without groups too, and decides', async (_what, change) => {
    change(ground);
    expect(await ground.check('windows.assignment', withoutGroups)).toMatchObject({ result: 'fail' });
    expect(await decides(withoutGroups)).toMatchObject([{ check: 'windows.app-assigned', result: 'fail' }]);
  });

  it('only without enrolment fails without groups, and decides nothing', async () => {
    put(first(app(ground).assignments), { intent: 'availableWithoutEnrollment' });
    expect(await ground.check('windows.assignment', withoutGroups)).toMatchObject({
      result: 'fail',
      found: expect.stringContaining('available without enrolment to the group'),
    });
    expect(await decides(withoutGroups)).toEqual([]);
  });

  it('that differs from the settings decides nothing', async () => {
    assigned({ target: to('allDevicesAssignmentTarget') })(ground);
    assigned({ target: to('exclusionGroupAssignmentTarget', group) })(ground);
    expect(await ground.check('windows.assignment')).toMatchObject({
      result: 'fail',
      instrument: false,
      found: expect.stringMatching(/^it is also available to all devices; it is also not available to .*excluded/),
    });
    expect(await decides()).toEqual([]);
  });

  it.each<[string, string, Partial<AppAssignment>]>([
    ['all devices', '[{ target: allDevices }]', { target: to('allDevicesAssignmentTarget') }],
    [
      'all users, required',
      '[{ target: allUsers, intent: required }]',
      { intent: 'required', target: to('allLicensedUsersAssignmentTarget') },
    ],
    ['another group', `[{ target: group, group: ${group} }]`, { target: to('groupAssignmentTarget', group) }],
    [
      'an excluded group',
      `[{ target: group, group: ${group.toUpperCase()}, exclude: true }]`,
      { target: to('exclusionGroupAssignmentTarget', group) },
    ],
    [
      'an excluded group, whatever it is excluded from',
      `[{ target: group, group: ${group}, exclude: true }]`,
      { intent: 'required', target: to('exclusionGroupAssignmentTarget', group) },
    ],
  ])('%s may be meant besides the groups', async (_what, meant, changes) => {
    expect(await ground.check('windows.assignment', also(meant))).toMatchObject({
      result: 'fail',
      found: expect.stringMatching(/^the app (is not|does not exclude)/),
    });
    assigned(changes)(ground);
    expect(await ground.check('windows.assignment')).toMatchObject({ result: 'fail' });
    expect(await ground.check('windows.assignment', also(meant))).toMatchObject({ result: 'pass' });
  });

  it('with another intent than is meant fails', async () => {
    assigned({ intent: 'required', target: to('allDevicesAssignmentTarget') })(ground);
    expect(await ground.check('windows.assignment', also('[{ target: allDevices }]'))).toMatchObject({
      result: 'fail',
      found: expect.stringMatching(/^the app is not available to all devices; it is also required for all devices/),
    });
  });

  it('may be meant for everybody, and for no group', async () => {
    put(first(app(ground).assignments), { intent: 'required', target: to('allDevicesAssignmentTarget') });
    const meant = (text: string) => withoutGroups(also('[{ target: allDevices, intent: required }]')(text));
    expect(await ground.check('windows.assignment', meant)).toMatchObject({ result: 'pass' });
  });

  it('names its groups in alsoAssigned as in groups', async () => {
    ground.granted.push('GroupMember.Read.All');
    assigned({ target: to('groupAssignmentTarget', group) })(ground);
    const meant = (name: string) => also(`[{ target: group, group: "${name}" }]`);
    expect(await ground.check('windows.assignment', meant("People's machines"))).toMatchObject({ result: 'pass' });
    expect(await ground.check('windows.assignment', meant('Nobody'))).toMatchObject({
      result: 'fail',
      found: expect.stringContaining('there is no group "Nobody"'),
    });
  });
});

describe('a detection rule that looks the same', () => {
  it.each<[string, Partial<Record<string, string>>]>([
    ['a non-breaking space after the file', { fileOrFolderName: 'fhfs.sys\u00a0' }],
    ['a space after the file', { fileOrFolderName: 'fhfs.sys ' }],
    ['a non-breaking space after the folder', { path: 'C:\\Windows\\System32\\drivers\u00a0' }],
    ['a zero-width space in the file', { fileOrFolderName: 'fhfs\u200b.sys' }],
  ])('with %s is another file', async (_what, changes) => {
    put(rule(ground), changes);
    expect(await ground.check('windows.detection-rule')).toMatchObject({ result: 'fail', instrument: true });
  });
});

describe('the instrument', () => {
  it('has another fingerprint with another rule or assignment, and the same in another order', async () => {
    const print = async () => (await ground.read()).instrument.fingerprint;
    assigned({ target: to('groupAssignmentTarget', group) })(ground);
    const before = await print();
    app(ground).assignments.reverse();
    expect(await print()).toBe(before);
    app(ground).assignments.pop();
    const fewer = await print();
    expect(fewer).not.toBe(before);
    put(rule(ground), { fileOrFolderName: 'other.sys' });
    const other = await print();
    expect(other).not.toBe(fewer);
    const filter = { deviceAndAppManagementAssignmentFilterId: 'f' };
    put(first(app(ground).assignments), { target: { ...first(app(ground).assignments).target, ...filter } });
    expect(await print()).not.toBe(other);
  });
});

it('has its rows also where the tenant does not answer', async () => {
  const whole = await ground.read();
  ground.sandbox.setFaults(['graph/down:lasting']);
  const { reading, findings } = await ground.read();
  expect(reading).toBe('incomplete');
  expect(findings.map(({ check }) => check)).toEqual(whole.findings.map(({ check }) => check));
});
