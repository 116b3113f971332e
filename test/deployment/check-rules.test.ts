/** What each check makes of what was read: which result, and what it names. Nothing is read here. */
import { deflateSync, gzipSync } from 'node:zlib';
import { build } from 'plist';
import { describe, expect, it } from 'vitest';
import { type AppFacts, type AppsReading, type AssignmentFacts, checkApps } from '../../src/deployment/checks/app.ts';
import { checkAppAssigned, checkAssignment, listAssignmentGroups } from '../../src/deployment/checks/assignment.ts';
import { type AttributeFacts, checkAttribute } from '../../src/deployment/checks/attribute.ts';
import { checkInstallCommand, checkUninstallCommand, hasParameterValue } from '../../src/deployment/checks/commands.ts';
import { findBundleProblem, findPackageProblem } from '../../src/deployment/checks/file-format.ts';
import { type Criterion, checkGroup } from '../../src/deployment/checks/groups.ts';
import { checkPackage } from '../../src/deployment/checks/package.ts';
import {
  checkAccess,
  checkPermissions,
  checkPolicyAccount,
  type JamfAccount,
} from '../../src/deployment/checks/permissions.ts';
import {
  checkPolicy,
  checkPolicyParameters,
  checkUpdateInventory,
  findPolicyParameter,
  type PolicyFacts,
} from '../../src/deployment/checks/policy.ts';
import { checkPrerequisites } from '../../src/deployment/checks/prerequisites.ts';
import {
  checkExtensionProfile,
  checkFileAccessProfile,
  type ProfileFacts,
} from '../../src/deployment/checks/profiles.ts';
import { judgeScope, type ScopeEntry, type ScopeFacts } from '../../src/deployment/checks/scope.ts';
import { checkScript } from '../../src/deployment/checks/script.ts';
import { checkDownload, type Download } from '../../src/deployment/checks/service.ts';
import { judgeStatement, listStatements } from '../../src/deployment/checks/statement.ts';
import { type DeploymentSettings, emptyDeploymentSettings } from '../../src/deployment/deployment-settings.ts';
import type { LookupResult } from '../../src/deployment/finding.ts';
import { checkMacos, emptyMacosReading, type MacosReading } from '../../src/deployment/macos-checks.ts';
import { attributeTemplates, directoryTemplates, renderEvery } from '../../src/deployment/script-templates.ts';
import { checkWindows, emptyWindowsReading, type WindowsReading } from '../../src/deployment/windows-checks.ts';

const at = { slot: '2026-11-20', moment: new Date('2026-11-20T05:15:00Z') };
const acceptances = { accepted: [], ...at };
const unread = { is: 'unread', why: 'it was not read', advice: 'Read it.' } as const;
const one = <Value>(value: Value): LookupResult<Value> => ({ is: 'one', value });

interface SettingsChange extends Partial<Omit<DeploymentSettings, 'macos' | 'windows'>> {
  readonly macos?: Partial<DeploymentSettings['macos']>;
  readonly windows?: Partial<DeploymentSettings['windows']>;
}

function makeSettings({ macos, windows, ...more }: SettingsChange = {}): DeploymentSettings {
  const { macos: ownMacos, windows: ownWindows } = emptyDeploymentSettings;
  return {
    ...emptyDeploymentSettings,
    ...more,
    macos: { ...ownMacos, ...macos },
    windows: { ...ownWindows, ...windows },
  };
}

/** Result and words, for comparing with what is expected. */
const say = ({ result, found }: { readonly result: string; readonly found: string }) => `${result}: ${found}`;

const installCommand =
  '%SystemRoot%\\sysnative\\WindowsPowerShell\\v1.0\\powershell.exe -ExecutionPolicy bypass -File Install-Agent.ps1 ' +
  '-fqdn https://files.example.com -ApiKey k -circleid circle-42 -MemberRoleId operator';
const uninstallFile = 'C:\\Program Files (x86)\\Vendor\\uninstall.exe';

function makeApp(changes: Partial<AppFacts> = {}): AppFacts {
  return {
    ...{ id: 'one', type: 'win32LobApp', publishingState: 'published', detectionRules: [], installCommand },
    ...{ uninstallCommand: `"${uninstallFile}" /S`, setupFile: 'Install-Agent.ps1', assignments: [], ...changes },
  };
}

describe('the app', () => {
  it.each<[string, AppsReading, string]>([
    ['one', [makeApp()], 'pass: one: a published Windows app (Win32)'],
    [
      'two',
      [makeApp(), makeApp({ id: 'two' })],
      'pass: one: a published Windows app (Win32); two: a published Windows app (Win32)',
    ],
    ['an Office suite', [makeApp({ type: 'officeSuiteApp' })], 'fail: it is an Office suite'],
    ['of another type', [makeApp({ type: 'winGetApp' })], 'fail: it is of type "winGetApp"'],
    ['not published', [makeApp({ publishingState: 'processing' })], 'fail: its publishing state is "processing"'],
    [
      'one of several that is not published, and another that is none',
      [makeApp(), makeApp({ id: 'two', publishingState: 'x' }), makeApp({ id: 'three', type: 'y' })],
      'fail: two: its publishing state is "x"; three: it is of type "y"',
    ],
    ['that does not exist', { is: 'absent', why: 'there is none', advice: 'Name it.' }, 'fail: there is none'],
    ['that cannot be read', unread, 'unknown: it was not read'],
  ])('%s', (_, apps, expected) => {
    expect(say(checkApps(apps))).toBe(expected);
  });
});

const groupTarget = 'groupAssignmentTarget';
const assign = (intent: string, target: string, groupId?: string): AssignmentFacts => ({ intent, target, groupId });
const assigned = (...assignments: AssignmentFacts[]) => [makeApp({ assignments })];
const [users, pilot] = ['aaaaaaaa-0000-0000-0000-000000000001', 'aaaaaaaa-0000-0000-0000-000000000002'];
const toUsers = assign('available', groupTarget, users);

