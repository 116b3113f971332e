/** The detection rule is the documented one or an accepted one; whatever else it is, it never passes. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { detectionRule } from '../../src/deployment/checks/intune/app.ts';
import type { AppFacts } from '../../src/deployment/checks/intune/reading.ts';
import type { DeploymentSettings } from '../../src/deployment/settings.ts';
import { judgeIntune, makeApp } from './judging.ts';

type Acceptance = DeploymentSettings['accepted'][number];

type Rule = Readonly<Record<string, unknown>>;

const rule: Rule = {
  '@odata.type': '#microsoft.graph.win32LobAppFileSystemRule',
  ruleType: 'detection',
  path: 'C:\\Windows\\System32\\drivers',
  fileOrFolderName: 'fhfs.sys',
  check32BitOn64System: false,
  operationType: 'exists',
  operator: 'notConfigured',
  comparisonValue: null,
};

const app = (...detectionRules: Rule[]) => makeApp({ detectionRules });

function judge(rules: readonly Rule[], accepted: Acceptance[] = []) {
  return judgeIntune(detectionRule, { apps: [app(...rules)] }, { accepted });
}

/** What the line of a finding says, as a person who pastes it states it. */
function accept({ advice }: { readonly advice: string }): Acceptance {
  const [, sha256 = ''] = /- \{ sha256: ([0-9a-f]{64}), by: YOUR NAME, on: 2026-11-20 \}$/.exec(advice) ?? [];
  return { sha256, by: 'Ada Example', on: '2026-11-20' };
}

it('the documented rule passes, in whichever order its fields come', () => {
  const reversed = Object.fromEntries(Object.entries(rule).toReversed());
  for (const one of [rule, reversed]) {
    expect(judge([one])).toMatchObject({ result: 'pass', found: 'exactly the documented file rule' });
  }
});

it('fields that are not set say nothing', () => {
  expect(judge([{ ...rule, somethingNew: null }]).result).toBe('pass');
  const { comparisonValue: _, ...without } = rule;
  expect(judge([without]).result).toBe('pass');
});

describe.each<[string, Rule]>([
  ['in lower case', { path: 'c:\\windows\\system32\\drivers', fileOrFolderName: 'FHFS.SYS' }],
  ['with a backslash at the end', { path: 'C:\\Windows\\System32\\drivers\\' }],
  ['with %windir%', { path: '%windir%\\System32\\drivers' }],
  ['with %SystemRoot%', { path: '%SystemRoot%\\system32\\drivers' }],
  ['with backslashes twice', { path: 'C:\\\\Windows\\\\System32\\\\\\drivers' }],
  ['with %SystemDrive%', { path: '%SystemDrive%\\Windows\\System32\\drivers' }],
  ['with slashes', { path: 'C:/Windows/System32/drivers' }],
  ['with a new field beside', { somethingNew: true }],
  ['without an operator', { operator: undefined }],
  ['with an empty value to compare with', { comparisonValue: '' }],
])('the documented rule written differently, %s', (_what, changes) => {
  it('is unknown until a person has accepted it', () => {
    const finding = judge([{ ...rule, ...changes }]);
    expect(finding).toMatchObject({ result: 'unknown', found: expect.stringContaining('written differently') });
    expect(judge([{ ...rule, ...changes }], [accept(finding)])).toMatchObject({
      result: 'pass',
      found: expect.stringContaining('accepted by Ada Example on 2026-11-20'),
    });
  });
});

/** Each is a change somebody could make; none may ever pass without a person. */
const spoiled: readonly [string, Rule[], 'fail' | 'unknown'][] = [
  ['no rule', [], 'fail'],
  [
    'only a product code',
    [{ '@odata.type': '#microsoft.graph.win32LobAppProductCodeRule', ruleType: 'detection' }],
    'unknown',
  ],
  ['the installer instead of the driver', [{ ...rule, fileOrFolderName: 'fhfs.exe' }], 'fail'],
  ['a pattern', [{ ...rule, fileOrFolderName: '*.sys' }], 'fail'],
  ['the 32-bit folder', [{ ...rule, path: 'C:\\Windows\\SysWOW64\\drivers' }], 'fail'],
  ['the 32-bit view', [{ ...rule, check32BitOn64System: true }], 'fail'],
  [
    'a version',
    [{ ...rule, operationType: 'version', operator: 'greaterThanOrEqual', comparisonValue: '7.0' }],
    'fail',
  ],
  ['the opposite', [{ ...rule, operationType: 'doesNotExist' }], 'fail'],
  ['an operator', [{ ...rule, operator: 'notEqual' }], 'fail'],
  ['a value to compare with', [{ ...rule, comparisonValue: '1' }], 'fail'],
  ['a kind of rule that nobody knows', [{ ...rule, ruleType: 'unknownFutureValue' }], 'unknown'],
  [
    'only a script',
    [{ '@odata.type': '#microsoft.graph.win32LobAppPowerShellScriptRule', ruleType: 'detection' }],
    'unknown',
  ],
  ['a non-breaking space after the name', [{ ...rule, fileOrFolderName: 'fhfs.sys\u00a0' }], 'fail'],
  ['a space before the folder', [{ ...rule, path: ' C:\\Windows\\System32\\drivers' }], 'fail'],
];

