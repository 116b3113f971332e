/**
 * Checks the detection rule: docs/coverage.md, section 1.2. Only the documented rule, character for character, or a rule
 * that a person has accepted passes. A rule that measures something else fails; any other rule is unknown.
 */
import type { Finding } from '../../core/facts.ts';
import { buildDetectionRule } from '../agent-places.ts';
import { canonicalJson } from '../canonical-json.ts';
import { describeDetectionRule } from '../catalogue.ts';
import { type DetectionPlace, windows } from '../definition.ts';
import { fail, pass, quoteText, reportUnknown } from '../finding.ts';
import { type Acceptances, reviewText } from './acceptance.ts';
import { type AppFacts, type AppsReading, prefixAppId } from './app.ts';

type Rule = Readonly<Record<string, unknown>>;

interface RuleVerdict {
  readonly result: 'pass' | 'fail' | 'unknown';
  readonly found: string;
  /** The line for the settings that accepts the rules. */
  readonly line?: string;
}

const check = 'windows.detection-rule';

/** `wanted` is the file in the settings, which is the documented one unless they name another. */
export function checkDetectionRules(apps: AppsReading, acceptances: Acceptances, wanted: DetectionPlace): Finding {
  return { ...judgeDetectionRules(apps, acceptances, wanted), expected: describeDetectionRule(wanted) };
}

function judgeDetectionRules(apps: AppsReading, acceptances: Acceptances, wanted: DetectionPlace): Finding {
  if ('is' in apps) {
    return reportUnknown(check, apps);
  }
  const verdicts = apps.map((app) => ({ app, ...judgeRules(app, acceptances, wanted) }));
  const others = verdicts.filter(({ result }) => result !== 'pass');
  const shown = others.length === 0 ? verdicts : others;
  const found = [...new Set(shown.map((one) => prefixAppId(one.app, apps, one.found)))].join('; ');
  if (others.length === 0) {
    return pass(check, found);
  }
  const lines = others.flatMap(({ line }) => line ?? []);
  const accept =
    lines.length === 0 ? '.' : `, or read the present rule and add to deployment.accepted: ${lines.join(' ')}`;
  const advice = `Restore the one file rule of section 1.2 of the deployment interface, since any other changes what "installed" means${accept}`;
  return others.some(({ result }) => result === 'fail')
    ? fail(check, found, advice)
    : reportUnknown(check, { why: found, advice });
}

function judgeRules(
  { detectionRules: rules }: AppFacts,
  acceptances: Acceptances,
  wanted: DetectionPlace,
): RuleVerdict {
  const [rule, ...others] = rules;
  if (rule === undefined) {
    return { result: 'fail', found: 'it has no detection rule' };
  }
  const text = identifyRules(rules);
  const { path, file } = windows.detection;
  const isDocumented = wanted.path === path && wanted.file === file;
  if (text === identifyRules([buildDetectionRule(wanted)])) {
    return {
      result: 'pass',
      found: `exactly the documented file rule${isDocumented ? '' : ', for the file in the settings'}`,
    };
  }
  const { accepted, words, line } = reviewText(text, acceptances);
  if (accepted) {
    return { result: 'pass', found: `a different rule from the documented one ${words}` };
  }
  if (others.length > 0) {
    return { result: 'fail', found: `it has ${rules.length} detection rules ${words}`, line };
  }
  if (!isFileRule(rule)) {
    const kind = quoteText(rule['@odata.type']);
    return {
      result: 'unknown',
      found: `only a person can judge a rule of its kind, ${kind} ${words}`,
      line,
    };
  }
  const problems = listProblems(rule, wanted);
  return problems.length > 0
    ? { result: 'fail', found: `${problems.join('; ')} ${words}`, line }
    : { result: 'unknown', found: `its rule is written differently from the documented one ${words}`, line };
}

/** The text of one rule, or of several in a fixed order; fields that are null are left out. */
function identifyRules(rules: readonly Rule[]): string {
  const texts = rules.map((rule) =>
    canonicalJson(Object.fromEntries(Object.entries(rule).filter(([, value]) => value !== null))),
  );
  return texts.length === 1 ? texts.join() : `[${texts.toSorted().join(',')}]`;
}

function isFileRule(rule: Rule): boolean {
  return rule['@odata.type'] === windows.detectionRule['@odata.type'] && rule.ruleType === 'detection';
}

/** https://learn.microsoft.com/graph/api/resources/intune-apps-win32lobappfilesystemrule */
function listProblems(rule: Rule, wanted: DetectionPlace): string[] {
  const problems: string[] = [];
  if (foldFolder(rule.path) !== foldFolder(wanted.path)) {
    problems.push(`it looks in ${quoteText(rule.path)}`);
  }
  if (foldText(rule.fileOrFolderName) !== foldText(wanted.file)) {
    problems.push(`it looks for ${quoteText(rule.fileOrFolderName)}`);
  }
  if (rule.operationType !== 'exists') {
    problems.push(`it tests ${quoteText(rule.operationType)}, not existence`);
  }
  if (rule.operator !== undefined && rule.operator !== null && rule.operator !== 'notConfigured') {
    problems.push(`its operator is ${quoteText(rule.operator)}`);
  }
  if (rule.comparisonValue !== undefined && rule.comparisonValue !== null && rule.comparisonValue !== '') {
    problems.push('it compares with a value');
  }
  // In the 32-bit view, Windows looks in SysWOW64 instead of System32.
  if (rule.check32BitOn64System !== false) {
    problems.push('it looks in the 32-bit view');
  }
  return problems;
}

/** Normalizes a folder's path, so that different spellings of one folder are equal. */
function foldFolder(path: unknown): string | undefined {
  return foldText(path)
    ?.replaceAll('/', '\\')
    .replace(/\\+/g, '\\')
    .replace(/\\$/, '')
    .replace(/^%(windir|systemroot)%/, 'c:\\windows')
    .replace(/^%systemdrive%/, 'c:');
}

function foldText(value: unknown): string | undefined {
  return typeof value === 'string' ? value.toLowerCase() : undefined;
}
