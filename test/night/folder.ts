/** A folder of its own for every test, and the store in it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import type { Store } from '../../src/storage/store.ts';
import { quickDisk } from '../storage/quick-disk.ts';

interface Place {
  /** The store's folder; it is not there before something is written. */
  readonly path: string;
  readonly store: Store;
}

export function place(): Place {
  let parent = '';
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'muster-night-'));
  });
  afterEach(() => rm(parent, { recursive: true, force: true }));
  return {
    get path() {
      return join(parent, 'store');
    },
    get store() {
      return createFolderStore(join(parent, 'store'), quickDisk);
    },
  };
}

export async function keysOf(store: Store): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of store.list('')) {
    keys.push(key);
  }
  return keys;
}
