/** What each check of a Jamf Pro source makes of what was read: which result, and what it names. Nothing is read here. */
import { describe, expect, it } from 'vitest';
import { runCheck } from '../../src/deployment/checks/check.ts';
import { permissionsReadOnly } from '../../src/deployment/checks/jamf/permissions.ts';
import type { Criterion } from '../../src/deployment/checks/jamf/reading.ts';
import { judgeScope, type ScopeFacts } from '../../src/deployment/checks/jamf/scope.ts';
import { scriptCheck } from '../../src/deployment/checks/jamf/scripts.ts';
import { smartGroupInstalled, smartGroupNotInstalled } from '../../src/deployment/checks/jamf/smart-groups.ts';
import { packageFolder } from '../../src/deployment/checks/package-folder.ts';
import { findStatementProblem, listStatements } from '../../src/deployment/checks/statements.ts';
import { group, scopeEntry } from './jamf-scopes.ts';
import { everyone, judgeJamf, makeContext, makeSettings, one, say, unread } from './judging.ts';

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
    expect(say(judgeJamf(smartGroupInstalled, { installedGroup: { kind: 'none' } }))).toBe(
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
    expect(say(judgeJamf(scriptCheck, { script: { kind: 'none' } }, named))).toBe(
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
