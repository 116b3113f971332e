/** What each check of a Jamf Pro source makes of what was read: which result, and what it names. Nothing is read here. */
import { describe, expect, it } from 'vitest';
import { runCheck } from '../../src/deployment/checks/check.ts';
import { accountReadOnly, permissionsReadOnly } from '../../src/deployment/checks/jamf/permissions.ts';
import {
  findPolicyParameter,
  policyCheck,
  policyParameters,
  updateInventory,
} from '../../src/deployment/checks/jamf/policy.ts';
import type { Criterion, JamfAccount, PolicyFacts } from '../../src/deployment/checks/jamf/reading.ts';
import { judgeScope, type ScopeEntry, type ScopeFacts } from '../../src/deployment/checks/jamf/scope.ts';
import { scriptCheck } from '../../src/deployment/checks/jamf/scripts.ts';
import { smartGroupInstalled, smartGroupNotInstalled } from '../../src/deployment/checks/jamf/smart-groups.ts';
import { packageFolder } from '../../src/deployment/checks/package-folder.ts';
import { findStatementProblem, listStatements } from '../../src/deployment/checks/statements.ts';
import type { LookupResult } from '../../src/deployment/checks/verdicts.ts';
import type { DeploymentSettings } from '../../src/settings/deployment/deployment.ts';
import { everyone, judgeJamf, makeContext, makeSettings, one, type SettingsChange, say, unread } from './judging.ts';

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
    [also('IntuneWinAppUtil.exe.txt'), 'fail: it also holds "IntuneWinAppUtil.exe.txt"'],
    [also('a', 'b', 'c', 'd', 'e', 'f'), 'fail: it also holds "a", "b", "c", "d", "e"'],
    [undefined, 'unknown: the folder could not be read'],
  ])('%#: %s', (entries, expected) => {
    expect(say(runCheck(packageFolder, entries, makeContext()))).toBe(expected);
  });
});

const scopeEntry = (type: string, name: string, computers?: readonly string[]): ScopeEntry => ({
  type,
  id: name,
  name,
  ...(computers === undefined ? {} : { computers }),
});
const group = (name: string, computers?: readonly string[]) => scopeEntry('computer_group', name, computers);

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
    identity: 'email',
    service: 'https://files.example.com',
    macos: { policy: 'Deploy', script: 'enroll.sh' },
    windows: { circleId: 'circle-42' },
  });
  const values = ['reader', 'secret', 'jamf.example.com', 'files.example.com', 'key', 'circle-42'];
  const script = (changes: Readonly<Record<number, string>> = {}, name = 'enroll.sh') => ({
    name,
    parameters: new Map(values.map((value, index) => [index + 4, changes[index + 4] ?? value])),
  });
  const policy = (changes: Partial<PolicyFacts> = {}): PolicyFacts => ({
    enabled: true,
    scope: everyone,
    updatesInventory: true,
    scripts: [script()],
    ...changes,
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
    expect(say(judgeJamf(policyCheck, { policy: one(policy(changes)), managed: ['1'] }, settings))).toBe(expected);
  });

  it('updates the inventory, or values arrive late', () => {
    expect(say(judgeJamf(updateInventory, { policy: one(policy()) }, settings))).toBe('pass: Update Inventory is on');
    expect(say(judgeJamf(updateInventory, { policy: one(policy({ updatesInventory: false })) }, settings))).toBe(
      'fail: Update Inventory is off',
    );
  });

  const policyChecks = [policyCheck, updateInventory, policyParameters];

  it('is of that name, once, and read', () => {
    for (const check of policyChecks) {
      const judge = (found: LookupResult<PolicyFacts>) => say(judgeJamf(check, { policy: found }, settings));
      expect(judge({ is: 'none', near: 'deploy' })).toBe(
        'fail: there is no policy of that name; did you mean "deploy"?',
      );
      expect(judge({ is: 'several', count: 2 })).toBe('fail: there are 2 of that name');
      expect(judge(unread)).toBe('unknown: it was not read');
    }
  });

  it('is not checked where the settings name none', () => {
    const advice = 'Set deployment.macos.policy to have this checked.';
    for (const check of policyChecks) {
      const finding = judgeJamf(check, { policy: one(policy()) }, { identity: 'email' });
      expect(finding).toMatchObject({ result: 'not-checked', found: '', advice });
    }
    const directory = { ...settings, identity: 'directory' } as const;
    expect(judgeJamf(policyParameters, { policy: one(policy()) }, directory)).toMatchObject({
      result: 'not-checked',
      advice: 'Set deployment.identity: email to have this checked.',
    });
  });

  const well = 'pass: parameters 4 to 9 are set, and those that Muster can compare are right';
  it.each<[string, Readonly<Record<number, string>>, string]>([
    ['as documented', {}, well],
    [
      'two empty, one a placeholder',
      { 4: '', 8: ' ', 9: '<CIRCLE_ID>' },
      'fail: parameter 4 (mdmUser) is not set; parameter 8 (apiKey) is not set; parameter 9 (circleId) is still a placeholder',
    ],
    [
      'placeholders of other kinds',
      { 5: '&lt;MDM_PASSWORD&gt;', 9: '{circle_id}' },
      'fail: parameter 5 (mdmPass) is still a placeholder; parameter 9 (circleId) is still a placeholder',
    ],
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
    const used = policy({ scripts: [script(changes)] });
    expect(say(judgeJamf(policyParameters, { policy: one(used) }, settings))).toBe(expected);
  });

  it('hands over nothing without the script; what the settings do not have is not compared', () => {
    const check = (own: DeploymentSettings, used: PolicyFacts) =>
      say(judgeJamf(policyParameters, { policy: one(used) }, own));
    expect(check(settings, policy({ scripts: [] }))).toBe('fail: it does not run the script');
    const { service: _, ...less } = settings;
    const other = policy({ scripts: [script({ 7: 'other.example.com', 9: 'circle-43' })] });
    expect(check(makeSettings({ ...less, service: undefined, windows: {} }), other)).toBe(well);
  });

  it('has the value of a parameter in whichever of its scripts it is set', () => {
    const scripts = [script({ 8: '' }), script({ 8: '<API_KEY>' }), script({ 8: 'x' }, 'other.sh')];
    const used = { policy: one(policy({ scripts })) };
    expect(findPolicyParameter(settings, used, 8)).toBeUndefined();
    const named = makeSettings({ macos: { policy: 'Deploy' } });
    expect(findPolicyParameter(named, used, 8)).toBe('x');
    expect(findPolicyParameter(named, used, 10)).toBeUndefined();
  });

  describe('the account in it', () => {
    const account: JamfAccount = { username: 'READER', privileges: ['Read Computers', 'View License Serial Numbers'] };
    const judge = (own: JamfAccount | typeof unread, change: SettingsChange = {}, used = policy()) =>
      judgeJamf(accountReadOnly, { policy: one(used), account: own }, { ...settings, ...change } as DeploymentSettings);

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
          result: 'fail',
          found: 'attested on 2024-10-01, more than a year ago',
          advice,
        });
      }
      expect(judge({ username: undefined, privileges: ['Update A'] }, {}, policy({ scripts: [] })).result).toBe(
        'not-checked',
      );
      expect(judgeJamf(accountReadOnly, { policy: unread, account }, settings).result).toBe('not-checked');
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
  ])('of Jamf Pro: %j', (privileges, expected) => {
    expect(say(judgeJamf(permissionsReadOnly, { account: { username: 'x', privileges } }))).toBe(expected);
  });

  it('of Jamf Pro that the server does not list are attested', () => {
    const account = { username: 'x', privileges: undefined };
    expect(judgeJamf(permissionsReadOnly, { account })).toMatchObject({
      result: 'not-checked',
      advice: expect.stringMatching(/then set deployment\.attested\.api-client-read-only\.$/),
    });
    const attested = { 'api-client-read-only': '2026-10-01' };
    expect(say(judgeJamf(permissionsReadOnly, { account }, { attested }))).toBe('pass: attested on 2026-10-01');
    expect(say(judgeJamf(permissionsReadOnly, { account: unread }))).toBe('unknown: it was not read');
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
    expect(say(judgeJamf(smartGroupInstalled, { installedGroup: one(value) }))).toBe(expected);
  });

  it('is checked for what it holds', () => {
    const value = { smart: true, criteria: [criterion] };
    expect(judgeJamf(smartGroupNotInstalled, { notInstalledGroup: one(value) })).toMatchObject({
      check: 'macos.smart-group-not-installed',
      result: 'fail',
      found: 'its value is "Installed"',
      advice: 'Give the group exactly one criterion: "Agent Status" is "Not Installed".',
    });
    expect(judgeJamf(smartGroupInstalled, { installedGroup: one({ ...value, smart: false }) }).advice).toMatch(
      /smart group/,
    );
    expect(say(judgeJamf(smartGroupInstalled, { installedGroup: { is: 'none' } }))).toBe(
      'fail: there is no smart group of that name',
    );
  });
});

