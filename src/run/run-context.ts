/** What a night is told besides its sources' answers: policy, exemptions, names. Read anew for every night. */
import type { ExemptionRow } from '../core/facts.ts';
import { placeIn, readDocument } from '../settings/documents.ts';
import { readExemptions, unreadable } from '../settings/exemptions-file.ts';
import type { SharedSettings } from '../settings/schema.ts';
import { version } from '../version.ts';
import type { Frame } from './gather.ts';

export async function frameOf(
  settings: SharedSettings,
  folder: string,
): Promise<Omit<Frame, 'slot' | 'moment' | 'accepted'>> {
  const { staleAfterDays, windowsStateMaxAgeDays, graceHours, overdueAfterDays, minimumCoverage, breaker } =
    settings.policy;
  return {
    muster: version,
    agent: settings.agent.name,
    policy: {
      ...{ staleAfterDays, graceHours, overdueAfterDays, breaker },
      ...(windowsStateMaxAgeDays === undefined ? {} : { windowsStateMaxAgeDays }),
      ...(minimumCoverage === undefined ? {} : { minimumCoverage }),
    },
    exemptions: await exemptionsOf(settings, folder),
    keptNights: settings.retention.nights,
  };
}

export async function exemptionsOf(settings: SharedSettings, folder: string): Promise<ExemptionRow[]> {
  if (settings.exemptions === undefined) return [];
  const file = placeIn(folder, settings.exemptions);
  const text = await readDocument(file).catch((error: NodeJS.ErrnoException) => {
    throw unreadable(file, error.code ?? 'no reason given');
  });
  return readExemptions(text, file);
}
