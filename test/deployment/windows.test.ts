/** Every check of a Microsoft Intune source through HTTP: as documented, in several ways not, and not readable. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { AppAssignment } from '../../simulator/platforms/graph/graph-objects.ts';
import { accepting, first, type Ground, openGround, put } from './ground.ts';

let ground: Ground;

beforeAll(async () => {
  ground = await openGround('windows');
});
afterEach(() => ground.restore());
afterAll(() => ground.close());

type Change = (ground: Ground) => void;

const app = ({ simulator }: Ground) => first(simulator.graph.apps);
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

/** What shows that a drift is read; `intune-rules.test.ts` and `rule.test.ts` have every rule. */
const fails: Readonly<Record<string, readonly (readonly [string, Change])[]>> = {
  'windows.app': [
    ['not published', (at) => put(app(at), { publishingState: 'processing' })],
    ['gone', ({ simulator }) => void simulator.graph.apps.shift()],
  ],
  'windows.detection-rule': [
    ['a second rule', (at) => void app(at).rules.push({ ...rule(at), fileOrFolderName: 'other.sys' })],
  ],
  'windows.app-assigned': [
    [
      'to nobody but an exclusion',
      (at) => put(first(app(at).assignments), { target: to('exclusionGroupAssignmentTarget', group) }),
    ],
    ['an uninstallation from everybody', assigned({ intent: 'uninstall', target: to('allDevicesAssignmentTarget') })],
  ],
  'windows.assignment': [
    ['another group', (at) => put(first(app(at).assignments), { target: to('groupAssignmentTarget', group) })],
    ['everybody beside', assigned({ target: to('allLicensedUsersAssignmentTarget') })],
  ],
  'windows.install-command': [
    ['without the API key', command(/-ApiKey \S+/, '')],
    ['with a path behind the host', (at) => command(/-fqdn \S+/, `-fqdn ${at.simulator.urls.service}/api`)(at)],
    ['with a space that Windows takes for a letter', command(' -fqdn', '\u00a0-fqdn')],
  ],
  'windows.uninstall-command': [
    ['silent in lower case', (at) => put(app(at), { uninstallCommandLine: uninstall(at).replace('/S', '/s') })],
  ],
  'windows.permissions-read-only': [
    ['that may write apps', ({ granted }) => void granted.push('DeviceManagementApps.ReadWrite.All')],
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
    change(ground);
    expect(await ground.check(id)).toMatchObject({ result: 'fail', advice: expect.stringMatching(/[.}]$/) });
  });
});

it('what is not readable is unknown, and names the permission', async () => {
  ground.denied.push('DeviceManagementApps.Read.All');
  const { findings } = await ground.read();
  for (const id of Object.keys(fails).filter((one) => one !== 'windows.permissions-read-only')) {
    expect(findings.filter(({ check }) => check === id)).toMatchObject([
      { result: 'unknown', found: expect.stringContaining('DeviceManagementApps.Read.All') },
    ]);
  }
});

it('permissions that the token does not tell are unknown', async () => {
  const own = await openGround('windows', { graph: { opaqueTokens: true } });
  const finding = await own.check('windows.permissions-read-only');
  expect(finding).toMatchObject({ result: 'unknown', found: 'the token does not say what this application may do' });
  await own.close();
});

describe('the agent’s own places', () => {
  const own = (text: string) =>
    text.replace(
      / {4}vendorFolder: Vendor\n/,
      "    uninstallFile: 'D:\\Agent Tools\\remove.exe'\n    detection: { path: 'D:\\Agent', file: agent.sys }\n",
    );

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

it('another detection rule passes once its hash is pasted from the finding into the settings', async () => {
  put(rule(ground), { '@odata.type': '#microsoft.graph.win32LobAppPowerShellScriptRule' });
  const finding = await ground.check('windows.detection-rule');
  expect(finding).toMatchObject({ result: 'unknown', instrument: true });
  expect(await ground.check('windows.detection-rule', accepting(finding))).toMatchObject({
    result: 'pass',
    found: expect.stringContaining('accepted by Ada Example on 2026-03-01'),
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
    ground.simulator.graph.groups.push({ id: 'aaaaaaaa-0000-0000-0000-000000000009', displayName: 'Agent users' });
    expect(await ground.check('windows.assignment', by('Agent users'))).toMatchObject({ result: 'fail' });
  });

  it('by name are unknown where names may not be read', async () => {
    const finding = await ground.check('windows.assignment', by('Agent users'));
    expect(finding).toMatchObject({ result: 'unknown', advice: expect.stringContaining('GroupMember.Read.All') });
  });

  it('may be taken over by an upgraded app', async () => {
    const own = await openGround('windows', { graph: { upgradedApp: true } });
    expect(await own.check('windows.assignment')).toMatchObject({ result: 'pass' });
    own.simulator.graph.apps[1]?.assignments.push(...(own.simulator.graph.apps[0]?.assignments.splice(0) ?? []));
    expect(await own.check('windows.assignment')).toMatchObject({ result: 'pass' });
    own.simulator.graph.apps[1]?.assignments.splice(0);
    expect(await own.check('windows.assignment')).toMatchObject({ result: 'fail' });
    await own.close();
  });
});

it('an assignment that differs from the settings decides nothing', async () => {
  assigned({ target: to('allDevicesAssignmentTarget') })(ground);
  assigned({ target: to('exclusionGroupAssignmentTarget', group) })(ground);
  const { findings } = await ground.read();
  expect(findings.find(({ check }) => check === 'windows.assignment')).toMatchObject({
    result: 'fail',
    instrument: false,
    found: expect.stringMatching(/^it is also available to all devices; it is also not available to .*excluded/),
  });
  expect(findings.filter(({ instrument, result }) => instrument && result !== 'pass')).toEqual([]);
});

it('has its rows also where the tenant does not answer', async () => {
  const whole = await ground.read();
  ground.simulator.setFaults(['graph/down:lasting']);
  const { reading, findings } = await ground.read();
  expect(reading).toBe('incomplete');
  expect(findings.map(({ check }) => check)).toEqual(whole.findings.map(({ check }) => check));
});
