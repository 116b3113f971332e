/** Judges every app in the settings, and names the app only where there are several. */
import type { Verdict } from '../check.ts';
import { passOrFail, reportUnread } from '../verdicts.ts';
import type { AppFacts, AppsReading } from './reading.ts';

export function judgeEachApp(
  apps: AppsReading,
  findProblems: (app: AppFacts) => readonly string[],
  well: string,
  advice: string,
): Verdict {
  return 'is' in apps ? reportUnread(apps) : passOrFail(listAppProblems(apps, findProblems), well, advice);
}

export function listAppProblems(
  apps: readonly AppFacts[],
  findProblems: (app: AppFacts) => readonly string[],
): string[] {
  return apps.flatMap((app) => findProblems(app).map((problem) => prefixAppId(app, apps, problem)));
}

export function prefixAppId({ id }: AppFacts, apps: readonly AppFacts[], problem: string): string {
  return apps.length === 1 ? problem : `${id}: ${problem}`;
}
