/** The pages of the demo's runs: real runs of every kind, for the tests of what people read and for the screenshots. */
import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const program = join(import.meta.dirname, '..', '..', 'src', 'bin.ts');

/** What the first screen must say is different in each; the demo's incidents make them, by the number of the run. */
const runNumbers = {
  first: 0,
  untrusted: 1,
  'after-repair': 2,
  partial: 3,
  carried: 5,
  'list-stale': 7,
  suspect: 8,
  good: -1,
} as const;

export type RunKind = keyof typeof runNumbers;
export const runKinds = Object.keys(runNumbers) as readonly RunKind[];

/** The demo of 3,000 devices and 36 runs, unless it is to be shorter. */
export async function runDemo(folder: string, nights = 36): Promise<void> {
  const words = ['demo', '--devices', '3000', '--nights', String(nights)];
  await promisify(execFile)(process.execPath, [program, ...words], { cwd: folder });
}

export const latestPage = join('muster-demo', 'latest', 'index.html');

/** The file of the page of a run of each kind. */
export async function findPages(folder: string): Promise<Readonly<Record<RunKind, string>>> {
  const reports = join(folder, 'muster-demo', 'report');
  const dates = (await readdir(reports)).sort();
  const find = (kind: RunKind) => join(reports, dates.at(runNumbers[kind]) ?? '', 'index.html');
  return Object.fromEntries(runKinds.map((kind) => [kind, find(kind)])) as Record<RunKind, string>;
}
