/** What each check of an Intune source makes of what was read: which result, and what it names. Nothing is read here. */
import { describe, expect, it } from 'vitest';
import { appCheck } from '../../src/deployment/checks/intune/app.ts';
import {
  type AssignmentSettings,
  appAssigned,
  assignmentCheck,
  listAssignmentGroups,
} from '../../src/deployment/checks/intune/assignments.ts';
import { permissionsReadOnly } from '../../src/deployment/checks/intune/checks.ts';
import {
  hasParameterValue,
  installCommand as installCommandCheck,
  uninstallCommand as uninstallCommandCheck,
} from '../../src/deployment/checks/intune/commands.ts';
import type { AppsReading, AssignmentFacts, IntuneReading } from '../../src/deployment/checks/intune/reading.ts';
import {
  installCommand,
  judgeIntune,
  makeApp,
  makeSettings,
  type SettingsChange,
  say,
  uninstallFile,
  unread,
} from './judging.ts';

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
    ['that does not exist', { is: 'absent', why: 'there is none', advice: 'Name it.' }, 'fail: there is none'],
    ['that cannot be read', unread, 'unknown: it was not read'],
  ])('%s', (_, apps, expected) => {
    expect(say(judgeIntune(appCheck, { apps }))).toBe(expected);
  });

  it('that is an Office suite came of the document’s own steps', () => {
    const { advice } = judgeIntune(appCheck, { apps: [makeApp({ type: 'officeSuiteApp' })] });
    expect(advice).toMatch(/Office suite entry.*checklist\.md/);
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
      'an uninstallation',
      assigned(toUsers, assign('uninstall', groupTarget, pilot), assign('uninstall', 'allDevicesAssignmentTarget')),
      `fail: it is uninstalled from the group "${pilot}"; it is uninstalled from all devices`,
    ],
    [
      'of two apps, one not read',
      [makeApp({ assignments: [toUsers] }), makeApp({ assignments: unread })],
      'unknown: it was not read',
    ],
    ['of no app that was read', unread, 'unknown: it was not read'],
  ])('that target anybody: %s', (_, apps, expected) => {
    expect(say(judgeIntune(appAssigned, { apps }))).toBe(expected);
  });

  const judge = (
    assignments: AssignmentFacts[],
    settings: AssignmentSettings = {},
    groups: IntuneReading['groups'] = [],
    hasFilters: boolean | undefined = false,
  ) => say(judgeIntune(assignmentCheck, { apps: assigned(...assignments), groups, hasFilters }, { windows: settings }));
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
    const found = judgeIntune(assignmentCheck, { apps: assigned(toUsers), groups: [], hasFilters });
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
  ])('where the settings name a group: %s', (_, assignments, expected) => {
    expect(judge(assignments, named, found)).toBe(expected);
  });

  it.each<[string, NonNullable<AssignmentSettings['alsoAssigned']>[number], AssignmentFacts, string]>([
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
    ] satisfies AssignmentSettings['alsoAssigned'];
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
    say(judgeIntune(installCommandCheck, { apps: [makeApp({ installCommand: command })] }, own));

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
    ['without the key', / -ApiKey k/, '', 'fail: -ApiKey has no value'],
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
    [
      'with its parameters in another order, one in quotes',
      /-circleid (\S+) (-MemberRoleId \S+)/,
      '$2 -circleid "$1"',
      'pass: as documented; its API key is set',
    ],
    ['without a scheme', 'https://', '', 'pass: as documented; its API key is set'],
    ['of another host', 'files.', 'other.', 'fail: -fqdn is another host than deployment.service'],
    ['with a path', '.com', '.com/api', 'fail: -fqdn holds a path behind the host'],
  ])('%s', (_, from, to, expected) => {
    expect(judge(installCommand.replace(from, to))).toBe(expected);
  });

  it('is compared with what the settings have, and not checked where they have nothing', () => {
    const other = installCommand.replace('42', '43').replace('operator', 'owner').replace('files.', 'other.');
    const result = (change: SettingsChange) =>
      judgeIntune(installCommandCheck, { apps: [makeApp({ installCommand: other })] }, change).result;
    expect(result({ service: 'https://other.example.com' })).toBe('pass');
    expect(result({ windows: { circleId: 'circle-43' } })).toBe('pass');
    expect(result({ windows: { memberRoleId: 'owner' } })).toBe('pass');
    expect(judgeIntune(installCommandCheck, { apps: [makeApp()] })).toMatchObject({
      result: 'not-checked',
      advice: 'Set deployment.service, deployment.windows.circleId and memberRoleId to have this checked.',
    });
    expect(say(judgeIntune(installCommandCheck, { apps: unread }, settings))).toBe('unknown: it was not read');
  });

  it('of several apps is named by its app', () => {
    const wrong = makeApp({ id: 'two', installCommand: '' });
    expect(say(judgeIntune(installCommandCheck, { apps: [makeApp(), wrong] }, settings))).toMatch(
      /^fail: two: it does not begin with/,
    );
  });

  it.each([
    ['x -ApiKey k', true],
    ['-ApiKey k', true],
    ['x -ApiKey ""', false],
    ['x -ApiKey -circleid y', false],
    ['x -ApiKey <API_KEY>', false],
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
    expect(say(judgeIntune(uninstallCommandCheck, { apps: [makeApp({ uninstallCommand })] }, settings))).toBe(expected);
  });

  it('is not checked without the folder, and unknown where it was not read', () => {
    expect(judgeIntune(uninstallCommandCheck, { apps: [makeApp()] })).toMatchObject({
      result: 'not-checked',
      advice: 'Set deployment.windows.vendorFolder to have this checked.',
    });
    expect(say(judgeIntune(uninstallCommandCheck, { apps: unread }, settings))).toBe('unknown: it was not read');
    const two = [makeApp(), makeApp({ id: 'two', uninstallCommand: '' })];
    expect(say(judgeIntune(uninstallCommandCheck, { apps: two }, settings))).toBe(
      'fail: two: it is a different command',
    );
  });
});

it.each<[readonly string[], string]>([
  [['Device.Read.All', 'User.Read'], 'pass: 2 permissions, all read-only'],
  [['Device.ReadWrite.All', 'X.Read.Allx'], 'fail: it may also: "Device.ReadWrite.All", "X.Read.Allx"'],
  [['ReadAll'], 'fail: it may also: "ReadAll"'],
])('application permissions: %j', (roles, expected) => {
  expect(say(judgeIntune(permissionsReadOnly, { roles }))).toBe(expected);
  expect(say(judgeIntune(permissionsReadOnly, { roles: unread }))).toBe('unknown: it was not read');
});
