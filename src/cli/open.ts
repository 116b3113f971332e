/** `muster open [SLOT]`: shows a published night's page in the reader's own browser, and says where it is. */
import { spawn } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { loadSettings } from '../compose/load-settings.ts';
import { storeOf } from '../compose/parts.ts';
import { MusterError } from '../errors.ts';
import { isInBucket } from '../settings/documents.ts';
import { copyKeys, reportFile } from '../storage/runs/keys.ts';
import { type Run, readStanding, runOf } from '../storage/runs/published-runs.ts';
import { damaged } from '../storage/runs/records.ts';
import type { Store } from '../storage/store.ts';

export interface OpenOptions {
  readonly settings?: string;
  readonly slot?: string | undefined;
}

/** Shows a file; false where nothing on this machine can. */
export type Show = (file: string) => Promise<boolean>;

export async function open(options: OpenOptions, show: Show = showFile): Promise<number> {
  const { settings, folder } = await loadSettings(options.settings, process.env, false);
  const store = await storeOf(settings, folder);
  const run = await publishedRun(store, options.slot);
  const isLatest = options.slot === undefined;
  const file = isInBucket(settings.store)
    ? await temporaryCopy(store, run)
    : join(resolve(folder, settings.store), await keyOfPage(store, run, isLatest));
  process.stdout.write(`${file}\n`);
  if (!(await show(file))) process.stdout.write('Nothing here can show it; open that file in a browser.\n');
  return 0;
}

async function publishedRun(store: Store, slot: string | undefined): Promise<Run> {
  const standing = await readStanding(store);
  const run = slot === undefined ? standing : await runOf(store, standing, slot);
  if (run === undefined) {
    throw new MusterError(
      'night-unknown',
      `No night is published${slot === undefined ? '' : ` for ${slot}`} in ${store.name}.`,
    );
  }
  if (pageEntry(run) !== undefined) return run;
  throw new MusterError(
    'night-unknown',
    `The night of ${run.manifest.slot} was published without a page. Make it: muster rebuild ${run.manifest.slot} --to DIR`,
  );
}

function pageEntry({ manifest }: Run) {
  return manifest.files.find(({ key }) => reportFile(key) === 'index.html');
}

/** The copy that people know, where it is the published page; otherwise the page in the run itself. */
async function keyOfPage(store: Store, run: Run, isLatest: boolean): Promise<string> {
  const entry = pageEntry(run);
  if (entry === undefined) throw damaged(run.link.manifest, 'it names no page');
  const [dated, latest] = copyKeys('index.html', run.manifest.slot);
  const copy = isLatest ? latest : dated;
  return (await store.digest(copy)) === entry.sha256 ? copy : entry.key;
}

/** The page, and the files that it links to, for this reader alone. */
async function temporaryCopy(store: Store, run: Run): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `muster-${run.manifest.slot}-`));
  for (const { key, sha256 } of run.manifest.files) {
    const file = reportFile(key);
    if (file === undefined || file.endsWith('.csv')) continue;
    if ((await store.digest(key)) !== sha256) throw damaged(key, 'its SHA-256 is not the one that was published');
    await writeFile(join(folder, file), store.stream(key), { mode: 0o600 });
  }
  return join(folder, 'index.html');
}

const openers: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: 'open', win32: 'explorer.exe' };

/** By the platform's own opener and no shell, so that the path is one argument, whatever is in it. */
async function showFile(file: string): Promise<boolean> {
  const child = spawn(openers[process.platform] ?? 'xdg-open', [file], { stdio: 'ignore', detached: true });
  return new Promise((settle) => {
    child.once('error', () => settle(false));
    child.once('spawn', () => {
      child.unref();
      settle(true);
    });
  });
}
