/** A night killed between changes it makes to the disk (G1, G13), all of them in `npm run test:deep`; nothing is random. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runNight } from '../../src/night.ts';
import type { Disk } from '../../src/storage/folder/disk.ts';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import { verifyRuns } from '../../src/storage/verify/verify.ts';
import { sample } from '../sampling.ts';
import { killing, memoryDisk } from '../storage/disks.ts';
import { scenarios } from './scenarios.ts';
import { company, slots } from './small.ts';
import { sentence, sweep } from './sweep.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-sweep-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test.each(scenarios)(
  '$name, killed anywhere, leaves a whole run to readers and ends the same [C1]',
  async (scenario) => {
    const swept = await sweep(scenario, folder, false);
    process.stdout.write(`${sentence(scenario.name, swept)}\n`);
    expect(swept.violations).toEqual([]);
    expect(swept.kills).toBeGreaterThan(8);
    expect(swept.saw.after).toBeGreaterThan(0);
  },
);

/** The effects at which a night and its repetition are killed; all of them with `DEEP`. */
const pairs = sample(
  [10, 35, 60, 85, 110, 135, 160].flatMap((one) => [10, 33, 56, 79, 102, 125, 148].map((two) => [one, two])),
  25,
);

test('killed twice in a row, a night ends the same [C2]', async () => {
  const [first = '', second = ''] = slots;
  const made = company();
  const devices: (string | undefined)[] = [];
  let kills = 0;
  const published = memoryDisk();
  await runNight(made.order(first), made.parts(createFolderStore('/store', published)));
  for (const pair of pairs) {
    const disk = published.clone();
    const act = (on: Disk) => runNight(made.order(second), made.parts(createFolderStore('/store', on)));
    for (const at of pair) {
      const killed = killing(disk, at, 'after');
      await act(killed.disk).catch(() => undefined);
      kills += killed.died() ? 1 : 0;
    }
    expect(await act(disk)).toMatchObject({ exit: 0 });
    const store = createFolderStore('/store', disk);
    expect(await verifyRuns(store)).toMatchObject({ nights: 2, damage: [] });
    devices.push((await store.read('latest/devices.csv'))?.toString());
  }
  process.stdout.write(`killed twice: ${kills} kills\n`);
  expect(kills).toBeGreaterThan(pairs.length);
  expect(new Set(devices).size).toBe(1);
});