describe('assignments', () => {
  it.each<[string, AppsReading, string]>([
    ['none', assigned(), 'fail: the app is assigned to nobody'],
    [
      'only an exclusion',
      assigned(assign('', 'exclusionGroupAssignmentTarget', users)),
      'fail: the app is assigned to nobody',
    ],
    ['one', assigned(toUsers), 'pass: it has 1 target'],
    [
      'two and an exclusion',
      assigned(toUsers, toUsers, assign('', 'exclusionGroupAssignmentTarget', users)),
      'pass: it has 2 targets',
    ],
    [
      'an uninstallation',
      assigned(toUsers, assign('uninstall', groupTarget, pilot), assign('uninstall', 'allDevicesAssignmentTarget')),
      `fail: it is uninstalled from the group "${pilot}"; it is uninstalled from all devices`,
    ],
    [
      'of two apps',
      [makeApp({ assignments: [toUsers] }), makeApp({ assignments: [toUsers] })],
      'pass: it has 2 targets',
    ],
    [
      'of two apps, one not read',
      [makeApp({ assignments: [toUsers] }), makeApp({ assignments: unread })],
      'unknown: it was not read',
    ],
    ['of no app that was read', unread, 'unknown: it was not read'],
  ])('that target anybody: %s', (_, apps, expected) => {
    expect(say(checkAppAssigned(apps))).toBe(expected);
  });

  const judge = (
    assignments: AssignmentFacts[],
    settings: Parameters<typeof checkAssignment>[0] = {},
    groups: WindowsReading['groups'] = [],
    hasFilters: boolean | undefined = false,
  ) => say(checkAssignment(settings, { apps: assigned(...assignments), groups, hasFilters }));
  const filters = 'assignment filters: none';

  it.each<[string, AssignmentFacts[], string]>([
    ['nobody', [], `fail: the app is neither available to nor required for anybody (assigned to nobody; ${filters})`],
    ['a group', [toUsers], `pass: available to the group "${users}"; ${filters}`],
    ['everybody', [assign('required', 'allLicensedUsersAssignmentTarget')], `pass: required for all users; ${filters}`],
    [
      'whoever has not enrolled',
      [assign('availableWithoutEnrollment', groupTarget, users)],
      `fail: the app is neither available to nor required for anybody (available without enrolment to the group "${users}"; ${filters})`,
    ],
    [
      'an unknown target with an unknown intent',
      [assign('new', 'newTarget')],
      `fail: the app is neither available to nor required for anybody (assigned with the intent "new" to "newTarget"; ${filters})`,
    ],
    [
      'a group from which it is uninstalled, besides another',
      [toUsers, assign('uninstall', groupTarget, pilot)],
      `fail: it is uninstalled from the group "${pilot}" (available to the group "${users}"; uninstalled from the group "${pilot}"; ${filters})`,
    ],
    [
      'a group that is excluded alone',
      [assign('available', 'exclusionGroupAssignmentTarget', users)],
      `fail: the app is neither available to nor required for anybody (not available to the group "${users}" (excluded); ${filters})`,
    ],
  ])('where the settings name nobody: %s', (_, assignments, expected) => {
    expect(judge(assignments)).toBe(expected);
  });

  it.each([
    [undefined, 'not known'],
    [true, 'in use'],
    [false, 'none'],
  ])('with filters %s show that they are %s', (hasFilters, words) => {
    const found = checkAssignment({}, { apps: assigned(toUsers), groups: [], hasFilters });
    expect(found.found).toBe(`available to the group "${users}"; assignment filters: ${words}`);
  });

  it('are shown each once, in order, and not more than twenty', () => {
    const many = Array.from({ length: 22 }, (_, index) => assign('available', groupTarget, String(index + 10)));
    const shown = judge([...many, ...many].toReversed());
    expect(shown).toMatch(/^pass: available to the group "10"; .*; available to the group "29"; 2 more; assignment/);
    expect(judge(many.slice(0, 20))).not.toContain('more');
  });

  const found = [
    { named: 'Agent users', ids: [users] },
    { named: 'Pilot', ids: [pilot] },
  ];
  const named = { groups: ['Agent users'] };
  const shownUsers = `available to the group "${users}"`;

  it.each<[string, AssignmentFacts[], string]>([
    ['as named', [toUsers], `pass: ${shownUsers}; ${filters}`],
    [
      'as named, in another case',
      [assign('available', groupTarget, users.toUpperCase())],
      `pass: available to the group "${users.toUpperCase()}"; ${filters}`,
    ],
    ['not assigned', [], `fail: the app is not available to the group "Agent users" (assigned to nobody; ${filters})`],
    [
      'assigned to another as well',
      [toUsers, assign('required', groupTarget, pilot)],
      `fail: it is also required for the group "${pilot}" (${shownUsers}; required for the group "${pilot}"; ${filters})`,
    ],
    [
      'with another intent',
      [assign('required', groupTarget, users)],
      `fail: the app is not available to the group "Agent users"; it is also required for the group "${users}" (required for the group "${users}"; ${filters})`,
    ],
    [
      'with a target of another kind with the same id',
      [assign('available', 'exclusionGroupAssignmentTarget', users)],
      `fail: the app is not available to the group "Agent users"; it is also not available to the group "${users}" (excluded) (not available to the group "${users}" (excluded); ${filters})`,
    ],
    [
      'with a group target without an id',
      [assign('available', groupTarget)],
      `fail: the app is not available to the group "Agent users"; it is also available to the group (available to the group; ${filters})`,
    ],
  ])('where the settings name a group: %s', (_, assignments, expected) => {
    expect(judge(assignments, named, found)).toBe(expected);
  });

  it.each<
    [string, NonNullable<Parameters<typeof checkAssignment>[0]['alsoAssigned']>[number], AssignmentFacts, string]
  >([
    [
      'all devices',
      { target: 'allDevices', exclude: false },
      assign('available', 'allDevicesAssignmentTarget'),
      'the app is not available to all devices',
    ],
    [
      'all users',
      { target: 'allUsers', intent: 'required', exclude: false },
      assign('required', 'allLicensedUsersAssignmentTarget'),
      'the app is not required for all users',
    ],
    [
      'another group',
      { target: 'group', group: 'Pilot', intent: 'required', exclude: false },
      assign('required', groupTarget, pilot),
      'the app is not required for the group "Pilot"',
    ],
    [
      'an excluded group',
      { target: 'group', group: 'Pilot', exclude: true },
      assign('required', 'exclusionGroupAssignmentTarget', pilot),
      'the app does not exclude the group "Pilot"',
    ],
  ])('where the settings mean %s besides', (_, meant, assignment, lack) => {
    const settings = { ...named, alsoAssigned: [meant] };
    expect(judge([toUsers, assignment], settings, found)).toMatch(/^pass: /);
    expect(judge([toUsers], settings, found)).toBe(`fail: ${lack} (${shownUsers}; ${filters})`);
    expect(judge([assignment], { alsoAssigned: [meant] }, found)).toMatch(/^pass: /);
  });

  it('of a group that is not there, or there twice, or whose name could not be read', () => {
    expect(judge([], named, [{ named: 'Agent users', ids: [] }])).toBe(
      `fail: there is no group "Agent users" (assigned to nobody; ${filters})`,
    );
    expect(judge([toUsers], named, [{ named: 'Agent users', ids: [users, pilot] }])).toBe(
      `fail: there are 2 groups "Agent users"; name the id (${shownUsers}; ${filters})`,
    );
    expect(judge([toUsers], named, unread)).toBe(`unknown: it was not read (${shownUsers}; ${filters})`);
  });

  it('need the ids of the groups in the settings, each once', () => {
    const alsoAssigned = [
      { target: 'group', group: 'Pilot', exclude: true },
      { target: 'allUsers', exclude: false },
      { target: 'group', group: 'Agent users', exclude: false },
    ] satisfies Parameters<typeof listAssignmentGroups>[0]['alsoAssigned'];
    expect(listAssignmentGroups({ groups: ['Agent users'], alsoAssigned })).toEqual(['Agent users', 'Pilot']);
    expect(listAssignmentGroups({})).toEqual([]);
  });
});

