/** What somebody sees who knows nothing of Muster's code: latest.json → commit → files, from the folder itself. */
import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

export interface Seen {
  readonly slot: string;
  readonly attempt: string;
  readonly replaces?: string;
  readonly exit: number;
  readonly manifest: string;
  /** Report files by name. */
  readonly reports: Readonly<Record<string, string>>;
}

/** The commit that stands, as `latest.json` names it. */
export async function readStandingCommit(folder: string) {
  const { manifest } = JSON.parse(await readFile(join(folder, 'latest.json'), 'utf8'));
  return JSON.parse(await readFile(join(folder, manifest), 'utf8'));
}

/** The path of a file of the run that stands: `facts/night.json.gz`. */
export async function locateRunFile(folder: string, name: string): Promise<string> {
  const { slot, attempt } = JSON.parse(await readFile(join(folder, 'latest.json'), 'utf8'));
  return `runs/${slot}/${attempt}/${name}`;
}

/** Undefined when there is no latest.json; throws a sentence when what it leads to is not complete and consistent. */
export async function look(folder: string): Promise<Seen | undefined> {
  const latest = await readFile(join(folder, 'latest.json'), 'utf8').catch(() => undefined);
  if (latest === undefined) {
    return undefined;
  }
  const { manifest: key, sha256, slot, attempt, schema } = JSON.parse(latest);
  const body = await readFile(join(folder, key));
  if (hash(body) !== sha256) {
    throw new Error(`${key} is not what latest.json names`);
  }
  const manifest = JSON.parse(body.toString());
  if (schema !== 3 || manifest.slot !== slot || manifest.attempt !== attempt) {
    throw new Error(`${key} is another run's`);
  }
  const reports: Record<string, string> = {};
  for (const file of manifest.files) {
    const bytes = await readFile(join(folder, file.key));
    if (bytes.length !== file.bytes || hash(bytes) !== file.sha256) {
      throw new Error(`${file.key} is not what was named`);
    }
    const text = bytes.toString();
    if (file.rows !== undefined && text.split('\n').length - 2 !== file.rows) {
      throw new Error(`${file.key} lacks rows`);
    }
    // The page, the workbook and report.json also show the receipts, which differ from run to run.
    if (/\/reports\/[^/]+\.csv$/.test(file.key)) {
      reports[file.key.split('/').at(-1) ?? ''] = text;
    }
  }
  if (!('devices.csv' in reports)) {
    throw new Error(`${key} names no devices.csv`);
  }
  const { replaces, exit } = manifest;
  return { slot, attempt, exit, manifest: key, reports, ...(replaces === undefined ? {} : { replaces }) };
}

/** Every file of a folder with its hash, and with its time where asked. */
export async function contentsOf(folder: string, withTimes = false): Promise<Record<string, string>> {
  const contents: Record<string, string> = {};
  for (const name of (await readdir(folder, { recursive: true })).sort()) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path);
    const bytes = await readFile(path).catch(() => undefined);
    if (bytes === undefined) {
      continue;
    }
    contents[name] = withTimes ? `${hash(bytes)} ${mtimeMs}` : hash(bytes);
  }
  return contents;
}

function hash(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
