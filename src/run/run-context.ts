/** The facts of a run besides its sources' answers: policy, exemptions, canaries, names. Read again for every run. */
import { omitUndefined } from '../base/omit-undefined.ts';
import { version } from '../base/version.ts';
import { listStatements } from '../deployment/checks/statements.ts';
import { readLists } from '../settings/people/list-files.ts';
import { readPeopleFile } from '../settings/people/people-files.ts';
import type { SharedSettings } from '../settings/schema.ts';
import type { RunContext } from './gather.ts';

export async function readRunContext(
  settings: SharedSettings,
  folder: string,
  now: Date,
): Promise<Omit<RunContext, 'slot' | 'moment' | 'accepted'>> {
  const { windowsStateMaxAgeDays, minimumCoverage, reportingWithinDays, ...policy } = settings.policy;
  const lists = await readLists(settings, folder, now);
  const reporting = lists?.reporting && { reportingWithinDays };
  const { canaries } = settings.deployment;
  return {
    muster: version,
    agent: settings.agent.name,
    policy: { ...policy, ...omitUndefined({ windowsStateMaxAgeDays, minimumCoverage }), ...reporting },
    exemptions: (await readPeopleFile('exemptions', settings, folder)) ?? [],
    ...omitUndefined({
      notes: await readPeopleFile('notes', settings, folder),
      lists,
      acknowledgements: await readPeopleFile('acknowledged', settings, folder),
      canaries: omitEmpty(canaries),
      statements: omitEmpty(listStatements(settings.deployment)),
    }),
    keptNights: settings.retention.nights,
  };
}

/** Facts of a company that has none are as they were before there was such a setting. */
function omitEmpty<Item>(list: readonly Item[]): readonly Item[] | undefined {
  return list.length === 0 ? undefined : list;
}
