/** What each check of an Intune source makes of what was read: which result, and what it names. Nothing is read here. */
import { describe, expect, it } from 'vitest';
import { appCheck } from '../../src/deployment/checks/intune/app.ts';
import { permissionsReadOnly } from '../../src/deployment/checks/intune/checks.ts';
import {
  hasParameterValue,
  installCommand as installCommandCheck,
  uninstallCommand as uninstallCommandCheck,
} from '../../src/deployment/checks/intune/commands.ts';
import type { AppsReading } from '../../src/deployment/checks/intune/reading.ts';
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
    ['that does not exist', { kind: 'absent', why: 'there is none', advice: 'Name it.' }, 'fail: there is none'],
    ['that cannot be read', unread, 'unknown: it was not read'],
  ])('%s', (_, apps, expected) => {
    expect(say(judgeIntune(appCheck, { apps }))).toBe(expected);
  });

  it('that is an Office suite came of the document’s own steps', () => {
    const { advice } = judgeIntune(appCheck, { apps: [makeApp({ type: 'officeSuiteApp' })] });
    expect(advice).toMatch(/Office suite entry.*checklist\.md/);
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
