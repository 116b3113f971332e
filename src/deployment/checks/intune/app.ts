/** The Windows app: docs/coverage.md, section 1.2. The settings may name several; each must be as documented. */
import type { Check } from '../check.ts';
import { fail, pass, quoteText, reportUnread } from '../verdicts.ts';
import { listAppProblems } from './each-app.ts';
import type { AppFacts, IntuneReading } from './reading.ts';

const officeAdvice =
  "The document's own steps lead to the Office suite entry, which accepts neither a command nor a file rule: add a Windows app (Win32) as `muster artifacts checklist.md` describes, and name it in the settings.";

export const appCheck: Check<IntuneReading> = {
  id: 'windows.app',
  expected: 'a published Windows app (Win32)',
  blindSpot: 'what the uploaded package contains',
  settings: [],
  instrument: true,
  judge({ apps }) {
    if ('is' in apps) {
      return apps.is === 'absent' ? fail(apps.why, apps.advice) : reportUnread(apps);
    }
    const problems = listAppProblems(apps, findAppProblems);
    if (problems.length === 0) {
      return pass(apps.map(({ id }) => `${id}: a published Windows app (Win32)`).join('; '));
    }
    const isOffice = apps.some(({ type }) => type === 'officeSuiteApp');
    return fail(problems.join('; '), isOffice ? officeAdvice : 'Name the Win32 app in the settings, and publish it.');
  },
};

function findAppProblems({ type, publishingState }: AppFacts): string[] {
  if (type === 'officeSuiteApp') {
    return ['it is an Office suite'];
  }
  if (type !== 'win32LobApp') {
    return [`it is of type ${quoteText(type)}`];
  }
  return publishingState === 'published' ? [] : [`its publishing state is ${quoteText(publishingState)}`];
}
