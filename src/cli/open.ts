/** `muster open [DATE]`: opens the page of a published run in the default browser, and prints its path. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { command } from '../base/command.ts';
import { MusterError } from '../base/errors.ts';
import { openKeptStores } from '../compose/parts.ts';
import { requireKeptRun } from '../run/rebuild.ts';
import { isInBucket } from '../settings/documents.ts';
import type { PublishedRun } from '../storage/commits/commit.ts';
import { parseReportFile, toCopyKeys } from '../storage/keys.ts';
import type { Store } from '../storage/store.ts';
import { createDamageError } from '../storage/stored-json.ts';
import type { CommandOptions } from './console/session.ts';

export async function openPage(
  options: CommandOptions & { readonly slot?: string | undefined },
  show = showFile,
): Promise<number> {
  const { settings, folder, store } = await openKeptStores(options.settings, process.env);
  const { run } = await requireKeptRun(store, options.slot);
  const page = run.commit.files.find(({ key }) => parseReportFile(key) === 'index.html');
  if (page === undefined) {
    throw new MusterError(
      'night-unknown',
      `The run of ${run.commit.slot} was published without a page. Make it: ${command} rebuild ${run.commit.slot} --to DIR`,
    );
  }
  const [dated, latest] = toCopyKeys('index.html', run.commit.slot);
  const copy = options.slot === undefined ? latest : dated;
  const file = isInBucket(settings.store)
    ? await writeTemporaryCopy(store, run)
    : // The copy, where it is the published page; otherwise the page in the run itself.
      join(resolve(folder, settings.store), (await store.digest(copy, page.bytes)) === page.sha256 ? copy : page.key);
  process.stdout.write(`${file}\n`);
  if (!(await show(file))) {
    process.stdout.write('This machine has no program to open it; open that file in a browser.\n');
  }
  return 0;
}

/** Writes the page, and the files that it links to, readable by this user only. */
async function writeTemporaryCopy(store: Store, run: PublishedRun): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `muster-${run.commit.slot}-`));
  for (const { key, bytes, sha256 } of run.commit.files) {
    const file = parseReportFile(key);
    if (file === undefined) {
      continue;
    }
    if ((await store.digest(key, bytes)) !== sha256) {
      throw createDamageError(key, 'its SHA-256 is not the one that was published');
    }
    await writeFile(join(folder, file), store.stream(key, bytes), { mode: 0o600 });
  }
  return join(folder, 'index.html');
}

const openCommands: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: 'open', win32: 'explorer.exe' };

/**
 * Opens a file with the platform's own command, without a shell, so that any path is one argument; false where this
 * machine has no program for it.
 */
async function showFile(file: string): Promise<boolean> {
  const child = spawn(openCommands[process.platform] ?? 'xdg-open', [file], { stdio: 'ignore', detached: true });
  child.unref();
  return once(child, 'spawn').then(
    () => true,
    () => false,
  );
}
