/** The message that a run failed is sent also where the store, which may be the cause, never answers. */
import { expect, it } from 'vitest';
import { reportFailure } from '../../src/alerts/delivery/report-failure.ts';
import { MusterError } from '../../src/base/errors.ts';
import { systemClock } from '../../src/http/clock.ts';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import type { Store } from '../../src/storage/store.ts';
import { place } from '../night/folder.ts';
import { alertsWith, listener } from './listeners.ts';

const here = place();
const never = () => new Promise<never>(() => undefined);
const hanging: Partial<Store> = {
  read: never,
  create: never,
  // biome-ignore lint/correctness/useYield: it never has anything.
  async *list() {
    await never();
  },
};

it('is sent where the store hangs, within its time', async () => {
  const slack = listener('slack');
  const store = { ...createFolderStore(here.path), ...hanging };
  const failed = { agent: 'Agent', slot: '2026-11-20', error: new MusterError('deadline', 'The store hangs.'), store };
  await reportFailure({ ...failed, timeLimit: 200 }, alertsWith([slack], systemClock));
  expect(slack.taken).toMatchObject([{ key: 'muster/2026-11-20/failed/unknown-deadline/slack-1' }]);
});
