/** A store with a deadline; what becomes of a run whose store does not answer is with the nights. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, expect, it } from 'vitest';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import { withDeadline } from '../../src/storage/with-deadline.ts';

const folder = await mkdtemp(join(tmpdir(), 'muster-deadline-'));
afterAll(() => rm(folder, { recursive: true }));

it('keeps nothing of what the store has returned', async () => {
  const store = createFolderStore(folder);
  await store.create('large', Buffer.alloc(1000));
  const bounded = withDeadline(store, new AbortController().signal);
  const returned = new WeakRef((await bounded.read('large')) ?? {});
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  await expect
    .poll(() => {
      collectGarbage();
      return returned.deref() === undefined;
    })
    .toBe(true);
});

it('closes what it streams where the reader stops early', async () => {
  let isClosed = false;
  async function* stream(): AsyncGenerator<Buffer> {
    try {
      yield Buffer.from('a');
      yield Buffer.from('b');
    } finally {
      isClosed = true;
    }
  }
  const bounded = withDeadline({ ...createFolderStore(folder), stream }, new AbortController().signal);
  for await (const piece of bounded.stream('any')) {
    expect(piece.toString()).toBe('a');
    break;
  }
  expect(isClosed).toBe(true);
});