describe('the scripts', () => {
  it('of the policy: the vendor’s by its labels', () => {
    const settings = makeSettings({ identity: 'email', macos: { script: 'enroll.sh' } });
    const documented = ['mdmUser', 'mdmPass', 'mdmHost', 'serviceHost', 'apiKey', 'circleId'];
    const judgeLabels = (labels: readonly string[], contents = '#!/bin/sh') =>
      say(
        judgeJamf(
          scriptCheck,
          { script: one({ labels: new Map(labels.map((label, index) => [index + 4, label])), contents }) },
          settings,
        ),
      );
    expect(judgeLabels(documented)).toBe('pass: parameters 4 to 9 are labelled as documented');
    expect(judgeLabels(documented.map((label) => ` ${label.toUpperCase()} `))).toMatch(/^pass: /);
    expect(judgeLabels(documented.slice(0, 5))).toBe(`fail: parameter 9 is not labelled ${documented[5]}`);
    expect(judgeLabels(documented, ' \n')).toBe('fail: the script is empty');
  });

  it('of the policy are checked where the settings name them', () => {
    const script = one({ labels: new Map<number, string>(), contents: 'x' });
    expect(judgeJamf(scriptCheck, { script }, { identity: 'email' }).advice).toBe(
      'Set deployment.macos.script to have this checked.',
    );
    expect(judgeJamf(scriptCheck, { script }, { macos: { script: 'x' } }).advice).toBe(
      'Set deployment.identity to have this checked.',
    );
    const named = makeSettings({ identity: 'email', macos: { script: 'x' } });
    expect(say(judgeJamf(scriptCheck, { script: { is: 'none' } }, named))).toBe(
      'fail: there is no script of that name',
    );
  });
});

describe('a statement', () => {
  it.each([
    ['2026-11-20', '2026-11-20T05:15:00Z', undefined],
    ['2026-11-22', '2026-11-20T23:59:59Z', 'a date in the future'],
    ['2026-11-22', '2027-11-23T00:00:00Z', undefined],
    ['2026-11-22', '2027-11-23T00:00:01Z', 'more than a year ago'],
  ])('of %s, at %s: %s', (on, moment, problem) => {
    expect(findStatementProblem(on, new Date(moment))).toBe(problem);
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
