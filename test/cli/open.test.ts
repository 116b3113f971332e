/** `muster open`: which file it shows, and that its path is never read by a shell. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPage } from '../../src/cli/open.ts';
import { reports } from '../../src/compose/parts.ts';
import { runNight } from '../../src/night.ts';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import { companyOfAllTables } from '../night/small.ts';
import { least } from '../settings/least.ts';
import { musterHere } from './muster.ts';

let parent: string;
let settings: string;
const [first, second] = ['2026-11-02', '2026-11-03'];

beforeAll(async () => {
  // A path that a shell would take apart.
  parent = await mkdtemp(join(tmpdir(), 'muster open; $(touch x) '));
  settings = join(parent, 'muster.yaml');
  await writeFile(settings, least);
  const small = companyOfAllTables();
  const store = createFolderStore(join(parent, 'data'));
  await runNight(small.order('2026-11-01'), small.parts(store));
  for (const slot of [first, second]) {
    await runNight(small.order(slot), { ...small.parts(store), reports });
  }
});

afterAll(() => rm(parent, { recursive: true }));

async function shown(slot?: string): Promise<string[]> {
  const files: string[] = [];
  const show = async (file: string) => files.push(file) > 0;
  expect(await openPage({ settings, slot }, show)).toBe(0);
  return files;
}

test('shows the last night’s page without a slot, and a night’s own with one', async () => {
  expect(await shown()).toEqual([join(parent, 'data', 'latest', 'index.html')]);
  expect(await shown(first)).toEqual([join(parent, 'data', 'report', `date=${first}`, 'index.html')]);
  expect(await readFile(join(parent, 'data', 'latest', 'index.html'), 'utf8')).toContain(`run of ${second}`);
});

test('shows the published page where its copy is another', async () => {
  const copy = join(parent, 'data', 'report', `date=${second}`, 'index.html');
  await writeFile(copy, 'not the page');
  const [file = ''] = await shown(second);
  expect(file).not.toBe(copy);
  expect(await readFile(file, 'utf8')).toContain(`run of ${second}`);
});

test('says which nights have no page', async () => {
  await expect(shown('2026-10-01')).rejects.toMatchObject({
    code: 'night-unknown',
    message: expect.stringContaining('2026-10-01'),
  });
  await expect(shown('2026-11-01')).rejects.toThrow('was published without a page');
});

/** What `muster open` says, on a machine whose programs are those of one folder. */
async function openWith(programs: string) {
  return musterHere(['--settings', settings, 'open'], { folder: parent, environment: { PATH: programs } });
}

test('says so where nothing can show it', async () => {
  const page = join(parent, 'data', 'latest', 'index.html');
  expect(await openWith(join(parent, 'nowhere'))).toEqual({
    code: 0,
    output: `${page}\nThis machine has no program to open it; open that file in a browser.\n`,
    errors: '',
  });
});

test('hands the path to the opener as one argument, and to no shell', async ({ skip }) => {
  skip(process.platform === 'win32', 'the opener of this test is a shell script');
  const programs = join(parent, 'programs');
  const note = join(parent, 'note');
  await mkdir(programs);
  for (const name of ['open', 'xdg-open']) {
    // Renamed when it is whole, so that nobody reads half of it.
    const script = `#!/bin/sh\nprintf '%s\\n' "$#" "$@" > '${note}.part'\n/bin/mv '${note}.part' '${note}'\n`;
    await writeFile(join(programs, name), script, { mode: 0o755 });
  }
  const page = join(parent, 'data', 'latest', 'index.html');
  expect(await openWith(programs)).toEqual({ code: 0, output: `${page}\n`, errors: '' });
  await expect.poll(() => readFile(note, 'utf8').catch(() => undefined)).toBe(`1\n${page}\n`);
});
