/** Checks the Windows app: docs/coverage.md, section 1.2. The settings may name several; each must be as documented. */
import type { Finding } from '../../core/facts.ts';
import { fail, pass, quoteText, type ReadFailure, reportUnknown } from '../finding.ts';

/** In memory only: the install command contains the service's API key. */
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
  readonly assignments: readonly AssignmentFacts[] | ReadFailure;
}

export interface AssignmentFacts {
  readonly intent: string;
  /** `groupAssignmentTarget` and so on. */
  readonly target: string;
  readonly groupId: string | undefined;
}

export type AppsReading = readonly AppFacts[] | ReadFailure | AbsentApps;

/** The settings name an app that does not exist, or a name that several apps have. */
export interface AbsentApps {
  readonly is: 'absent';
  readonly why: string;
  readonly advice: string;
}

const win32AppType = 'win32LobApp';

const officeAdvice =
  "The document's own steps lead to the Office suite entry, which accepts neither a command nor a file rule: add a Windows app (Win32) as `muster artifacts checklist.md` describes, and name it in the settings.";

export function checkApps(apps: AppsReading): Finding {
  const check = 'windows.app';
  if ('is' in apps) {
    return apps.is === 'absent' ? fail(check, apps.why, apps.advice) : reportUnknown(check, apps);
  }
  const problems = apps.flatMap((app) => findAppProblems(app).map((problem) => prefixAppId(app, apps, problem)));
  if (problems.length === 0) {
    return pass(check, apps.map(({ id }) => `${id}: a published Windows app (Win32)`).join('; '));
  }
  const isOffice = apps.some(({ type }) => type === 'officeSuiteApp');
  return fail(
    check,
    problems.join('; '),
    isOffice ? officeAdvice : 'Name the Win32 app in the settings, and publish it.',
  );
}

function findAppProblems({ type, publishingState }: AppFacts): string[] {
  if (type === 'officeSuiteApp') {
    return ['it is an Office suite'];
  }
  if (type !== win32AppType) {
    return [`it is of type ${quoteText(type)}`];
  }
  return publishingState === 'published' ? [] : [`its publishing state is ${quoteText(publishingState)}`];
}

/** Names the app only where there are several. */
export function prefixAppId({ id }: AppFacts, apps: readonly AppFacts[], problem: string): string {
  return apps.length === 1 ? problem : `${id}: ${problem}`;
}