describe('the install command', () => {
  const settings = makeSettings({
    service: 'https://files.example.com',
    windows: { circleId: 'circle-42', memberRoleId: 'operator' },
  });
  const judge = (command: string, own = settings) =>
    say(checkInstallCommand(own, [makeApp({ installCommand: command })]));

  it.each<[string, string | RegExp, string, string]>([
    ['as documented', '', '', 'pass: as documented; its API key is set'],
    [
      'in other cases',
      /powershell\.exe.*-File/,
      'PowerShell.EXE -executionpolicy BYPASS -FILE',
      'pass: as documented; its API key is set',
    ],
    ['with a loose quote', '-fqdn ', '-fqdn "', 'fail: a quotation mark is not closed'],
    [
      'of another shell',
      'sysnative',
      'System32',
      'fail: it does not begin with the documented powershell.exe (through sysnative)',
    ],
    ['with a switch more', /$/, ' -Verbose', 'fail: it has arguments that the deployment interface does not show'],
    [
      'with a parameter twice and then another',
      '-circleid',
      '-circleid circle-42 -circleid circle-42 -x 1 -circleid',
      'fail: -circleid is given twice; it has arguments that the deployment interface does not show',
    ],
    ['with a parameter twice', '-circleid', '-circleid circle-42 -circleid', 'fail: -circleid is given twice'],
    ['without the key', / -ApiKey k/, '', 'fail: -ApiKey has no value'],
    ['without two', / -fqdn .* -circleid/, ' -circleid', 'fail: -fqdn has no value; -ApiKey has no value'],
    ['with a name for a value', '-ApiKey k', '-ApiKey -k', 'fail: -ApiKey has no value'],
    ['without the last value', ' operator', '', 'fail: -MemberRoleId has no value'],
    ['under another policy', 'bypass', 'Restricted', 'fail: -ExecutionPolicy is not bypass'],
    ['of another script', 'Install-Agent.ps1', 'Other.ps1', 'fail: -File is not Install-Agent.ps1'],
    [
      'of the script in this folder',
      'Install-Agent.ps1',
      '.\\install-agent.PS1',
      'pass: as documented; its API key is set',
    ],
    [
      'with the script late',
      / -File Install-Agent\.ps1( -fqdn \S+)/,
      '$1 -File Install-Agent.ps1',
      'fail: -File must come before the four parameters',
    ],
    [
      'with the policy after the script',
      /( -ExecutionPolicy bypass)( -File Install-Agent\.ps1)/,
      '$2$1',
      'pass: as documented; its API key is set',
    ],
    [
      'with two placeholders',
      /-fqdn \S+ -ApiKey k/,
      '-fqdn <SERVER_URL> -ApiKey <API_KEY>',
      'fail: -fqdn is still a placeholder; -ApiKey is still a placeholder',
    ],
    ['over plain HTTP', 'https:', 'http:', 'fail: -fqdn is not HTTPS'],
    ['without a scheme', 'https://', '', 'pass: as documented; its API key is set'],
    ['of another host', 'files.', 'other.', 'fail: -fqdn is another host than deployment.service'],
    ['with a path', '.com', '.com/api', 'fail: -fqdn holds a path behind the host'],
    ['of another circle', '42', '43', 'fail: -circleid is not the circle in the settings'],
    ['of another role', 'operator', 'owner', 'fail: -MemberRoleId is not the role in the settings'],
  ])('%s', (_, from, to, expected) => {
    expect(judge(installCommand.replace(from, to))).toBe(expected);
  });

  it('is compared with what the settings have, and not checked where they have nothing', () => {
    const other = installCommand.replace('42', '43').replace('operator', 'owner').replace('files.', 'other.');
    const result = (change: SettingsChange) =>
      checkInstallCommand(makeSettings(change), [makeApp({ installCommand: other })]).result;
    expect(result({ service: 'https://other.example.com' })).toBe('pass');
    expect(result({ windows: { circleId: 'circle-43' } })).toBe('pass');
    expect(result({ windows: { memberRoleId: 'owner' } })).toBe('pass');
    expect(checkInstallCommand(makeSettings(), [makeApp()])).toMatchObject({
      result: 'not-checked',
      advice: 'Set deployment.service, deployment.windows.circleId and memberRoleId to have this checked.',
    });
    expect(say(checkInstallCommand(settings, unread))).toBe('unknown: it was not read');
  });

  it('of several apps is named by its app', () => {
    const wrong = makeApp({ id: 'two', installCommand: '' });
    expect(say(checkInstallCommand(settings, [makeApp(), wrong]))).toMatch(/^fail: two: it does not begin with/);
  });

  it.each([
    ['x -ApiKey k', true],
    ['-ApiKey k', true],
    ['x -APIKEY "a b"', true],
    ['x -ApiKey ""', false],
    ['x -ApiKey', false],
    ['x -ApiKey -circleid y', false],
    ['x -ApiKey <API_KEY>', false],
    ['x -other k', false],
    ['x -ApiKey "k', false],
  ])('%s gives a key: %s', (command, expected) => {
    expect(hasParameterValue(command, '-apikey')).toBe(expected);
  });
});

describe('the uninstall command', () => {
  const settings = makeSettings({ windows: { vendorFolder: 'Vendor' } });

  it.each([
    [`"${uninstallFile}" /S`, 'pass: as documented'],
    [` \t${uninstallFile.toUpperCase()}\t /S \t`, 'pass: as documented'],
    [uninstallFile, 'fail: it must be followed by /S alone'],
    [`${uninstallFile} /s`, 'fail: its switch must be /S, in upper case'],
    [`${uninstallFile} /S /x`, 'fail: it must be followed by /S alone'],
    [`${uninstallFile}/S`, 'fail: it is a different command'],
    [`${uninstallFile}.bak /S`, 'fail: it is a different command'],
    [`x ${uninstallFile} /S`, 'fail: it is a different command'],
    [`"${uninstallFile} /S`, 'fail: it is a different command'],
    ['', 'fail: it is a different command'],
  ])('%j', (uninstallCommand, expected) => {
    expect(say(checkUninstallCommand(settings, [makeApp({ uninstallCommand })]))).toBe(expected);
  });

  it('is not checked without the folder, and unknown where it was not read', () => {
    expect(checkUninstallCommand(makeSettings(), [makeApp()])).toMatchObject({
      result: 'not-checked',
      advice: 'Set deployment.windows.vendorFolder to have this checked.',
    });
    expect(say(checkUninstallCommand(settings, unread))).toBe('unknown: it was not read');
    const two = [makeApp(), makeApp({ id: 'two', uninstallCommand: '' })];
    expect(say(checkUninstallCommand(settings, two))).toBe('fail: two: it is a different command');
  });
});

describe('the folder to package', () => {
  const file = (name: string, bytes = 1) => ({ name, isFile: true, bytes });
  const whole = [file('Install-Agent.ps1'), file('fhfs.exe')];
  const also = (...names: string[]) => [...whole, ...names.map((name) => file(name))];

  it.each([
    [whole, 'pass: exactly Install-Agent.ps1 and fhfs.exe'],
    [[file('INSTALL-AGENT.PS1'), file('FHFS.EXE')], 'pass: exactly Install-Agent.ps1 and fhfs.exe'],
    [[file('fhfs.exe', 0)], 'fail: Install-Agent.ps1 is missing; fhfs.exe is empty'],
    [[file('Install-Agent.ps1'), { ...file('fhfs.exe'), isFile: false }], 'fail: fhfs.exe is not a file'],
    [also('IntuneWinAppUtil.exe'), 'fail: the packaging tool is inside it'],
    [also('intunewinapputil-1.8.exe', 'a'), 'fail: the packaging tool is inside it; it also holds "a"'],
    [also('IntuneWinAppUtil.exe.txt'), 'fail: it also holds "IntuneWinAppUtil.exe.txt"'],
    [also('my-IntuneWinAppUtil.exe'), 'fail: it also holds "my-IntuneWinAppUtil.exe"'],
    [also('a', 'b', 'c', 'd', 'e', 'f'), 'fail: it also holds "a", "b", "c", "d", "e"'],
    [undefined, 'unknown: the folder could not be read'],
  ])('%#: %s', (entries, expected) => {
    expect(say(checkPackage(entries))).toBe(expected);
  });
});

