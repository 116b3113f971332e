import { mkdir, mkdtemp, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { removeOldTemporaries } from '../../src/storage/folder/atomic-write.ts';
import { type Disk, realDisk } from '../../src/storage/folder/disk.ts';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import type { Store } from '../../src/storage/store.ts';
import { storeContract } from '../contracts/store.ts';
import { around, type Effect, memoryDisk, systemError } from './disks.ts';

storeContract('a folder', {
  async makeStore() {
    const path = await mkdtemp(join(tmpdir(), 'muster-store-'));
    return { store: createFolderStore(join(path, 'store')), cleanUp: () => rm(path, { recursive: true, force: true }) };
  },
});

let parent: string;
let path: string;
let store: Store;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'muster-folder-'));
  path = join(parent, 'store');
  store = createFolderStore(path);
});
afterEach(() => rm(parent, { recursive: true, force: true }));

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
const age = (file: string, days: number) => utimes(file, daysAgo(days), daysAgo(days));
const temporary = () => join(path, '.tmp');

describe('probe', () => {
  test('creates the folder with its parents', async () => {
    await createFolderStore(join(path, 'deep/er')).probe();
    expect((await stat(join(path, 'deep/er'))).isDirectory()).toBe(true);
  });

  test('removes temporary files older than a day, and no younger ones', async () => {
    await mkdir(temporary(), { recursive: true });
    for (const name of ['old', 'young']) {
      await writeFile(join(temporary(), name), name);
    }
    await age(join(temporary(), 'old'), 1.1);
    await age(join(temporary(), 'young'), 0.9);
    await store.probe();
    expect(await readdir(temporary())).toEqual(['young']);
  });

  test('refuses a file system without hard links [S15]', async () => {
    const disk = around(realDisk, async (effect, run) => {
      if (effect === 'link') {
        throw systemError('EPERM');
      }
      return run();
    });
    await expect(createFolderStore(path, disk).probe()).rejects.toMatchObject({
      code: 'store-unsuited',
      message: expect.stringContaining('hard links'),
    });
  });

  test('refuses a file system where a link replaces, is always refused, or a rename does nothing [S15]', async () => {
    const broken = [
      { ...realDisk, link: async () => true },
      { ...realDisk, link: async () => false },
      { ...realDisk, rename: async () => undefined },
    ];
    for (const disk of broken) {
      await expect(createFolderStore(path, disk).probe()).rejects.toMatchObject({ code: 'store-unsuited' });
    }
  });

  test.each(['EACCES', 'EROFS', 'ENOENT', 'ENOSPC'])('says %s with the path [S15]', async (code) => {
    for (const refused of ['makeFolder', 'write', 'rename'] satisfies Effect[]) {
      const disk = around(realDisk, async (effect, run) => {
        if (effect === refused) {
          throw systemError(code);
        }
        return run();
      });
      const error = await createFolderStore(path, disk)
        .probe()
        .then(String, (reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'store-unreachable', cause: { code } });
      expect(String(error)).toContain(path);
      expect(String(error)).toContain(code);
    }
  });

  test('says that there is a file where the folder should be [S15]', async () => {
    await writeFile(path, 'a file');
    await expect(store.probe()).rejects.toMatchObject({
      code: 'store-unreachable',
      message: expect.stringContaining('There is a file where a folder should be'),
    });
    await expect(createFolderStore(join(path, 'below')).probe()).rejects.toMatchObject({ code: 'store-unreachable' });
  });

  test('refuses a path that can never exist, instead of trying for ever [S15]', async ({ skip }) => {
    await symlink(join(parent, 'nowhere'), join(parent, 'dangling'));
    for (const never of [join(parent, 'dangling'), join(parent, 'dangling/store')]) {
      await expect(createFolderStore(never).probe()).rejects.toMatchObject({ code: 'store-unreachable' });
    }
    skip(process.platform !== 'linux', 'there is no /proc here');
    for (const never of ['/proc/muster', '/proc/muster/store/deep']) {
      await expect(createFolderStore(never).probe()).rejects.toMatchObject({
        code: 'store-unreachable',
        message: expect.stringMatching(
          /^Preparing the folder \/proc\/muster.* failed \(ENOENT\)\. Check that its parent/,
        ),
      });
    }
  });

  test('makes a folder that several processes make at the same time', async () => {
    const stores = Array.from({ length: 8 }, (_, index) => createFolderStore(join(path, 'deep/er', String(index % 2))));
    await Promise.all(stores.map((one) => one.probe()));
    expect((await readdir(join(path, 'deep/er'))).sort()).toEqual(['0', '1']);
  });
});

