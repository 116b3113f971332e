/** A folder whose power fails, that is gone, or whose writer was killed. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Disk, realDisk } from '../../src/storage/folder/disk.ts';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import type { Store } from '../../src/storage/store.ts';
import { killing, memoryDisk, systemError } from './disks.ts';

let parent: string;
let path: string;
let store: Store;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'muster-folder-'));
  path = join(parent, 'store');
  store = createFolderStore(path);
});
afterEach(() => rm(parent, { recursive: true, force: true }));
const temporary = () => join(path, '.tmp');

describe('a power failure', () => {
  test('takes nothing that was created, however deep, and no folder above it', async () => {
    const disk = memoryDisk();
    const key = 'runs/2026-11-20/one/reports/devices.csv';
    await createFolderStore('/deep/er/store', disk).create(key, Buffer.from('x'));
    disk.powerCut(() => false);
    expect(await keysBelow('', createFolderStore('/deep/er/store', disk))).toEqual([key]);
  });

  test.each([
    ['a folder above the store, which may be another’s,', '/deep', true],
    ['the folder that the store is in', '/deep/er', true],
    ['the store', '/deep/er/store', false],
    ['a folder in the store', '/deep/er/store/runs', false],
  ])('is safe or not after %s cannot be synced', async (_, refused, isStored) => {
    const memory = memoryDisk();
    const syncFolder: Disk['syncFolder'] = (folder) =>
      folder === refused ? Promise.reject(systemError('EACCES')) : memory.syncFolder(folder);
    const created = createFolderStore('/deep/er/store', { ...memory, syncFolder }).create('runs/x', Buffer.from('x'));
    await (isStored
      ? expect(created).resolves.toMatchObject({ bytes: 1 })
      : expect(created).rejects.toMatchObject({
          code: 'store-unreachable',
          message: expect.stringContaining('EACCES'),
        }));
  });
});

describe('a folder that is gone each time', () => {
  test.each([
    ['ENOENT', 10],
    ['EACCES', 1],
  ])('is tried again after %s, %i times in all, and leaves no temporary file', async (code, expected) => {
    let tries = 0;
    const link: Disk['link'] = async () => {
      tries += 1;
      throw systemError(code);
    };
    const store = createFolderStore(path, { ...realDisk, link });
    await expect(store.create('runs/x', Buffer.from('x'))).rejects.toMatchObject({ code: 'store-unreachable' });
    expect(tries).toBe(expected);
    expect(await readdir(temporary())).toEqual([]);
  });
});

test.each([
  ['that holds another key', realDisk.removeFolder],
  ['that cannot be removed', () => Promise.reject(systemError('EACCES'))],
])('removing a key tries no folder above one %s', async (_, removeFolder) => {
  await store.create('runs/a/x', Buffer.from('x'));
  await store.create('runs/a/y', Buffer.from('y'));
  const tried: string[] = [];
  const noting: Disk = {
    ...realDisk,
    removeFolder(folder) {
      tried.push(folder);
      return removeFolder(folder);
    },
  };
  await createFolderStore(path, noting).remove('runs/a/x');
  expect(tried).toEqual([join(path, 'runs/a')]);
});

test('half a temporary file is all that a kill in the middle of a write leaves', async () => {
  await store.probe();
  const { disk } = killing(realDisk, 2, 'half');
  await expect(createFolderStore(path, disk).create('runs/x', Buffer.from('whole'))).rejects.toThrow('killed');
  expect(await keysBelow('')).toEqual([]);
  expect(await readdir(temporary())).toHaveLength(1);
});

function keysBelow(prefix: string, from: Store = store): Promise<string[]> {
  return Array.fromAsync(from.list(prefix));
}
