/**
 * Checks the store for `muster check`: whether it can be read and written, what the next run would remove, and whether
 * its commit will be signed. Writes nothing but the store's own probe, which is removed again.
 */

import { existsSync } from 'node:fs';
import { rm, rmdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { PreparedRun } from '../../compose/start.ts';
import { pluralize } from '../../core/text/pluralize.ts';
import { findHeldBackRuns } from '../../run/corrections/republish.ts';
import { isInBucket } from '../../settings/documents.ts';
import type { Store } from '../../storage/store.ts';
import { type CheckReport, joinReports, tryOut } from './check-report.ts';
import { checkSigning } from './check-signing.ts';

type StoreContext = Pick<PreparedRun, 'parts' | 'settings' | 'folder'>;

export async function checkStore({ parts, settings, folder }: StoreContext): Promise<CheckReport> {
  const { store } = parts;
  const { signing, ...unsigned } = parts;
  const signed = signing === undefined ? [] : [await checkSigning(signing, parts)];
  // The report on signing names unreadable keys; the log is read without them.
  const reading = await signing?.readKeys().then(
    () => parts,
    () => unsigned,
  );
  const { nights } = settings.retention;
  const kept = await tryOut(`Reading ${store.name}`, async () => {
    await probeStore(store, isInBucket(settings.store) ? undefined : resolve(folder, settings.store));
    const found = await findHeldBackRuns(reading ?? parts, nights);
    if (found === undefined) {
      return { facts: ['nothing is published yet'] };
    }
    // The added run also replaces one.
    const beyond = found.slots.length + 1;
    const problems = beyond > 1 ? [describeRetention(beyond, nights)] : [];
    return { facts: [`last run: ${found.head.run.commit.slot}`], problems };
  });
  return joinReports([kept, ...signed]);
}

/** Probes a store, and removes its folder again if that did not exist before. */
async function probeStore(store: Store, path: string | undefined): Promise<void> {
  const isNew = path !== undefined && !existsSync(path);
  await store.probe();
  if (isNew) {
    await rm(join(path, '.tmp'), { recursive: true, force: true }).catch(() => undefined);
    await rmdir(path).catch(() => undefined);
  }
}

function describeRetention(beyond: number, nights: number): string {
  const runs = `${beyond} ${pluralize(beyond, 'run is', 'runs are')}`;
  return `With the next run, ${runs} older than retention.nights (${nights}) allows. They are held back until muster prune --confirm lets them go. If the limit is a mistake, raise it.`;
}
