/**
 * The Windows app and its detection rule: docs/coverage.md, section 1.2. The settings may name several apps; each must be as
 * documented. Only the documented rule, character for character, or a rule that a person has accepted passes. A rule that
 * measures something else fails; any other rule is unknown.
 */

import { windows } from '../../definition.ts';
import { buildDetectionRule, canonicalJson, type DetectionPlace, fileRuleType } from '../../windows-places.ts';
import type { Check, CheckContext } from '../check.ts';
import { reviewText } from '../statements.ts';
import {
  collectProblems,
  describeOtherPlace,
  fail,
  pass,
  passOrFail,
  quoteText,
  reportUnknown,
  reportUnread,
  type Verdict,
} from '../verdicts.ts';
import type { AppFacts, AppsReading, IntuneReading } from './reading.ts';

const officeAdvice =
  'An Office suite entry accepts neither a command nor a file rule: add a Windows app (Win32) as `muster artifacts checklist.md` describes, and name it in the settings.';

/** Types of Win32 apps: that of the Enterprise App Catalog is derived from the first. */
export const win32AppTypes: readonly string[] = ['win32LobApp', 'win32CatalogApp'];

export const appCheck: Check<IntuneReading> = {
  id: 'windows.app',
  expected: 'a published Windows app (Win32)',
  blindSpot: 'what the uploaded package contains',
  instrument: true,
  judge({ apps, appsLeftOut: leftOut = [] }) {
    if (apps !== undefined && 'kind' in apps && apps.kind === 'absent') {
      return fail(apps.why, apps.advice);
    }
    return judgeApps(apps, (read) => {
      const isOffice = read.some(({ type }) => type === 'officeSuiteApp');
      const advice = isOffice ? officeAdvice : 'Name the Win32 app in the settings, and publish it.';
      const well = [
        ...read.map(({ id }) => `${id}: a published Windows app (Win32)`),
        ...leftOut.map((id) => `${id}: left out, since its detection rule is another`),
      ].join('; ');
      return passOrFail(listAppProblems(read, findAppProblems), well, advice);
    });
  },
};

function findAppProblems({ type, publishingState }: AppFacts): string[] {
  if (type === 'officeSuiteApp') {
    return ['it is an Office suite'];
  }
  if (!win32AppTypes.includes(type)) {
    return [`it is of type ${quoteText(type)}`];
  }
  return publishingState === 'published' ? [] : [`its publishing state is ${quoteText(publishingState)}`];
}

/** Judges the apps in the settings, or reports that they were not read. */
export function judgeApps(apps: AppsReading | undefined, judge: (apps: readonly AppFacts[]) => Verdict): Verdict {
  return apps === undefined || 'kind' in apps ? reportUnread(apps) : judge(apps);
}

export function listAppProblems(
  apps: readonly AppFacts[],
  findProblems: (app: AppFacts) => readonly string[],
): string[] {
  return apps.flatMap((app) => findProblems(app).map((problem) => prefixAppId(app, apps, problem)));
}

/** Adds the app's id where there are several apps. */
function prefixAppId({ id }: AppFacts, apps: readonly AppFacts[], problem: string): string {
  return apps.length === 1 ? problem : `${id}: ${problem}`;
}

export const detectionRule: Check<IntuneReading> = {
  id: 'windows.detection-rule',
  expected: ({ windows: { detection } }) => `exactly one rule: ${describeRule(detection)}; or an accepted one`,
  blindSpot: 'how often a device evaluates the rule',
  settings: ['deployment.windows.detection.path', 'deployment.windows.detection.file', 'deployment.accepted'],
  instrument: true,
  judge: ({ apps }, context) =>
    judgeApps(apps, (read) => {
      const verdicts = read.map((app) => ({ app, ...judgeRules(app, context) }));
      const others = verdicts.filter(({ result }) => result !== 'pass');
      const shown = others.length === 0 ? verdicts : others;
      const found = [...new Set(shown.map((one) => prefixAppId(one.app, read, one.found)))].join('; ');
      if (others.length === 0) {
        return pass(found);
      }
      const lines = others.flatMap(({ line }) => line ?? []);
      const accept =
        lines.length === 0 ? '.' : `, or read the present rule and add to deployment.accepted: ${lines.join(' ')}`;
      const rule = describeRule(context.settings.windows.detection);
      const advice = `Use one rule (${rule}), since any other changes what "installed" means; if the agent has another file, name it in deployment.windows.detection${accept}`;
      return others.some(({ result }) => result === 'fail') ? fail(found, advice) : reportUnknown(found, advice);
    }),
};

