/** Reads the facts of a run besides its sources' answers: policy, exemptions, canaries, names. Read again for every run. */
import { MusterError } from '../base/errors.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import { version } from '../base/version.ts';
import type { ExemptionRow, Note } from '../core/facts/company.ts';
import { readDay } from '../core/time/written-dates.ts';
import { listStatements } from '../deployment/checks/statements.ts';
import type { RunContext } from '../run/gather.ts';
import { readLists } from '../settings/people/list-files.ts';
import { readPeopleFile } from '../settings/people/people-files.ts';
import type { SharedSettings } from './settings-schema.ts';

export async function readRunContext(
  settings: SharedSettings,
  folder: string,
  now: Date,
): Promise<Omit<RunContext, 'slot' | 'moment' | 'accepted'>> {
  const { windowsStateMaxAgeDays, minimumCoverage, reportingWithinDays, ...policy } = settings.policy;
  const lists = await readLists(settings, folder, now);
  const reporting = lists?.reporting && { reportingWithinDays };
  const { canaries } = settings.deployment;
  const exemptions = (await readPeopleFile('exemptions', settings, folder)) ?? [];
  refuseUserExemptions(exemptions, settings);
  return {
    muster: version,
    agent: settings.agent.name,
    policy: { ...policy, ...omitUndefined({ windowsStateMaxAgeDays, minimumCoverage }), ...reporting },
    exemptions,
    ...omitUndefined({
      notes: (await readPeopleFile('notes', settings, folder))?.map(readNote),
      lists,
      acknowledgements: await readPeopleFile('acknowledged', settings, folder),
      canaries: omitEmpty(canaries),
      statements: omitEmpty(listStatements(settings.deployment)),
    }),
    keptNights: settings.retention.nights,
  };
}

function readNote(row: Note): Note {
  return { ...row, date: readDay(row.date) ?? row.date };
}

/** Throws for exemptions by user where users are omitted: a run that cannot read its source could not match them. */
function refuseUserExemptions(rows: readonly ExemptionRow[], { privacy }: Pick<SharedSettings, 'privacy'>): void {
  const row = rows.find(({ match, value }) => match === 'user' && value !== '');
  if (privacy.users === 'omit' && row !== undefined) {
    throw new MusterError(
      'settings-invalid',
      `Line ${row.line} of the exemptions matches by user, and privacy.users is omit, which leaves users out. Match it by serial, device_id or device_name, or set privacy.users to hash.`,
    );
  }
}

/** Omits an empty list, so that facts of companies without such a setting stay as they were. */
function omitEmpty<Item>(list: readonly Item[]): readonly Item[] | undefined {
  return list.length === 0 ? undefined : list;
}
