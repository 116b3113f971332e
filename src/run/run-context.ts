/** The facts of a run besides its sources' answers: policy, exemptions, canaries, names. Read again for every run. */
import type { AcknowledgementRow, ExemptionRow } from '../core/facts.ts';
import { listStatements } from '../deployment/checks/statement.ts';
import { omitUndefined } from '../omit-undefined.ts';
import { createAcknowledgementsError, parseAcknowledgements } from '../settings/acknowledgements-file.ts';
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
  const { canaries } = settings.deployment;
  return {
    muster: version,
    agent: settings.agent.name,
    policy: {
      ...policy,
      ...omitUndefined({ windowsStateMaxAgeDays, minimumCoverage }),
    },
    exemptions: await readExemptionsFile(settings, folder),
    ...omitUndefined({ acknowledgements: await readAcknowledgementsFile(settings, folder) }),
    ...omitUndefined({ canaries: omitEmpty(canaries), statements: omitEmpty(listStatements(settings.deployment)) }),
    keptNights: settings.retention.nights,
  };
}

/** Facts of a company that has none are as they were before there was such a setting. */
function omitEmpty<Item>(list: readonly Item[]): readonly Item[] | undefined {
  return list.length === 0 ? undefined : list;
}

export async function readAcknowledgementsFile(
  settings: SharedSettings,
  folder: string,
): Promise<AcknowledgementRow[] | undefined> {
  if (settings.acknowledged === undefined) {
    return undefined;
  }
  const file = resolveInFolder(folder, settings.acknowledged);
  const text = await readDocument(file).catch((error: NodeJS.ErrnoException) => {
    throw createAcknowledgementsError(file, error.code ?? 'no reason given');
  });
  return parseAcknowledgements(text, file);
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
