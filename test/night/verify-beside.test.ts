/** Verification beside runs that are under way: it never takes their work for damage (A14). */
import { expect, test } from 'vitest';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import { verifyRuns } from '../../src/storage/verify/verify.ts';
import { memoryDisk } from '../storage/disks.ts';
import { scenarios } from './scenarios.ts';
import { company } from './small.ts';
import { watching } from './watching.ts';

test.each(scenarios)('$name is sound at each of its requests, for whoever verifies then [R34]', async (scenario) => {
  const disk = memoryDisk();
  const store = createFolderStore('/store', disk);
  const made = company();
  await scenario.prepare(store, made);
  let requests = 0;
  const looking = watching(store, async (request) => {
    requests = request;
    expect((await verifyRuns(store)).damage, `before request ${request}`).toEqual([]);
  });
  await scenario.act(looking, made);
  expect(requests).toBeGreaterThan(20);
});
