/** Writers of a folder killed before, in the middle of and after every effect; nothing here is random. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Disk, realDisk } from '../../src/storage/folder/disk.ts';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import type { Store } from '../../src/storage/store.ts';
import { addOne, countIn } from '../contracts/counter.ts';
import { around, type Kill, killing, memoryDisk, systemError } from './disks.ts';

const kills: readonly Kill[] = ['before', 'half', 'after'];
const path = '/store';

interface Scenario {
  readonly name: string;
  prepare(store: Store): Promise<unknown>;
  act(store: Store): Promise<unknown>;
  /** With a store opened afresh; `done` when the act came back before the kill. */
  check(store: Store, done: boolean): Promise<void>;
}

const scenarios: readonly Scenario[] = [
  {
    name: 'create',
    prepare: async () => undefined,
    act: (store) => store.create('runs/2026-11-20/one/manifest.json', Buffer.from('whole manifest')),
    async check(store, done) {
      const key = 'runs/2026-11-20/one/manifest.json';
      const text = await textAt(store, key);
      expect([undefined, 'whole manifest']).toContain(text);
      if (done) {
        expect(text).toBe('whole manifest');
      }
      const again = store.create(key, Buffer.from('again'));
      if (text === undefined) {
        await again;
      } else {
        await expect(again).rejects.toMatchObject({ code: 'key-taken' });
      }
      expect(await textAt(store, key)).toBe(text ?? 'again');
    },
  },
  {
    name: 'put over what is there',
    prepare: (store) => store.put('latest/index.html', Buffer.from('whole old page')),
    act: (store) => store.put('latest/index.html', Buffer.from('whole new page')),
    async check(store, done) {
      const text = await textAt(store, 'latest/index.html');
      expect(['whole old page', 'whole new page']).toContain(text);
      if (done) {
        expect(text).toBe('whole new page');
      }
      await store.put('latest/index.html', Buffer.from('next'));
      expect(await textAt(store, 'latest/index.html')).toBe('next');
    },
  },
  {
    name: 'copy',
    prepare: (store) => store.put('runs/original', Buffer.from('whole original')),
    act: (store) => store.copy('runs/original', 'latest/copy'),
    async check(store, done) {
      const text = await textAt(store, 'latest/copy');
      expect([undefined, 'whole original']).toContain(text);
      if (done) {
        expect(text).toBe('whole original');
      }
    },
  },
  {
    name: 'the next number of a log',
    prepare: (store) => countTo(store, 2),
    act: (store) => addOne(store, 'acting'),
    async check(store, done) {
      const count = await countIn(store);
      expect([2, 3]).toContain(count);
      if (done) {
        expect(count).toBe(3);
      }
      expect(await addOne(store, 'afterwards')).toBe(true);
      expect(await countIn(store)).toBe(count + 1);
    },
  },
];

describe.each(scenarios)('$name', ({ prepare, act, check }) => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'muster-kills-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  test('killed at every effect leaves old or new, whole, and a store that goes on', async () => {
    const effects = await effectsOf({ prepare, act });
    expect(effects).toBeGreaterThan(3);
    const killedAt = async (at: number, kill: Kill) => {
      const place = join(folder, `${at}-${kill}`);
      await prepare(createFolderStore(place));
      const { disk, died } = killing(realDisk, at, kill);
      const done = await finished(act(createFolderStore(place, disk)));
      expect(died()).toBe(true);
      await check(createFolderStore(place), done);
    };
    const numbers = Array.from({ length: effects }, (_, index) => index + 1);
    await Promise.all(numbers.flatMap((at) => kills.map((kill) => killedAt(at, kill))));
  });

  test('losing power at every effect loses nothing that was confirmed', async () => {
    const effects = await effectsOf({ prepare, act });
    for (let at = 1; at <= effects + 1; at += 1) {
      for (const keeps of [() => false, () => true, everyOther(0), everyOther(1), everySeventh()]) {
        const memory = memoryDisk();
        await prepare(createFolderStore(path, memory));
        const done = await finished(act(createFolderStore(path, killing(memory, at, 'after').disk)));
        memory.powerCut(keeps);
        await check(createFolderStore(path, memory), done);
      }
    }
  });

  test('refused at every effect is store-unreachable with the code, or does not matter [C22]', async () => {
    const effects = await effectsOf({ prepare, act });
    for (let at = 1; at <= effects; at += 1) {
      for (const code of ['ENOSPC', 'EROFS', 'EACCES', 'EMFILE', 'EIO']) {
        const memory = memoryDisk();
        await prepare(createFolderStore(path, memory));
        const acted = act(createFolderStore(path, refusing(memory, at, code)));
        const error = await acted.then(
          () => undefined,
          (reason: unknown) => reason,
        );
        if (error !== undefined) {
          expect(error).toMatchObject({ code: 'store-unreachable', cause: { code } });
          expect(String(error)).toMatch(new RegExp(`(runs|latest|commits).*${code}`));
        }
        await check(createFolderStore(path, memory), error === undefined);
      }
    }
  });
});

test('what anybody has built on outlives a power cut, wherever a writer and a reader were killed', async () => {
  for (let first = 1; first < 60; first += 1) {
    for (let second = 1; second < 60; second += 1) {
      const memory = memoryDisk();
      await countTo(createFolderStore(path, memory), 2);
      const writer = killing(memory, first, 'after');
      await finished(addOne(createFolderStore(path, writer.disk), 'killed'));
      const reader = killing(memory, second, 'after');
      const seen = await countIn(createFolderStore(path, reader.disk)).catch(() => 0);
      memory.powerCut(() => false);
      expect(await countIn(createFolderStore(path, memory))).toBeGreaterThanOrEqual(seen);
      if (!reader.died()) {
        break;
      }
    }
  }
});

async function effectsOf({ prepare, act }: Pick<Scenario, 'prepare' | 'act'>): Promise<number> {
  const memory = memoryDisk();
  await prepare(createFolderStore(path, memory));
  let effects = 0;
  const counting: Disk = around(memory, (_effect, run) => {
    effects += 1;
    return run();
  });
  await act(createFolderStore(path, counting));
  return effects;
}

function refusing(disk: Disk, at: number, code: string): Disk {
  let count = 0;
  return around(disk, async (_effect, run) => {
    count += 1;
    if (count === at) {
      throw systemError(code);
    }
    return run();
  });
}

function everyOther(first: number): () => boolean {
  let asked = first;
  return () => {
    asked += 1;
    return asked % 2 === 0;
  };
}

function everySeventh(): () => boolean {
  let asked = 0;
  return () => {
    asked = (asked * 5 + 3) % 7;
    return asked < 3;
  };
}

function finished(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}

async function countTo(store: Store, count: number): Promise<void> {
  for (let added = 0; added < count; added += 1) {
    expect(await addOne(store, `before ${added}`)).toBe(true);
  }
}

async function textAt(store: Store, key: string): Promise<string | undefined> {
  return (await store.read(key))?.toString();
}
