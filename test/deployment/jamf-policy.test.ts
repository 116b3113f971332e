/** The policy of Jamf Pro that installs the agent. */
import { describe, expect, it } from 'vitest';
import { accountReadOnly } from '../../src/deployment/checks/jamf/permissions.ts';
import {
  findPolicyParameter,
  policyCheck,
  policyParameters,
  updateInventory,
} from '../../src/deployment/checks/jamf/policy.ts';
import type { JamfAccount, PolicyFacts } from '../../src/deployment/checks/jamf/reading.ts';
import type { LookupResult } from '../../src/deployment/checks/verdicts.ts';
import type { DeploymentSettings } from '../../src/deployment/settings.ts';
import { group } from './jamf-scopes.ts';
import { everyone, judgeJamf, makeSettings, one, type SettingsChange, say, unread } from './judging.ts';

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
      expect(judge({ kind: 'none', near: 'deploy' })).toBe(
        'fail: there is no policy of that name; did you mean "deploy"?',
      );
      expect(judge({ kind: 'several', count: 2 })).toBe('fail: there are 2 of that name');
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

  it('hands over the server with its context path [W3]', () => {
    const judge = (value: string) => {
      const used = { policy: one(policy({ scripts: [script({ 6: value })] })), server: 'https://jamf.example.com/mdm' };
      return say(judgeJamf(policyParameters, used, settings));
    };
    expect(judge('jamf.example.com/mdm')).toBe(well);
    for (const other of ['jamf.example.com', 'jamf.example.com/mdm/', 'jamf.example.com/other']) {
      expect(judge(other)).toBe('fail: parameter 6 is not the host and path of this Jamf Pro server');
    }
    expect(judge('other.example.com/mdm')).toBe('fail: parameter 6 is not the host of this Jamf Pro server');
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