const scopeEntry = (type: string, name: string, computers?: readonly string[]): ScopeEntry => ({
  ...{ type, id: name, name },
  ...(computers === undefined ? {} : { computers }),
});
const group = (name: string, computers?: readonly string[]) => scopeEntry('computer_group', name, computers);
const everyone: ScopeFacts = { allComputers: true, targets: [], exclusions: [], limitations: [] };

describe('a scope', () => {
  const managed = ['1', '2'];
  it.each<[string, Partial<ScopeFacts>, readonly string[] | undefined, object]>([
    ['of all', {}, managed, { problems: [], shown: 'scoped to all computers' }],
    ['of nobody', { allComputers: false }, managed, { problems: ['it has no scope'], shown: 'scoped to ' }],
    [
      'of all but all',
      { exclusions: [group('A', ['1', '2'])] },
      managed,
      {
        problems: ['its exclusions leave no computer: scoped to all computers, excludes the computer group "A"'],
        shown: 'scoped to all computers, excludes the computer group "A"',
      },
    ],
    ['of all but one', { exclusions: [group('A', ['1'])] }, managed, { problems: [] }],
    ['of all where there are none', { exclusions: [group('A', ['1'])] }, [], { problems: [] }],
    [
      'of two groups that two others exclude',
      {
        allComputers: false,
        targets: [group('A', ['1']), group('B', ['2'])],
        exclusions: [group('C', ['2']), group('D', ['1'])],
      },
      managed,
      { problems: [expect.stringMatching(/^its exclusions leave no computer: /)] },
    ],
    [
      'of a group that was not read, beside one that is excluded',
      { allComputers: false, targets: [group('A', ['1']), group('B')], exclusions: [group('C', ['1'])] },
      managed,
      { problems: [], unread: 'it excludes computers, and those that it targets were not read' },
    ],
    [
      'of a building, which holds whoever is there',
      { allComputers: false, targets: [scopeEntry('building', 'A'), group('B')], exclusions: [group('C', ['1'])] },
      managed,
      { problems: [] },
    ],
    [
      'without the computers that it excludes',
      { exclusions: [group('A'), scopeEntry('computer', 'B'), scopeEntry('jss_user_group', 'C'), group('D', [])] },
      managed,
      {
        problems: [],
        unread: 'the computers of the computer group "A", the computer "B", which it excludes, were not read',
      },
    ],
    [
      'of all, where the inventory was not read',
      { exclusions: [group('A', ['1'])] },
      undefined,
      { unread: 'it excludes computers, and those that it targets were not read' },
    ],
    [
      'of all less nobody, where the inventory was not read',
      { exclusions: [group('A', [])] },
      undefined,
      { problems: [] },
    ],
    [
      'with limitations',
      { limitations: ['A', 'B', 'C', 'D', 'E'].map((name) => scopeEntry('jss_user_group', name)) },
      managed,
      {
        shown:
          'scoped to all computers, limited to the user group "A", the user group "B", the user group "C" and 2 more',
      },
    ],
  ])('%s', (_, scope, computers, expected) => {
    const verdict = judgeScope({ ...everyone, ...scope }, computers);
    expect(verdict).toMatchObject(expected);
    expect('unread' in expected).toBe(verdict.unread !== undefined);
  });
});