describe('what is in the folder', () => {
  test('list shows keys alone: nothing of ours, nothing hidden', async () => {
    await store.put('latest/index.html', Buffer.from('page'));
    await store.put('latest.json', Buffer.from('{}'));
    await writeFile(join(path, 'latest/.DS_Store'), 'not ours');
    expect(await keysBelow('')).toEqual(['latest.json', 'latest/index.html']);
    expect(await readdir(temporary())).toEqual([]);
  });

  test('a copy shares nothing with its original on the disk', async () => {
    await store.put('runs/original', Buffer.from('original'));
    await store.copy('runs/original', 'latest/copy');
    await writeFile(join(path, 'latest/copy'), 'damaged!');
    expect((await store.read('runs/original'))?.toString()).toBe('original');
  });

  test('removing the last key of a folder removes the folder', async () => {
    await store.put('runs/2026-11-20/one/manifest.json', Buffer.from('{}'));
    await store.put('runs/2026-11-19/one/manifest.json', Buffer.from('{}'));
    await store.remove('runs/2026-11-20/one/manifest.json');
    expect(await readdir(join(path, 'runs'))).toEqual(['2026-11-19']);
    await store.remove('runs/2026-11-19/one/manifest.json');
    expect(await readdir(path)).toEqual(['.tmp']);
  });

  test('a folder that is removed under a writer is made again', async () => {
    let removed = 0;
    const disk = around(realDisk, async (effect, run) => {
      if ((effect === 'link' || effect === 'rename') && removed < 3) {
        removed += 1;
        await realDisk.removeFolder(join(path, 'runs/2026-11-20'));
        await realDisk.removeFolder(join(path, 'runs'));
      }
      return run();
    });
    await createFolderStore(path, disk).create('runs/2026-11-20/x', Buffer.from('x'));
    expect(removed).toBe(3);
    expect(await keysBelow('')).toEqual(['runs/2026-11-20/x']);
  });

  test('digest sees a byte that was flipped on the disk', async () => {
    const { sha256 } = await store.create('runs/x', Buffer.from('whole'));
    await writeFile(join(path, 'runs/x'), 'whale');
    expect(await store.digest('runs/x')).not.toBe(sha256);
  });

  test('an unreadable key is store-unreachable, with key and code', async () => {
    const disk = around(realDisk, async (effect, run) => {
      if (effect === 'read' || effect === 'stream' || effect === 'list') {
        throw systemError('EACCES');
      }
      return run();
    });
    const closed = createFolderStore(path, disk);
    const attempts = [() => closed.read('runs/x'), () => keysBelow('runs/', closed), () => closed.copy('runs/x', 'y')];
    for (const attempt of attempts) {
      await expect(attempt()).rejects.toMatchObject({
        code: 'store-unreachable',
        message: expect.stringMatching(/runs\/.*EACCES/),
      });
    }
  });

  test('a body that fails with an error of the network keeps its own error', async () => {
    const failing = async function* () {
      yield Buffer.from('x');
      throw systemError('ECONNRESET');
    };
    await expect(store.put('latest/x', failing())).rejects.toMatchObject({ code: 'ECONNRESET' });
  });
});

describe('a symbolic link in the folder', () => {
  const links: readonly (readonly [what: string, place: string, key: string])[] = [
    ['in the place of a folder', 'runs', 'runs/2026-11-20/a/events.json'],
    ['in the place of a folder below', 'devices/date=2026-11-20', 'devices/date=2026-11-20/devices.csv'],
    ['in the place of a file', 'latest.json', 'latest.json'],
  ];
  test.each(links)('R12: %s is refused by name, whatever is done [R12]', async (_, place, key) => {
    const elsewhere = join(parent, 'elsewhere');
    await mkdir(elsewhere, { recursive: true });
    await mkdir(dirname(join(path, place)), { recursive: true });
    await symlink(elsewhere, join(path, place));
    const refused = { code: 'store-unsuited', message: expect.stringContaining(`${place} in the folder`) };
    const doings: readonly (() => Promise<unknown>)[] = [
      () => store.read(key),
      () => store.digest(key),
      () => Array.fromAsync(store.stream(key)),
      () => store.create(key, Buffer.from('x')),
      () => store.put(key, Buffer.from('x')),
      () => store.remove(key),
      () => Array.fromAsync(store.list('')),
    ];
    for (const doing of doings) {
      await expect(doing()).rejects.toMatchObject(refused);
    }
    expect(await readdir(elsewhere)).toEqual([]);
  });

  test('that leads to the folder itself is the person’s own', async () => {
    await mkdir(path, { recursive: true });
    await symlink(path, join(parent, 'linked'));
    const linked = createFolderStore(join(parent, 'linked'));
    await linked.create('runs/one', Buffer.from('1'));
    expect(await Array.fromAsync(store.list(''))).toEqual(['runs/one']);
  });
});

test('a temporary file of exactly a day is not old yet', async () => {
  const at = Date.parse('2026-11-20T00:00:00Z');
  const disk = memoryDisk();
  const folder = { path: '/store', disk };
  for (const key of ['/store/.tmp/x', '/store/runs/x']) {
    await disk.makeFolder(dirname(key));
    await disk.write(key, Buffer.from('x'));
  }
  const inspect: Disk['inspect'] = async (file) => {
    const found = await disk.inspect(file);
    return found && { ...found, writtenAt: new Date(at) };
  };
  await removeOldTemporaries({ ...folder, disk: { ...disk, inspect } }, at + 24 * 3_600_000);
  expect(await disk.list('/store/.tmp')).toHaveLength(1);
  await removeOldTemporaries({ ...folder, disk: { ...disk, inspect } }, at + 24 * 3_600_000 + 1);
  expect(await disk.list('/store/.tmp')).toEqual([]);
  expect(await disk.list('/store/runs')).toHaveLength(1);
});

test('removing a key leaves the folders above that still hold another, and the store itself', async () => {
  await store.create('runs/a/x', Buffer.from('x'));
  await store.create('runs/y', Buffer.from('y'));
  await store.remove('runs/a/x');
  expect(await readdir(join(path, 'runs'))).toEqual(['y']);
  await rm(temporary(), { recursive: true });
  await store.remove('runs/y');
  expect((await stat(path)).isDirectory()).toBe(true);
  const refusing: Disk = { ...realDisk, removeFolder: () => Promise.reject(systemError('EACCES')) };
  await store.create('runs/z', Buffer.from('z'));
  await createFolderStore(path, refusing).remove('runs/z');
  expect(await keysBelow('')).toEqual([]);
});

function keysBelow(prefix: string, from: Store = store): Promise<string[]> {
  return Array.fromAsync(from.list(prefix));
}