function describeRule(place: DetectionPlace): string {
  return `the file ${formatPlace(place.path, place.file)} exists, 64-bit view`;
}

function formatPlace(path: unknown, file: unknown): string {
  return `${path ?? ''}\\${file ?? ''}`;
}

/** Whether the app measures what the settings say, or what a person has accepted. */
export function hasRightRule(app: AppFacts, context: CheckContext): boolean {
  try {
    return judgeRules(app, context).result === 'pass';
  } catch (error) {
    // Serialising JSON is recursive: a rule nested too deeply for it is not the documented one.
    if (error instanceof RangeError) {
      return false;
    }
    throw error;
  }
}

type Rule = Readonly<Record<string, unknown>>;

/** A verdict, with the line of the settings that would accept the rules. */
type RuleVerdict = Pick<Verdict, 'result' | 'found'> & { readonly line?: string };

function judgeRules({ detectionRules: rules }: AppFacts, context: CheckContext): RuleVerdict {
  const wanted = context.settings.windows.detection;
  const [rule, ...others] = rules;
  if (rule === undefined) {
    return { result: 'fail', found: 'it has no detection rule' };
  }
  const text = identifyRules(rules);
  if (text === identifyRules([buildDetectionRule(wanted)])) {
    const isDocumented = text === identifyRules([buildDetectionRule(windows.detection)]);
    const found = `exactly the documented file rule${isDocumented ? '' : ', for the file in the settings'}`;
    return { result: 'pass', found };
  }
  const { accepted, words, line } = reviewText(text, context);
  if (accepted) {
    return { result: 'pass', found: `a different rule from the documented one ${words}` };
  }
  const isFile = rule['@odata.type'] === fileRuleType && rule.ruleType === 'detection';
  const ruleProblems = isFile ? listProblems(rule, wanted) : [];
  const problems = others.length > 0 ? [`it has ${rules.length} detection rules`] : ruleProblems;
  if (problems.length > 0) {
    return { result: 'fail', found: `${problems.join('; ')} ${words}`, line };
  }
  const doubt = isFile
    ? 'its rule is written differently from the documented one'
    : `only a person can judge a rule of its kind, ${quoteText(rule['@odata.type'])}`;
  return { result: 'unknown', found: `${doubt} ${words}`, line };
}

/** The text of one rule, or of several in a fixed order; fields that are null are left out. */
export function identifyRules(rules: readonly Rule[]): string {
  const texts = rules.map((rule) =>
    canonicalJson(Object.fromEntries(Object.entries(rule).filter(([, value]) => value !== null))),
  );
  return texts.length === 1 ? texts.join() : `[${texts.toSorted().join(',')}]`;
}

/** Lists differences from the rule: https://learn.microsoft.com/graph/api/resources/intune-apps-win32lobappfilesystemrule */
function listProblems(rule: Rule, wanted: DetectionPlace): string[] {
  const { path, fileOrFolderName: file, operator, comparisonValue } = rule;
  const isElsewhere = foldFolder(path) !== foldFolder(wanted.path) || foldText(file) !== foldText(wanted.file);
  return collectProblems([
    [isElsewhere, describeOtherPlace(formatPlace(path, file), formatPlace(wanted.path, wanted.file))],
    [rule.operationType !== 'exists', `it tests ${quoteText(rule.operationType)}, not existence`],
    [(operator ?? 'notConfigured') !== 'notConfigured', `its operator is ${quoteText(operator)}`],
    [(comparisonValue ?? '') !== '', 'it compares with a value'],
    // In the 32-bit view, Windows looks in SysWOW64 instead of System32.
    [rule.check32BitOn64System !== false, 'it looks in the 32-bit view'],
  ]);
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
