/** What a night is told besides its sources' answers: policy, exemptions, names. Read anew for every night. */
import type { ExemptionRow } from '../core/facts.ts';
import { omitUndefined } from '../omit-undefined.ts';
import { readDocument, resolveInFolder } from '../settings/documents.ts';
import { createExemptionsError, parseExemptions } from '../settings/exemptions-file.ts';
import type { SharedSettings } from '../settings/schema.ts';
import { version } from '../version.ts';
import type { RunContext } from './gather.ts';

export async function readRunContext(
  settings: SharedSettings,
  folder: string,
): Promise<Omit<RunContext, 'slot' | 'moment' | 'accepted'>> {
  const { windowsStateMaxAgeDays, minimumCoverage, ...policy } = settings.policy;
  return {
    muster: version,
    agent: settings.agent.name,
    policy: {
      ...policy,
      ...omitUndefined({ windowsStateMaxAgeDays, minimumCoverage }),
    },
    exemptions: await readExemptionsFile(settings, folder),
    keptNights: settings.retention.nights,
  };
}

export async function readExemptionsFile(settings: SharedSettings, folder: string): Promise<ExemptionRow[]> {
  if (settings.exemptions === undefined) {
    return [];
  }
  const file = resolveInFolder(folder, settings.exemptions);
  const text = await readDocument(file).catch((error: NodeJS.ErrnoException) => {
    throw createExemptionsError(file, error.code ?? 'no reason given');
  });
  return parseExemptions(text, file);
}
