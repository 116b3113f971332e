/** Files that somebody else put into a store, by the numbers of the attacks: nothing of them is followed or waited for. */
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runNight } from '../../src/night.ts';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import { toCommitKey } from '../../src/storage/keys.ts';
import { unpackLines } from '../../src/storage/runs/pack.ts';
import type { Store } from '../../src/storage/store.ts';
import { parseStoredJson } from '../../src/storage/stored-json.ts';
import { verifyRuns } from '../../src/storage/verify/verify.ts';
import { keysOf } from '../night/folder.ts';
import { company, slots } from '../night/small.ts';
import { sample } from '../sampling.ts';
import { openStoreSetup } from './places.ts';

const [first = '', second = '', third = ''] = slots;

describe('in a folder', () => {
  let parent: string;
  let path: string;
  let store: Store;
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'muster-planted-'));
    path = join(parent, 'store');
    store = createFolderStore(path);
  });
  afterEach(() => rm(parent, { recursive: true, force: true }));

  const made = company();
  const run = (slot: string) => runNight(made.order(slot), made.parts(store));
  const findKey = async (ending: string) => (await keysOf(store)).find((key) => key.endsWith(ending)) ?? '';
  const damage = async () => (await verifyRuns(store)).damage.map(({ message }) => message);

  /** What is put in a file's place, by what it is. */
  const planted: Readonly<Record<string, (at: string) => Promise<unknown>>> = {
    'a pipe': async (at) => execFileSync('mkfifo', [at]),
    'a socket': (at) => listenAt(at),
    'a folder': (at) => mkdir(at),
    'a sparse file of 100 GB': async (at) => {
      await writeFile(at, '');
      await truncate(at, 100e9);
    },
    'a sparse file of 3 GB': async (at) => {
      await writeFile(at, '');
      await truncate(at, 3e9);
    },
  };

  test('A5: a .tmp that leads elsewhere is refused, and nothing there is removed or written', async () => {
    const elsewhere = join(parent, 'elsewhere');
    await mkdir(elsewhere);
    await writeFile(join(elsewhere, 'mine'), 'mine');
    await utimes(join(elsewhere, 'mine'), 0, 0);
    await run(first);
    await rm(join(path, '.tmp'), { recursive: true });
    await symlink(elsewhere, join(path, '.tmp'));
    const refused = { code: 'store-unsuited', message: expect.stringContaining('.tmp in the folder') };
    await expect(store.probe()).rejects.toMatchObject(refused);
    await expect(run(second)).rejects.toMatchObject(refused);
    await expect(store.put('latest.json', Buffer.from('{}'))).rejects.toMatchObject(refused);
    expect(await readdir(elsewhere)).toEqual(['mine']);
    expect(await damage()).toEqual([]);
  });

  test('A5: an old link among the temporary files is removed itself, and what it leads to stays', async () => {
    await store.probe();
    await writeFile(join(parent, 'mine'), 'mine');
    await utimes(join(parent, 'mine'), 0, 0);
    await symlink(join(parent, 'mine'), join(path, '.tmp/young'));
    await store.probe();
    // It is young, however old what it leads to is.
    expect(await readdir(join(path, '.tmp'))).toEqual(['young']);
    expect(await readFile(join(parent, 'mine'), 'utf8')).toBe('mine');
  });

  test.each([
    'commits',
    `runs/${first}`,
    'latest',
    'devices',
    `devices/date=${first}`,
    'latest/devices.csv',
    'latest.json',
  ])('A5: %s as a link: nothing behind it is read as ours, written or removed', async (at) => {
    await run(first);
    const elsewhere = join(parent, 'elsewhere');
    await mkdir(dirname(join(elsewhere, at)), { recursive: true });
    execFileSync('mv', [join(path, at), join(elsewhere, at)]);
    await symlink(join(elsewhere, at), join(path, at));
    const before = await listFiles(elsewhere);
    made.keptNights = 1;
    const outcome = await run(second).catch((error: { code: string }) => error.code);
    made.keptNights = 400;
    expect(outcome === 'store-unsuited' || (outcome as { exit: number }).exit === 3).toBe(true);
    expect(await listFiles(elsewhere)).toEqual(before);
    await expect(verifyRuns(store)).rejects.toMatchObject({
      code: 'store-unsuited',
      message: expect.stringContaining(`${at} in the folder`),
    });
  });

  const places = ['commit', 'latest.json', 'latest/devices.csv', 'state.json.gz', 'reports/devices.csv'] as const;
  const cases = places.flatMap((place) => Object.keys(planted).map((kind) => [kind, place] as const));
  test.each(sample(cases, 8))('A12: %s at the place of %s ends run and verify by name', async (kind, place) => {
    await run(first);
    await run(second);
    const key = place === 'commit' ? toCommitKey(2) : await findKey(place);
    await rm(join(path, key));
    await planted[kind]?.(join(path, key));
    const messages = await verifyRuns(store).then(
      ({ damage: found, behind }) => [...found.map(({ message }) => message), ...behind],
      (error: Error) => [error.message],
    );
    expect(messages.some((message) => message.includes(key))).toBe(true);
    const outcome = await run(third).then(
      ({ exit, unfinished = [] }) => ({ exit, codes: unfinished.map(({ code }) => code) }),
      ({ code }: { code: string }) => ({ exit: 1, codes: [code] }),
    );
    expect(outcome.codes).not.toContain('unexpected');
  });

  test('A15: a folder at the key of the next commit is refused by name', async () => {
    await run(first);
    await mkdir(join(path, toCommitKey(2)));
    await expect(run(second)).rejects.toMatchObject({
      code: 'store-unsuited',
      message: expect.stringContaining(`${toCommitKey(2)} in the folder`),
    });
  });

  test('A9: 3 GB of readings stop no run, and are named', async () => {
    await run(first);
    const key = `runs/${first}/x/readings-1.json`;
    await mkdir(dirname(join(path, key)));
    await planted['a sparse file of 3 GB']?.(join(path, key));
    const warned = nextWarning();
    expect(await run(second)).toMatchObject({ exit: 0, did: 'published' });
    expect(await warned).toMatchObject({ code: 'store-damaged', message: expect.stringContaining(key) });
  });
});