it.each(spoiled)('%s: never passes by itself', (_what, rules, result) => {
  expect(judge(rules).result).toBe(result);
});

it.each([
  ['file', { fileOrFolderName: 'agent.sys' }, 'C:\\Windows\\System32\\drivers\\agent.sys'],
  ['folder', { path: 'C:\\Program Files\\Agent' }, 'C:\\Program Files\\Agent\\fhfs.sys'],
])(
  'a rule with another %s names what the server looks for and what the settings say (mornings D9)',
  (_, other, place) => {
    const { found, advice } = judge([{ ...rule, ...other }]);
    expect(found.replace(/ \(SHA-256 .*/, '')).toBe(
      `the server looks for "${place}", the settings say "C:\\Windows\\System32\\drivers\\fhfs.sys"`,
    );
    expect(advice).toContain('if the agent has another file, name it in deployment.windows.detection');
  },
);

it('what a rule does otherwise is named in full', () => {
  const other = {
    ...rule,
    path: 'D:\\x',
    fileOrFolderName: 'y',
    operationType: 'version',
    operator: 'equal',
    comparisonValue: '1',
    check32BitOn64System: true,
  };
  expect(judge([other]).found).toMatch(
    /^the server looks for "D:\\x\\y", the settings say "C:.*\\fhfs\.sys"; it tests "version", not existence; its operator is "equal"; it compares with a value; it looks in the 32-bit view \(SHA-256 /,
  );
});

const acceptable = spoiled.filter(([, rules]) => rules.length > 0);

it.each(acceptable)('%s: passes once a person has accepted exactly this, for a year', (_what, rules, result) => {
  const acceptance = accept(judge(rules));
  expect(judge(rules, [acceptance]).result).toBe('pass');
  const old = judge(rules, [{ ...acceptance, on: '2025-11-18' }]);
  expect(old.result).toBe(result);
  expect(old.found).toContain('accepted by Ada Example on 2025-11-18, more than a year ago, which does not count');
  for (const [other, others] of spoiled.filter((one) => one[1] !== rules)) {
    expect([other, judge(others, [acceptance]).result]).not.toEqual([other, 'pass']);
  }
});

it('no rule fails, and cannot be accepted', () => {
  const finding = judge([], [{ sha256: createHash('sha256').update('[]').digest('hex'), by: 'Ada', on: '2026-11-20' }]);
  expect(finding).toMatchObject({ result: 'fail', found: 'it has no detection rule' });
  expect(finding.advice).not.toContain('deployment.accepted');
});

it('the hash is that of the JSON with its keys in order', () => {
  const other = { ...rule, fileOrFolderName: 'other.sys' };
  const json =
    '{"@odata.type":"#microsoft.graph.win32LobAppFileSystemRule","check32BitOn64System":false,' +
    '"fileOrFolderName":"other.sys","operationType":"exists","operator":"notConfigured",' +
    '"path":"C:\\\\Windows\\\\System32\\\\drivers","ruleType":"detection"}';
  expect(judge([other]).found).toContain(createHash('sha256').update(json).digest('hex'));
});

it('two rules have one hash, in whichever order they come', () => {
  const other = { ...rule, fileOrFolderName: 'other.sys' };
  const accepted = [accept(judge([rule, other]))];
  expect(judge([other, rule], accepted).result).toBe('pass');
  expect(judge([other], accepted).result).toBe('fail');
});

it('what a rule of a script holds is not shown', () => {
  const script = { '@odata.type': '#microsoft.graph.win32LobAppPowerShellScriptRule', ruleType: 'detection' };
  expect(JSON.stringify(judge([{ ...script, scriptContent: 'canary-in-script' }]))).not.toContain('canary');
});

it('of several apps each must pass, and the finding says which does not', () => {
  const one = { ...app(rule), id: 'one' };
  const wrong = { ...app({ ...rule, fileOrFolderName: 'fhfs.exe' }), id: 'two' };
  const odd = { ...app({ ...rule, somethingNew: true }), id: 'three' };
  const all = (...apps: AppFacts[]) => judgeIntune(detectionRule, { apps });
  expect(all(one, { ...one, id: 'four' }).result).toBe('pass');
  expect(all(one, odd)).toMatchObject({ result: 'unknown', found: expect.stringMatching(/^three: /) });
  expect(all(one, wrong, odd)).toMatchObject({ result: 'fail', found: expect.stringMatching(/^two: .*; three: /) });
  expect(all(wrong, odd).advice).toMatch(/: - \{ sha256: [^}]* \} - \{ sha256: [^}]* \}$/);
});
