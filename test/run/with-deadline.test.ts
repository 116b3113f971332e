/** A store with a deadline; what becomes of a run whose store does not answer is with the nights. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, expect, it } from 'vitest';
import { withDeadline } from '../../src/run/with-deadline.ts';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';

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
