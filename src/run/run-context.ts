/** The facts of a run besides its sources' answers: policy, exemptions, canaries, names. Read again for every run. */
import { isUtf8 } from 'node:buffer';
import { omitUndefined } from '../base/omit-undefined.ts';
import { version } from '../base/version.ts';
import type { AcknowledgementRow, ExemptionRow, Note } from '../core/facts/facts.ts';
import { listStatements } from '../deployment/checks/statements.ts';
import { readDocumentBytes, resolveInFolder } from '../settings/documents.ts';
import {
  createAcknowledgementsError,
  createExemptionsError,
  createNotesError,
  parseAcknowledgements,
  parseExemptions,
  parseNotes,
} from '../settings/people/people-files.ts';
import type { SharedSettings } from '../settings/schema.ts';
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
    ...omitUndefined({ notes: await readNotesFile(settings, folder) }),
    ...omitUndefined({ acknowledgements: await readAcknowledgementsFile(settings, folder) }),
    ...omitUndefined({ canaries: omitEmpty(canaries), statements: omitEmpty(listStatements(settings.deployment)) }),
    keptNights: settings.retention.nights,
  };
}

/** Facts of a company that has none are as they were before there was such a setting. */
function omitEmpty<Item>(list: readonly Item[]): readonly Item[] | undefined {
  return list.length === 0 ? undefined : list;
}

async function readNotesFile({ notes }: SharedSettings, folder: string): Promise<Note[] | undefined> {
  return readNamedFile(notes, folder, parseNotes, createNotesError);
}

export async function readAcknowledgementsFile(
  { acknowledged }: SharedSettings,
  folder: string,
): Promise<AcknowledgementRow[] | undefined> {
  return readNamedFile(acknowledged, folder, parseAcknowledgements, createAcknowledgementsError);
}

export async function readExemptionsFile({ exemptions }: SharedSettings, folder: string): Promise<ExemptionRow[]> {
  return (await readNamedFile(exemptions, folder, parseExemptions, createExemptionsError)) ?? [];
}

/** A file of people's own that the settings name. */
async function readNamedFile<Content>(
  name: string | undefined,
  folder: string,
  parse: (text: string, file: string) => Content,
  createError: (file: string, why: string) => Error,
): Promise<Content | undefined> {
  if (name === undefined) {
    return undefined;
  }
  const file = resolveInFolder(folder, name);
  const body = await readDocumentBytes(file).catch((error: NodeJS.ErrnoException) => {
    throw createError(file, error.code ?? 'no reason given');
  });
  // Repaired, a name would be another name, which matches nobody.
  if (!isUtf8(body)) {
    throw createError(file, 'it is not UTF-8 text; save it as UTF-8');
  }
  return parse(body.toString('utf8'), file);
}