describe('the policy', () => {
  const settings = makeSettings({
    ...{ identity: 'email', service: 'https://files.example.com' },
    macos: { policy: 'Deploy', script: 'enroll.sh' },
    windows: { circleId: 'circle-42' },
  });
  const values = ['reader', 'secret', 'jamf.example.com', 'files.example.com', 'key', 'circle-42'];
  const script = (changes: Readonly<Record<number, string>> = {}, name = 'enroll.sh') => ({
    name,
    parameters: new Map(values.map((value, index) => [index + 4, changes[index + 4] ?? value])),
  });
  const policy = (changes: Partial<PolicyFacts> = {}): PolicyFacts => ({
    ...{ enabled: true, scope: everyone, updatesInventory: true, scripts: [script()], ...changes },
  });

  it.each<[string, Partial<PolicyFacts>, string]>([
    ['as documented', {}, 'pass: enabled, runs the script, scoped to all computers'],
    [
      'disabled, without a scope',
      { enabled: false, scope: { ...everyone, allComputers: false } },
      'fail: it is disabled; it has no scope',
    ],
    ['with another script', { scripts: [script({}, 'other.sh')] }, 'fail: it does not run the script'],
    [
      'with the script twice',
      { scripts: [script(), script({}, 'x'), script()] },
      'fail: it runs the script more than once',
    ],
    [
      'less computers that were not read',
      { scope: { ...everyone, exclusions: [group('A')] } },
      'unknown: the computers of the computer group "A", which it excludes, were not read',
    ],
    [
      'disabled, less computers that were not read',
      { enabled: false, scope: { ...everyone, exclusions: [group('A')] } },
      'fail: it is disabled',
    ],
  ])('%s', (_, changes, expected) => {
    expect(say(checkPolicy(settings, one(policy(changes)), ['1']))).toBe(expected);
  });

  it('updates the inventory, or values arrive late', () => {
    expect(say(checkUpdateInventory(settings, one(policy())))).toBe('pass: Update Inventory is on');
    expect(say(checkUpdateInventory(settings, one(policy({ updatesInventory: false }))))).toBe(
      'fail: Update Inventory is off',
    );
  });

  it('is of that name, once, and read', () => {
    for (const check of [
      (found: LookupResult<PolicyFacts>) => checkPolicy(settings, found, []),
      (found: LookupResult<PolicyFacts>) => checkUpdateInventory(settings, found),
      (found: LookupResult<PolicyFacts>) => checkPolicyParameters(settings, 'https://x', found),
    ]) {
      expect(say(check({ is: 'none', near: 'deploy' }))).toBe(
        'fail: there is no policy of that name; did you mean "deploy"?',
      );
      expect(say(check({ is: 'several', count: 2 }))).toBe('fail: there are 2 of that name');
      expect(say(check(unread))).toBe('unknown: it was not read');
    }
  });

  it('is not checked where the settings name none', () => {
    const none = makeSettings({ identity: 'email' });
    const advice = 'Set deployment.macos.policy to have this checked.';
    for (const finding of [
      checkPolicy(none, one(policy()), []),
      checkUpdateInventory(none, one(policy())),
      checkPolicyParameters(none, 'https://x', one(policy())),
    ]) {
      expect(finding).toMatchObject({ result: 'not-checked', found: '', advice });
    }
    expect(checkPolicyParameters({ ...settings, identity: 'directory' }, 'https://x', one(policy()))).toMatchObject({
      result: 'not-checked',
      advice: 'Set deployment.identity: email to have this checked.',
    });
  });

  const well = 'pass: parameters 4 to 9 are set, and those that Muster can compare are right';
  it.each<[string, Readonly<Record<number, string>>, string]>([
    ['as documented', {}, well],
    ['with blanks around', { 9: ' circle-42 ' }, well],
    [
      'two empty, one a placeholder',
      { 4: '', 8: ' ', 9: '<CIRCLE_ID>' },
      'fail: parameter 4 (mdmUser) is not set; parameter 8 (apiKey) is not set; parameter 9 (circleId) is still a placeholder',
    ],
    [
      'both hosts empty',
      { 6: '', 7: '<SERVER_URL>' },
      'fail: parameter 6 (mdmHost) is not set; parameter 7 (serviceHost) is still a placeholder',
    ],
    ['the circle empty', { 9: '' }, 'fail: parameter 9 (circleId) is not set'],
    ['another server', { 6: 'other.example.com' }, 'fail: parameter 6 is not the host of this Jamf Pro server'],
    ['another service', { 7: 'other.example.com' }, 'fail: parameter 7 is not the host of deployment.service'],
    [
      'URLs',
      { 6: 'https://jamf.example.com', 7: 'https://x' },
      'fail: parameter 6 holds a URL; it must be the host alone; parameter 7 holds a URL; it must be the host alone',
    ],
    ['a path', { 7: 'files.example.com/x' }, 'fail: parameter 7 holds a path behind the host'],
    ['another circle', { 9: 'circle-43' }, 'fail: parameter 9 is not the circle in the settings'],
  ])('hands over parameters: %s', (_, changes, expected) => {
    const found = checkPolicyParameters(
      settings,
      'https://jamf.example.com',
      one(policy({ scripts: [script(changes)] })),
    );
    expect(say(found)).toBe(expected);
  });

  it('hands over nothing without the script; what the settings do not have is not compared', () => {
    const check = (own: DeploymentSettings, used: PolicyFacts) =>
      say(checkPolicyParameters(own, 'https://jamf.example.com', one(used)));
    expect(check(settings, policy({ scripts: [] }))).toBe('fail: it does not run the script');
    const { service: _, ...less } = settings;
    const other = policy({ scripts: [script({ 7: 'other.example.com', 9: 'circle-43' })] });
    expect(check(makeSettings({ ...less, service: undefined, windows: {} }), other)).toBe(well);
  });

  it('has the value of a parameter in whichever of its scripts it is set', () => {
    const used = policy({ scripts: [script({ 8: '' }), script({ 8: '<API_KEY>' }), script({ 8: 'x' }, 'other.sh')] });
    expect(findPolicyParameter(settings, used, 8)).toBeUndefined();
    const named = makeSettings({ macos: { policy: 'Deploy' } });
    expect(findPolicyParameter(named, used, 8)).toBe('x');
    expect(findPolicyParameter(named, used, 10)).toBeUndefined();
  });

  describe('the account in it', () => {
    const account: JamfAccount = { username: 'READER', privileges: ['Read Computers', 'View License Serial Numbers'] };
    const judge = (own: JamfAccount | typeof unread, change: SettingsChange = {}, used = policy()) =>
      checkPolicyAccount({ ...settings, ...change } as DeploymentSettings, one(used), own, at);

    it('is judged where Muster uses it too, and is attested where not', () => {
      expect(say(judge(account))).toBe('pass: the account that Muster uses too; 2 privileges, all read-only');
      expect(say(judge({ ...account, privileges: ['Update A', 'Read B'] }))).toBe(
        'fail: the account that Muster uses too; it may also: "Update A"',
      );
      const advice =
        'Check on the server that the account in parameter 4 of the policy can only read, then set deployment.attested.account-read-only.';
      const others: (JamfAccount | typeof unread)[] = [
        { ...account, username: 'x' },
        { username: undefined, privileges: undefined },
        unread,
      ];
      for (const other of others) {
        expect(judge(other)).toMatchObject({ result: 'not-checked', advice });
        expect(say(judge(other, { attested: { 'account-read-only': '2026-10-01' } }))).toBe(
          'pass: attested on 2026-10-01',
        );
        expect(judge(other, { attested: { 'account-read-only': '2024-10-01' } })).toMatchObject({
          ...{ result: 'fail', found: 'attested on 2024-10-01, more than a year ago', advice },
        });
      }
      expect(judge({ username: undefined, privileges: ['Update A'] }, {}, policy({ scripts: [] })).result).toBe(
        'not-checked',
      );
      expect(checkPolicyAccount(settings, unread, account, at).result).toBe('not-checked');
      expect(judge(account, { identity: 'directory' })).toMatchObject({
        advice: 'Set deployment.identity: email to have this checked.',
      });
    });
  });
});

describe('permissions', () => {
  it.each<[readonly string[], string]>([
    [[], 'pass: 0 privileges, all read-only'],
    [['Read A', 'View B'], 'pass: 2 privileges, all read-only'],
    [['Read A', 'Reading B', 'A Read B'], 'fail: it may also: "A Read B", "Reading B"'],
    [
      ['View Disk Encryption Recovery Key', 'Read Password', 'View Activation Lock Bypass Code'],
      'fail: it may also: "Read Password", "View Activation Lock Bypass Code", "View Disk Encryption Recovery Key"',
    ],
    [['e', 'd', 'c', 'b', 'a'], 'fail: it may also: "a", "b", "c" and 2 more'],
    [['c', 'b', 'a'], 'fail: it may also: "a", "b", "c"'],
  ])('of Jamf Pro: %j', (privileges, expected) => {
    expect(say(checkAccess(makeSettings(), { username: 'x', privileges }, at))).toBe(expected);
  });

  it('of Jamf Pro that the server does not list are attested', () => {
    const account = { username: 'x', privileges: undefined };
    expect(checkAccess(makeSettings(), account, at)).toMatchObject({
      result: 'not-checked',
      advice: expect.stringMatching(/then set deployment\.attested\.api-client-read-only\.$/),
    });
    const attested = { 'api-client-read-only': '2026-10-01' };
    expect(say(checkAccess(makeSettings({ attested }), account, at))).toBe('pass: attested on 2026-10-01');
    expect(say(checkAccess(makeSettings(), unread, at))).toBe('unknown: it was not read');
  });

  it.each<[readonly string[], string]>([
    [['Device.Read.All', 'User.Read'], 'pass: 2 permissions, all read-only'],
    [['Device.ReadWrite.All', 'X.Read.Allx'], 'fail: it may also: "Device.ReadWrite.All", "X.Read.Allx"'],
    [['ReadAll'], 'fail: it may also: "ReadAll"'],
  ])('of Microsoft Graph: %j', (roles, expected) => {
    expect(say(checkPermissions(roles))).toBe(expected);
    expect(say(checkPermissions(unread))).toBe('unknown: it was not read');
  });
});

describe('a smart group', () => {
  const criterion: Criterion = { name: 'Agent Status', searchType: 'is', value: 'Installed' };
  it.each<[Criterion[] | 'static', string]>([
    [[criterion], 'pass: its one criterion is as documented'],
    ['static', 'fail: a static group'],
    [[], 'fail: no criterion: it holds every managed computer'],
    [[criterion, criterion], 'fail: 2 criteria'],
    [
      [{ name: 'a', searchType: 'like', value: 'b' }],
      'fail: its criterion is about "a"; its operator is "like"; its value is "b"',
    ],
  ])('%#: %s', (criteria, expected) => {
    const value = criteria === 'static' ? { smart: false, criteria: [criterion] } : { smart: true, criteria };
    expect(say(checkGroup('Installed', 'Agent Status', one(value)))).toBe(expected);
  });

  it('is checked for what it holds', () => {
    const value = { smart: true, criteria: [criterion] };
    expect(checkGroup('Not Installed', 'Agent Status', one(value))).toMatchObject({
      ...{ check: 'macos.smart-group-not-installed', result: 'fail', found: 'its value is "Installed"' },
      advice: 'Give the group exactly one criterion: "Agent Status" is "Not Installed".',
    });
    expect(say(checkGroup('Installed', 'x', { is: 'none' }))).toBe('fail: there is no smart group of that name');
  });
});

