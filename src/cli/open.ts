/** `muster open [SLOT]`: opens the page of a published run in the default browser, and prints its path. */
import { spawn } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { MusterError } from '../base/errors.ts';
import { loadSettings } from '../compose/load-settings.ts';
import { openStore } from '../compose/parts.ts';
import { isInBucket } from '../settings/documents.ts';
import type { PublishedRun } from '../storage/commits/commit.ts';
import { findRun, readCurrentRun } from '../storage/commits/log.ts';
import { parseReportFile, toCommitKey, toCopyKeys } from '../storage/keys.ts';
import type { Store } from '../storage/store.ts';
import { createDamageError } from '../storage/stored-json.ts';

export interface OpenOptions {
  readonly settings?: string;
  readonly slot?: string | undefined;
}

/** Opens a file; false where this machine has no program for it. */
export type FileOpener = (file: string) => Promise<boolean>;

export async function openPage(options: OpenOptions, show: FileOpener = showFile): Promise<number> {
  const { settings, folder } = await loadSettings(options.settings, process.env, false);
  const store = await openStore(settings, folder);
  const run = await requirePublishedRun(store, options.slot);
  const isLatest = options.slot === undefined;
  const file = isInBucket(settings.store)
    ? await writeTemporaryCopy(store, run)
    : join(resolve(folder, settings.store), await findPageKey(store, run, isLatest));
  process.stdout.write(`${file}\n`);
  if (!(await show(file))) {
    process.stdout.write('This machine has no program to open it; open that file in a browser.\n');
  }
  return 0;
}

async function requirePublishedRun(store: Store, slot: string | undefined): Promise<PublishedRun> {
  const currentRun = await readCurrentRun(store);
  const run = slot === undefined ? currentRun : await findRun(store, currentRun, slot);
  if (run === undefined) {
    throw new MusterError(
      'night-unknown',
      `No run is published${slot === undefined ? '' : ` for ${slot}`} in ${store.name}.`,
    );
  }
  if (findPageEntry(run) !== undefined) {
    return run;
  }
  throw new MusterError(
    'night-unknown',
    `The run of ${run.commit.slot} was published without a page. Make it: muster rebuild ${run.commit.slot} --to DIR`,
  );
}

function findPageEntry({ commit }: PublishedRun) {
  return commit.files.find(({ key }) => parseReportFile(key) === 'index.html');
}

/** The copy in `latest/` or `report/`, where it is the published page; otherwise the page in the run itself. */
async function findPageKey(store: Store, run: PublishedRun, isLatest: boolean): Promise<string> {
  const entry = findPageEntry(run);
  if (entry === undefined) {
    throw createDamageError(toCommitKey(run.commit.number), 'it names no page');
  }
  const [dated, latest] = toCopyKeys('index.html', run.commit.slot);
  const copy = isLatest ? latest : dated;
  return (await store.digest(copy)) === entry.sha256 ? copy : entry.key;
}

/** The page, and the files that it links to, readable by this user only. */
async function writeTemporaryCopy(store: Store, run: PublishedRun): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `muster-${run.commit.slot}-`));
  for (const { key, sha256 } of run.commit.files) {
    const file = parseReportFile(key);
    if (file === undefined) {
      continue;
    }
    if ((await store.digest(key)) !== sha256) {
      throw createDamageError(key, 'its SHA-256 is not the one that was published');
    }
    await writeFile(join(folder, file), store.stream(key), { mode: 0o600 });
  }
  return join(folder, 'index.html');
}

const openCommands: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: 'open', win32: 'explorer.exe' };

/** With the platform's own command and no shell, so that the path is one argument, whatever it contains. */
async function showFile(file: string): Promise<boolean> {
  const child = spawn(openCommands[process.platform] ?? 'xdg-open', [file], { stdio: 'ignore', detached: true });
  return new Promise((settle) => {
    child.once('error', () => settle(false));
    child.once('spawn', () => {
      child.unref();
      settle(true);
    });
  });
}
