/** The Windows app: docs/coverage.md, section 1.2. The settings may name several; each must be as documented. */
import type { Check } from '../check.ts';
import { fail, passOrFail, quoteText, reportUnread, type Verdict } from '../verdicts.ts';
import type { AppFacts, AppsReading, IntuneReading } from './reading.ts';

const officeAdvice =
  "The document's own steps lead to the Office suite entry, which accepts neither a command nor a file rule: add a Windows app (Win32) as `muster artifacts checklist.md` describes, and name it in the settings.";

/** An app of the Enterprise App Catalog is a Win32 app too: the service derives the second type from the first. */
export const win32AppTypes: readonly string[] = ['win32LobApp', 'win32CatalogApp'];

export const appCheck: Check<IntuneReading> = {
  id: 'windows.app',
  expected: 'a published Windows app (Win32)',
  blindSpot: 'what the uploaded package contains',
  instrument: true,
  judge({ apps, appsLeftOut: leftOut = [] }) {
    if (apps !== undefined && 'is' in apps && apps.is === 'absent') {
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
  return apps === undefined || 'is' in apps ? reportUnread(apps) : judge(apps);
}

export function listAppProblems(
  apps: readonly AppFacts[],
  findProblems: (app: AppFacts) => readonly string[],
): string[] {
  return apps.flatMap((app) => findProblems(app).map((problem) => prefixAppId(app, apps, problem)));
}

/** Names the app only where there are several. */
export function prefixAppId({ id }: AppFacts, apps: readonly AppFacts[], problem: string): string {
  return apps.length === 1 ? problem : `${id}: ${problem}`;
}