describe('the scripts', () => {
  const agentFile = emptyDeploymentSettings.macos.agentFile;
  const rendered = renderEvery(attributeTemplates, agentFile);
  const newest = rendered[0];
  const attribute: AttributeFacts = {
    enabled: true,
    dataType: 'STRING',
    inputType: 'SCRIPT',
    script: newest?.text ?? '',
  };
  const judge = (changes: Partial<AttributeFacts>) =>
    checkAttribute(one({ ...attribute, ...changes }), makeSettings(), acceptances);
  const shape = 'enabled, data type STRING, input type SCRIPT';

  it('of the attribute: known by its text, and of one kind', () => {
    expect(say(judge({}))).toMatch(
      new RegExp(
        `^pass: ${shape}; the script that \`muster artifacts extension-attribute\\.sh\` renders, since version \\d`,
      ),
    );
    expect(say(judge({ enabled: false }))).toBe('fail: disabled, data type STRING, input type SCRIPT');
    expect(say(judge({ dataType: 'INTEGER' }))).toBe('fail: enabled, data type INTEGER, input type SCRIPT');
    expect(say(judge({ inputType: 'A b' }))).toBe('fail: enabled, data type STRING, input type "A b"');
    expect(say(judge({ script: ' \n' }))).toBe(`fail: ${shape}; it has no script`);
    expect(say(judge({ script: 'x' }))).toMatch(
      new RegExp(`^unknown: ${shape}; a different script from the one that Muster renders \\(SHA-256 `),
    );
    expect(say(checkAttribute({ is: 'none' }, makeSettings(), acceptances))).toBe(
      'fail: there is no extension attribute of that name',
    );
  });

  it('of the policy: the vendor’s by its labels', () => {
    const settings = makeSettings({ identity: 'email', macos: { script: 'enroll.sh' } });
    const documented = ['mdmUser', 'mdmPass', 'mdmHost', 'serviceHost', 'apiKey', 'circleId'];
    const judgeLabels = (labels: readonly string[], contents = '#!/bin/sh') =>
      say(
        checkScript(
          settings,
          one({ labels: new Map(labels.map((label, index) => [index + 4, label])), contents }),
          acceptances,
        ),
      );
    expect(judgeLabels(documented)).toBe('pass: parameters 4 to 9 are labelled as documented');
    expect(judgeLabels(documented.map((label) => ` ${label.toUpperCase()} `))).toMatch(/^pass: /);
    expect(judgeLabels(documented.slice(0, 5))).toBe(`fail: parameter 9 is not labelled ${documented[5]}`);
    expect(judgeLabels(documented, ' \n')).toBe('fail: the script is empty');
  });

  it('of a directory-joined policy: Muster’s own, by its text', () => {
    const settings = makeSettings({
      identity: 'directory',
      service: 'https://files.example.com',
      macos: { script: 'x' },
    });
    const [known] = renderEvery(directoryTemplates, 'https://files.example.com');
    const judgeText = (contents: string, own = settings) =>
      checkScript(own, one({ labels: new Map(), contents }), acceptances);
    expect(say(judgeText(known?.text ?? ''))).toMatch(
      /^pass: the script that `muster artifacts deploy-directory\.sh` renders, since version/,
    );
    expect(say(judgeText(''))).toBe('fail: it has no script');
    expect(judgeText('x').advice).toMatch(/^Use the script that /);
    const { service: _, ...rest } = settings;
    expect(judgeText('x', { ...rest } as DeploymentSettings).advice).toMatch(
      /^Set deployment\.service\. Use the script/,
    );
  });

  it('of the policy are checked where the settings name them', () => {
    const script = one({ labels: new Map<number, string>(), contents: 'x' });
    expect(checkScript(makeSettings({ identity: 'email' }), script, acceptances).advice).toBe(
      'Set deployment.macos.script to have this checked.',
    );
    expect(checkScript(makeSettings({ macos: { script: 'x' } }), script, acceptances).advice).toBe(
      'Set deployment.identity to have this checked.',
    );
    const named = makeSettings({ identity: 'email', macos: { script: 'x' } });
    expect(say(checkScript(named, { is: 'none' }, acceptances))).toBe('fail: there is no script of that name');
  });
});

