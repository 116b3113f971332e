/** The detection rule: what may be spelt otherwise, and what must be noticed. */
import { describe, expect, it } from 'vitest';
import { type AppFacts, checkApps, checkDetectionRules } from '../../src/deployment/checks/app.ts';

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

function app(...detectionRules: Rule[]): AppFacts {
  const common = { installCommand: '', uninstallCommand: '', setupFile: '', assignments: [] };
  return { id: 'a', type: 'win32LobApp', publishingState: 'published', detectionRules, ...common };
}

const resultOf = (...rules: Rule[]) => checkDetectionRules([app(...rules)]).result;

describe('the one file rule', () => {
  it.each<[string, Rule]>([
    ['as documented', {}],
    ['in lower case', { path: 'c:\\windows\\system32\\drivers', fileOrFolderName: 'FHFS.SYS' }],
    ['with a backslash at the end', { path: 'C:\\Windows\\System32\\drivers\\' }],
    ['with %windir%', { path: '%windir%\\System32\\drivers' }],
    ['with %SystemRoot%', { path: '%SystemRoot%\\system32\\drivers' }],
    ['with slashes', { path: 'C:/Windows/System32/drivers' }],
    ['with a new field beside', { somethingNew: true }],
    ['without the fields that mean nothing here', { operator: undefined, comparisonValue: undefined }],
  ])('%s: passes', (_what, changes) => {
    expect(resultOf({ ...rule, ...changes })).toBe('pass');
  });

  const spoiled: readonly [string, Rule[]][] = [
    ['no rule', []],
    ['the rule twice', [rule, rule]],
    [
      'a registry rule beside',
      [rule, { '@odata.type': '#microsoft.graph.win32LobAppRegistryRule', ruleType: 'detection' }],
    ],
    [
      'a script beside',
      [rule, { '@odata.type': '#microsoft.graph.win32LobAppPowerShellScriptRule', ruleType: 'detection' }],
    ],
    ['only a product code', [{ '@odata.type': '#microsoft.graph.win32LobAppProductCodeRule', ruleType: 'detection' }]],
    ['the installer instead of the driver', [{ ...rule, fileOrFolderName: 'fhfs.exe' }]],
    ['a name like it', [{ ...rule, fileOrFolderName: 'fhfs.sys.bak' }]],
    ['a pattern', [{ ...rule, fileOrFolderName: '*.sys' }]],
    ['no name', [{ ...rule, fileOrFolderName: null }]],
    ['another folder', [{ ...rule, path: 'C:\\Windows\\System32' }]],
    ['another drive', [{ ...rule, path: 'D:\\Windows\\System32\\drivers' }]],
    ['the 32-bit folder', [{ ...rule, path: 'C:\\Windows\\SysWOW64\\drivers' }]],
    ['sysnative', [{ ...rule, path: 'C:\\Windows\\Sysnative\\drivers' }]],
    ['the 32-bit view', [{ ...rule, check32BitOn64System: true }]],
    ['a view that is not said', [{ ...rule, check32BitOn64System: null }]],
    ['a version', [{ ...rule, operationType: 'version', operator: 'greaterThanOrEqual', comparisonValue: '7.0' }]],
    ['a size', [{ ...rule, operationType: 'sizeInMB', operator: 'greaterThan', comparisonValue: '0' }]],
    ['the opposite', [{ ...rule, operationType: 'doesNotExist' }]],
    ['an operator', [{ ...rule, operator: 'notEqual' }]],
    ['a value to compare with', [{ ...rule, comparisonValue: '1' }]],
    ['a kind of rule that nobody knows', [{ ...rule, ruleType: 'unknownFutureValue' }]],
    ['nothing but a type', [{ '@odata.type': rule['@odata.type'], ruleType: 'detection' }]],
  ];

  it.each(spoiled)('%s: never passes', (_what, rules) => {
    expect(spoiled.length).toBeGreaterThanOrEqual(15);
    expect(resultOf(...rules)).toBe('fail');
  });
});

describe('the app', () => {
  it('that is an Office suite is told to be another kind of app', () => {
    const finding = checkApps([{ ...app(rule), type: 'officeSuiteApp' }]);
    expect(finding).toMatchObject({ result: 'fail', advice: expect.stringContaining('Office suite entry') });
    expect(finding.advice).toContain('checklist.md');
  });
});