describe.each(['a folder', 'a bucket'] as const)('in %s', (kind) => {
  let setup: Awaited<ReturnType<typeof openStoreSetup>>;
  beforeEach(async () => {
    setup = await openStoreSetup(kind);
    await setup.night(first);
  });
  afterEach(() => setup.close());

  test('A15: a million levels of JSON beside the fields of a commit are damage by name', async () => {
    const key = toCommitKey(1);
    const body = (await setup.store.read(key))?.toString() ?? '';
    await setup.store.put(key, Buffer.from(body.replace(/^\{/, `{"beside":${nest(1e6)},`)));
    await expect(setup.night(second)).rejects.toMatchObject({ code: expect.stringMatching(/^(log|store)-damaged$/) });
    expect(await setup.codes()).toContain('log-damaged');
  });

  test('A15: pages that no commit names are named where people look for reports', async () => {
    const keys = ['latest/evil.html', `report/date=${first}/evil.html`];
    for (const key of keys) {
      await setup.store.put(key, Buffer.from('<p>evil'));
    }
    const { damage } = await verifyRuns(setup.store);
    expect(damage.map(({ code, message }) => `${code} ${message.split(' ')[0]}`)).toEqual(
      keys.map((key) => `foreign-file ${key}`),
    );
  });
});

describe('A15: levels of JSON', () => {
  const tooDeep = expect.objectContaining({
    code: 'store-damaged',
    message: expect.stringMatching(/^key .*more than 1000 levels/),
  });
  test.each([
    ['a thousand levels', nest(1000), undefined],
    ['one more', nest(1001), tooDeep],
    ['of blocks', '{"a":'.repeat(1e6), tooDeep],
    ['side by side', `[${Array(5000).fill('{}').join()}]`, undefined],
    ['brackets in texts', JSON.stringify(['['.repeat(3000), '\\"[', '\\\\', '"{'.repeat(3000)]), undefined],
    ['behind a text that ends with backslashes', `["\\\\\\\\",${nest(1000)}]`, tooDeep],
  ])('%s', async (_, text, refused) => {
    const parse = () => parseStoredJson(Buffer.from(text), 'key');
    const line = () => Array.fromAsync(unpackLines(gzipSync(`${text}\n`), 'key'));
    if (refused === undefined) {
      expect(parse()).toEqual(JSON.parse(text));
      expect((await line()).flat()).toEqual([JSON.parse(text)]);
    } else {
      expect(parse).toThrow(refused);
      await expect(line()).rejects.toEqual(refused);
    }
  });
});

function nest(levels: number): string {
  return '['.repeat(levels) + ']'.repeat(levels);
}

/** The first warning of this process from now on. */
function nextWarning(): Promise<Error> {
  return new Promise((resolve) => {
    process.once('warning', resolve);
  });
}

/** The socket stays when its server is gone. */
async function listenAt(path: string): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen({ path }, resolve);
  });
  // Closing removes the file.
  execFileSync('mv', [path, `${path}.kept`]);
  await new Promise((resolve) => {
    server.close(resolve);
  });
  execFileSync('mv', [`${path}.kept`, path]);
}

async function listFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(files.sort().map(async (file) => `${file}: ${(await readFile(file)).toString('base64')}`));
}