describe('a profile', () => {
  const team = 'TEAM123456';
  const settings = makeSettings({
    macos: {
      ...{ teamIdentifier: team, applicationFolder: '/Applications/Agent.app' },
      profiles: { extension: 'One', fileAccess: 'Two' },
    },
  });
  const payloads = (...content: Parameters<typeof build>[0][]) => build({ PayloadContent: content });
  const kernel = { PayloadType: 'com.apple.syspolicy.kernel-extension-policy', AllowedTeamIdentifiers: [team] };
  const whole: ProfileFacts = {
    ...{ scope: everyone, description: 'x', distribution: 'Install Automatically', level: 'computer' },
    payloads: payloads(kernel),
  };
  const judge = (changes: Partial<ProfileFacts>, own = settings) =>
    checkExtensionProfile(own, one({ ...whole, ...changes }), ['1']);

  it.each<[string, Partial<ProfileFacts>, string]>([
    ['as documented', {}, 'pass: as documented, scoped to all computers'],
    [
      'without a payload, for users',
      { payloads: payloads({ PayloadType: 'x' }), level: 'USER' },
      'fail: it has no payload for kernel or system extensions; it is a profile for users, not for computers',
    ],
    [
      'for another team, without a description',
      { payloads: payloads({ ...kernel, AllowedTeamIdentifiers: ['x'] }), description: '' },
      'fail: none of its payloads trusts the team identifier; its description does not say what it is for',
    ],
    [
      'in Self Service, for nobody',
      { distribution: 'x', scope: { ...everyone, allComputers: false } },
      'fail: it is not installed automatically, only offered in Self Service; it has no scope',
    ],
    [
      'less computers that were not read',
      { scope: { ...everyone, exclusions: [group('A')] } },
      'unknown: the computers of the computer group "A", which it excludes, were not read',
    ],
    [
      'of which the distribution is not known',
      { distribution: undefined },
      'unknown: the server does not say whether it is installed automatically, and on computers',
    ],
    [
      'of which the level is not known',
      { level: undefined },
      'unknown: the server does not say whether it is installed automatically, and on computers',
    ],
    [
      'of which the level is not known, for nobody',
      { level: undefined, scope: { ...everyone, allComputers: false } },
      'fail: it has no scope',
    ],
    ['that is none', { payloads: 'x' }, 'unknown: its payload is not a readable property list'],
  ])('for the extension: %s', (_, changes, expected) => {
    expect(say(judge(changes))).toBe(expected);
  });

  const adviceOf = (own: SettingsChange['macos']) =>
    checkExtensionProfile(makeSettings(own ? { macos: own } : {}), one(whole), ['1']).advice;
  it('for the extension is checked where the settings name it and the team', () => {
    expect(adviceOf({ teamIdentifier: team })).toBe('Set deployment.macos.profiles.extension to have this checked.');
    expect(adviceOf({ profiles: { extension: 'One' } })).toBe(
      'Set deployment.macos.teamIdentifier to have this checked.',
    );
    expect(say(checkExtensionProfile(settings, { is: 'none' }, []))).toBe(
      'fail: there is no configuration profile of that name',
    );
  });

  const entry = (Identifier: string, more: object = {}) => ({
    ...{ Identifier, IdentifierType: Identifier.startsWith('/') ? 'path' : 'bundleID', Allowed: true },
    ...{ CodeRequirement: `certificate leaf[subject.OU] = ${team}`, ...more },
  });
  const tcc = (...entries: object[]) =>
    payloads({
      PayloadType: 'com.apple.TCC.configuration-profile-policy',
      Services: { SystemPolicyAllFiles: entries },
    } as Parameters<typeof build>[0]);
  const agent = entry('/usr/local/fhfs/bin/fhagent');
  const access = (text: string, own: SettingsChange['macos'] = {}) =>
    say(
      checkFileAccessProfile(
        makeSettings({ macos: { ...settings.macos, ...own } }),
        one({ ...whole, payloads: text }),
        ['1'],
      ),
    );
  const folderOnly = entry('/Applications/Agent.app');

  it.each<[string, object[], SettingsChange['macos'], string]>([
    ['the folder', [folderOnly, agent], {}, 'pass: as documented, scoped to all computers'],
    ['the vendor’s bundle', [entry('com.x'), agent], {}, 'pass: as documented, scoped to all computers'],
    [
      'another bundle where the id is known',
      [entry('com.x'), agent],
      { applicationIdentifier: 'com.y' },
      'fail: All Files is not allowed for the application',
    ],
    [
      'the bundle where only its id is known',
      [entry('com.y'), agent],
      { applicationIdentifier: 'com.y', applicationFolder: undefined },
      'pass: as documented, scoped to all computers',
    ],
    [
      'the vendor’s bundle where the team is not known',
      [entry('com.x'), agent],
      { teamIdentifier: undefined },
      'fail: All Files is not allowed for the application',
    ],
    [
      'the folder, and the bundle denied',
      [folderOnly, entry('com.y', { Allowed: false }), agent],
      { applicationIdentifier: 'com.y' },
      'fail: All Files is denied for the application',
    ],
    [
      'the folder, and the vendor’s bundle denied',
      [folderOnly, entry('com.x', { Allowed: false }), agent],
      {},
      'fail: All Files is denied for the application',
    ],
    [
      'the agent twice without a team',
      [folderOnly, { ...agent, CodeRequirement: 'x' }, { ...agent, CodeRequirement: 'y' }],
      {},
      'fail: the code requirement of fhagent names no team',
    ],
    [
      'nothing, with tools',
      [],
      { tools: true },
      'fail: All Files is not allowed for the application; All Files is not allowed for fhagent; All Files is not allowed for fhtools',
    ],
    [
      'a slash at the end',
      [entry('/Applications/Agent.app//'), entry(' /usr/local/fhfs/bin/fhagent/ ', { IdentifierType: 'path' })],
      { applicationFolder: '/Applications/Agent.app//' },
      'pass: as documented, scoped to all computers',
    ],
  ])('for file access: %s', (_, entries, own, expected) => {
    expect(access(tcc(...entries), own)).toBe(expected);
  });

  it('for file access is checked where the settings name it and the application', () => {
    const advice = (own: SettingsChange['macos'] = {}) =>
      checkFileAccessProfile(makeSettings({ macos: own }), one(whole), ['1']).advice;
    expect(advice({ applicationFolder: '/x' })).toBe('Set deployment.macos.profiles.fileAccess to have this checked.');
    expect(advice({ profiles: { fileAccess: 'Two' } })).toBe(
      'Set deployment.macos.applicationFolder or applicationIdentifier to have this checked.',
    );
  });
});

describe('a download', () => {
  const settings = makeSettings({ service: 'https://files.example.com' });
  const tar = makeTarHeader(512);
  const bundle = gzipSync(tar);
  const found = (changes: object = {}): Download => ({
    is: 'found',
    file: { length: bundle.length, etag: '"a"', firstBytes: bundle, ...changes },
  });
  it.each<[string, Download, string]>([
    ['as expected', found(), `pass: as expected; ${bundle.length} bytes, ETag "a"`],
    ['without an ETag', found({ etag: undefined }), `pass: as expected; ${bundle.length} bytes, no ETag`],
    ['of one byte', found({ length: 1, firstBytes: Buffer.alloc(1) }), 'fail: it is not a gzip file; 1 byte, ETag "a"'],
    ['empty', found({ length: 0 }), 'fail: it is empty; 0 bytes, ETag "a"'],
    ['of unknown length', found({ length: undefined }), 'unknown: the service does not say how long the file is'],
    ['refused', { is: 'refused', why: 'it answered 404' }, 'fail: it answered 404'],
    ['not read', unread, 'unknown: it was not read'],
  ])('%s', (_, download, expected) => {
    expect(say(checkDownload(settings, 'bundle', download))).toBe(expected);
  });

  it('is checked where the settings name the service, each file by its own format', () => {
    expect(checkDownload(makeSettings(), 'package', found()).advice).toBe(
      'Set deployment.service to have this checked.',
    );
    expect(say(checkDownload(settings, 'package', found()))).toMatch(/^fail: it is not an installer archive \(xar\); /);
  });

  it.each<[string, Buffer, string | undefined]>([
    ['a tar archive', gzipSync(tar), undefined],
    [
      'a tar archive cut off behind its first header',
      gzipSync(Buffer.concat([tar, Buffer.alloc(90_000, 1)])).subarray(0, 200),
      undefined,
    ],
    ['two bytes', Buffer.from([0x1f, 0x8b]), 'it is not a gzip file'],
    ['a zip', Buffer.from('PK\u0003\u0004'), 'it is not a gzip file'],
    [
      'a broken gzip',
      Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 0xe0]), Buffer.alloc(20, 7)]),
      'it is a gzip file that cannot be unpacked',
    ],
    [
      'less than a header, though its sum is right',
      gzipSync(makeTarHeader(511)),
      'it is a gzip file, but not a tar archive with a file',
    ],
    [
      'a header with another sum',
      gzipSync(Buffer.concat([tar.subarray(0, 148), Buffer.from('0000001\0'), tar.subarray(156)])),
      'it is a gzip file, but not a tar archive with a file',
    ],
    ['a block of zeros', gzipSync(Buffer.alloc(512)), 'it is a gzip file, but not a tar archive with a file'],
  ])('a bundle that is %s', (_, first, expected) => {
    expect(findBundleProblem(first)).toBe(expected);
  });

  /** A header, its table of contents, and so much data behind. */
  function makeXar(
    contents: Buffer,
    { size = 28, version = 1, magic = 'xar!', stated = contents.length } = {},
  ): Buffer {
    const header = Buffer.alloc(Math.max(size, 28));
    header.write(magic, 0, 'latin1');
    header.writeUInt16BE(size, 4);
    header.writeUInt16BE(version, 6);
    header.writeBigUInt64BE(BigInt(stated), 8);
    return Buffer.concat([header, contents]);
  }
  const table = deflateSync(
    '<xar><data><length>10</length><offset>20</offset></data><data><offset>5</offset><length>6</length></data></xar>',
  );
  const archive = makeXar(table);
  const cutOff = 'it is cut off';

  it.each<[string, Buffer, number, string | undefined]>([
    ['whole', archive, archive.length + 30, undefined],
    ['one byte short', archive, archive.length + 29, cutOff],
    ['without data', makeXar(deflateSync('<xar/>')), makeXar(deflateSync('<xar/>')).length, undefined],
    ['with a longer header', makeXar(table, { size: 32 }), archive.length + 34, undefined],
    ['cut off in its table', archive, archive.length - 1, 'its table of contents is cut off'],
    ['read as far as its header', archive.subarray(0, 28), archive.length + 30, undefined],
    ['read to one byte before the end of its table', archive.subarray(0, -1), archive.length + 30, undefined],
    [
      'with a table that is none, read to its end',
      makeXar(Buffer.alloc(9, 7)),
      1_000,
      'its table of contents cannot be read',
    ],
    ['with a byte less than a header', archive.subarray(0, 27), 1_000, 'it is not an installer archive (xar)'],
    ['of another kind', makeXar(table, { magic: 'xar?' }), 1_000, 'it is not an installer archive (xar)'],
    ['of another version', makeXar(table, { version: 2 }), 1_000, 'its archive header is invalid'],
    ['with too short a header', makeXar(table, { size: 27 }), 1_000, 'its archive header is invalid'],
    ['without a table', makeXar(table, { stated: 0 }), 1_000, 'its archive header is invalid'],
  ])('a package that is %s', (_, first, length, expected) => {
    expect(findPackageProblem(first, length)).toBe(expected);
  });
});

