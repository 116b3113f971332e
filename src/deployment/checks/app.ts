/** The Windows app and its detection rule: section 1.2. Several apps may be named; each must be as documented. */
import type { Finding } from '../../core/facts.ts';
import { windows } from '../definition.ts';
import { fail, pass, quoted, type Unread, unknown, verdict } from '../finding.ts';

/** In memory only: the install command holds the service's API key. */
export interface AppFacts {
  readonly id: string;
  /** Without the vendor's prefix: `win32LobApp`. */
  readonly type: string;
  readonly publishingState: string;
  /** Every rule that is not a requirement. */
  readonly detectionRules: readonly Readonly<Record<string, unknown>>[];
  readonly installCommand: string;
  readonly uninstallCommand: string;
  readonly setupFile: string;
  readonly assignments: readonly AssignmentFacts[];
}

export interface AssignmentFacts {
  readonly intent: string;
  /** `groupAssignmentTarget` and so on. */
  readonly target: string;
  readonly groupId: string | undefined;
}

export type ReadApps = readonly AppFacts[] | Unread | Absent;

/** No app, or several, where the settings name one. */
export interface Absent {
  readonly is: 'absent';
  readonly why: string;
  readonly advice: string;
}

const win32 = 'win32LobApp';

const officeAdvice =
  "The document's own steps lead to the Office suite entry, which can hold neither a command nor a file rule: add a Windows app (Win32) as `muster artifacts checklist.md` says, and name it in the settings.";

export function checkApps(apps: ReadApps): Finding {
  const check = 'windows.app';
  if ('is' in apps) return apps.is === 'absent' ? fail(check, apps.why, apps.advice) : unknown(check, apps);
  const problems = apps.flatMap((app) => appProblems(app).map((problem) => inApp(app, apps, problem)));
  if (problems.length === 0)
    return pass(check, apps.map(({ id }) => `${id}: a published Windows app (Win32)`).join('; '));
  const isOffice = apps.some(({ type }) => type === 'officeSuiteApp');
  return fail(
    check,
    problems.join('; '),
    isOffice ? officeAdvice : 'Name the Win32 app in the settings, and publish it.',
  );
}

function appProblems({ type, publishingState }: AppFacts): string[] {
  if (type === 'officeSuiteApp') return ['it is an Office suite'];
  if (type !== win32) return [`it is of type ${quoted(type)}`];
  return publishingState === 'published' ? [] : [`its publishing state is ${quoted(publishingState)}`];
}

const ruleAdvice =
  'Restore the one file rule of section 1.2; every further rule must hold as well, and changes what "installed" means.';

export function checkDetectionRules(apps: ReadApps): Finding {
  const check = 'windows.detection-rule';
  if ('is' in apps) return unknown(check, apps);
  const problems = apps.flatMap((app) => rulesProblems(app).map((problem) => inApp(app, apps, problem)));
  return verdict(check, problems, 'exactly the documented file rule', ruleAdvice);
}

function rulesProblems({ detectionRules }: AppFacts): string[] {
  const [rule, ...others] = detectionRules;
  if (rule === undefined) return ['it has no detection rule'];
  const more = others.length === 0 ? [] : [`it has ${detectionRules.length} detection rules`];
  return [...more, ...ruleProblems(rule)];
}

/** https://learn.microsoft.com/graph/api/resources/intune-apps-win32lobappfilesystemrule */
function ruleProblems(rule: Readonly<Record<string, unknown>>): string[] {
  if (rule['@odata.type'] !== '#microsoft.graph.win32LobAppFileSystemRule') return ['its rule is no file rule'];
  const problems: string[] = [];
  if (rule.ruleType !== 'detection') problems.push('its rule is not for detection');
  if (folderOf(rule.path) !== folderOf(windows.detection.path)) problems.push(`it looks in ${quoted(rule.path)}`);
  if (!isSameText(rule.fileOrFolderName, windows.detection.file)) {
    problems.push(`it looks for ${quoted(rule.fileOrFolderName)}`);
  }
  if (rule.operationType !== 'exists') problems.push(`it asks for ${quoted(rule.operationType)}, not for existence`);
  if (rule.operator !== undefined && rule.operator !== null && rule.operator !== 'notConfigured') {
    problems.push(`its operator is ${quoted(rule.operator)}`);
  }
  if (rule.comparisonValue !== undefined && rule.comparisonValue !== null && rule.comparisonValue !== '') {
    problems.push('it compares with a value');
  }
  // With the 32-bit view Windows looks in SysWOW64 instead of System32.
  if (rule.check32BitOn64System !== false) problems.push('it looks in the 32-bit view');
  return problems;
}

/** One spelling of a folder: case, slashes at the end and the variable for the Windows folder do not matter. */
function folderOf(path: unknown): string {
  if (typeof path !== 'string') return '';
  return path
    .trim()
    .toLowerCase()
    .replaceAll('/', '\\')
    .replace(/\\+/g, '\\')
    .replace(/\\$/, '')
    .replace(/^%(windir|systemroot)%/, 'c:\\windows')
    .replace(/^%systemdrive%/, 'c:');
}

function isSameText(value: unknown, text: string): boolean {
  return typeof value === 'string' && value.trim().toLowerCase() === text.toLowerCase();
}

/** Names the app only where there are several. */
export function inApp({ id }: AppFacts, apps: readonly AppFacts[], problem: string): string {
  return apps.length === 1 ? problem : `${id}: ${problem}`;
}