/** The header of a file in a tar archive, or its first bytes. */
function makeTarHeader(length: number): Buffer {
  const header = Buffer.alloc(length);
  header.write('agent.pkg', 0);
  header.fill(' ', 148, 156);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

describe('a statement', () => {
  it.each([
    ['2026-11-20', { counts: true }],
    ['2026-11-21', { counts: true }],
    ['2026-11-22', { counts: false, why: 'a date in the future' }],
    ['2025-11-20', { counts: true }],
    ['2025-11-19', { counts: false, why: 'more than a year ago' }],
  ])('of %s', (on, expected) => {
    expect(judgeStatement(on, at.moment)).toEqual(expected);
  });

  it.each([
    ['2026-11-21T00:00:00Z', true],
    ['2026-11-20T23:59:59Z', false],
    ['2027-11-23T00:00:00Z', true],
    ['2027-11-23T00:00:01Z', false],
  ])('of 22 November 2026 counts at %s: %s', (moment, expected) => {
    expect(judgeStatement('2026-11-22', new Date(moment)).counts).toBe(expected);
  });

  it('has a last date', () => {
    const attested = { 'circle-id': '2026-01-01', 'api-key': undefined };
    const accepted = [{ sha256: 'f', by: 'Ada', on: '2026-02-01' }];
    expect(listStatements({ attested, accepted } as Parameters<typeof listStatements>[0])).toEqual([
      { kind: 'attestation', about: 'circle-id', on: '2026-01-01', until: '2027-01-01' },
      { kind: 'acceptance', about: 'f', by: 'Ada', on: '2026-02-01', until: '2027-02-01' },
    ]);
  });
});

describe('prerequisites', () => {
  const ids = (identity: DeploymentSettings['identity']) =>
    checkPrerequisites(makeSettings({ identity }), {}, at).map(({ check }) => check.replace('prerequisite.', ''));

  it('are proved, attested, or not known', () => {
    const attested = { 'circle-id': '2026-10-01', 'api-key': '2024-10-01' };
    const settings = makeSettings({ identity: 'email', attested });
    const findings = checkPrerequisites(settings, { 'group-exists': 'there is one' }, at);
    const find = (id: string) => findings.find(({ check }) => check === `prerequisite.${id}`);
    expect(find('group-exists')).toMatchObject({ result: 'pass', found: 'there is one' });
    expect(find('circle-id')).toMatchObject({ result: 'pass', found: 'attested on 2026-10-01' });
    expect(find('api-key')).toMatchObject({
      ...{ result: 'fail', found: 'attested on 2024-10-01, more than a year ago' },
      advice: 'Verify it again, then update the date in deployment.attested.api-key.',
    });
    expect(find('device-enrolled')).toMatchObject({
      result: 'not-checked',
      advice: 'Set deployment.attested.device-enrolled to have this checked.',
    });
    expect(ids('email')).toContain('api-key');
    const open = checkPrerequisites(makeSettings(), { 'group-exists': 'x' }, at);
    expect(new Set(open.map(({ result, advice }) => `${result} ${advice}`))).toEqual(
      new Set(['not-checked Set deployment.identity to have this checked.']),
    );
  });

  const settings = makeSettings({ identity: 'email', macos: { policy: 'Deploy' } });
  const proved = (findings: ReturnType<typeof checkMacos>) =>
    findings
      .filter(({ check, result }) => check.startsWith('prerequisite.') && result === 'pass')
      .map(({ check, found }) => `${check.replace('prerequisite.', '')}: ${found}`);
  const macos = (read: Partial<MacosReading>) =>
    proved(
      checkMacos(
        { settings, attribute: 'Agent Status', server: 'https://x', ...at },
        { ...emptyMacosReading, ...read },
      ),
    );
  const windows = (read: Partial<WindowsReading>) =>
    proved(checkWindows(settings, { ...emptyWindowsReading, ...read }, at));

  it('are proved by what Jamf Pro shows', () => {
    const parameters = new Map([
      [8, 'key'],
      [9, '<CIRCLE_ID>'],
    ]);
    const smart = one({ smart: true, criteria: [] });
    const policy = (values: ReadonlyMap<number, string>) =>
      one({ enabled: true, scope: everyone, updatesInventory: true, scripts: [{ name: 'x', parameters: values }] });
    expect(macos({})).toEqual([]);
    expect(macos({ installedGroup: smart })).toEqual(['group-exists: the server has a smart group for it']);
    expect(macos({ notInstalledGroup: smart })).toEqual(['group-exists: the server has a smart group for it']);
    expect(macos({ installedGroup: { is: 'none' }, notInstalledGroup: { is: 'several' } })).toEqual([]);
    expect(macos({ devices: 1 })).toEqual(['device-enrolled: the server lists enrolled computers']);
    expect(macos({ policy: policy(parameters) })).toEqual(['api-key: parameter 8 of the policy is set']);
    expect(macos({ policy: policy(new Map([[9, 'c']])) })).toEqual(['circle-id: parameter 9 of the policy is set']);
  });

  it('are proved by what Intune shows', () => {
    const bare = makeApp({ installCommand: '', setupFile: '' });
    expect(windows({})).toEqual([]);
    expect(windows({ apps: [bare] })).toEqual([]);
    expect(windows({ devices: 1 })).toEqual(['device-enrolled: the tenant lists enrolled devices']);
    const withTarget = (...targets: string[]) => [
      { ...bare, assignments: targets.map((target) => assign('available', target)) },
    ];
    expect(windows({ apps: withTarget('allDevicesAssignmentTarget') })).toEqual([]);
    expect(
      windows({ apps: [...withTarget('allDevicesAssignmentTarget', groupTarget), { ...bare, assignments: unread }] }),
    ).toEqual(['group-exists: the app is assigned to a group']);
    expect(
      windows({ apps: [bare, makeApp({ setupFile: 'INSTALL-AGENT.PS1', installCommand: 'x -ApiKey k' })] }).toSorted(),
    ).toEqual(['api-key: -ApiKey of the install command is set', 'install-script: the app was packaged around it']);
    expect(windows({ apps: [makeApp({ setupFile: '', installCommand: 'x -circleid c' })] })).toEqual([
      'circle-id: -circleid of the install command is set',
    ]);
  });
});
