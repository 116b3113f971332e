/** A night killed between changes it makes to the disk (G1, G13), all of them in `npm run test:deep`; nothing is random. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runNight } from '../../src/night.ts';
import type { Disk } from '../../src/storage/folder/disk.ts';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import { verifyRuns } from '../../src/storage/verify/verify.ts';
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
    expect(swept.kills).toBeGreaterThan(15);
    expect(swept.saw.after).toBeGreaterThan(0);
  },
);

test('killed twice in a row, a night ends the same [C2]', async () => {
  const [first = '', second = ''] = slots;
  const made = company();
  const devices: (string | undefined)[] = [];
  let kills = 0;
  for (let one = 10; one <= 160; one += 25) {
    for (let two = 10; two <= 150; two += 23) {
      const disk = memoryDisk();
      const act = (on: Disk) => runNight(made.order(second), made.parts(createFolderStore('/store', on)));
      await runNight(made.order(first), made.parts(createFolderStore('/store', disk)));
      for (const at of [one, two]) {
        const killed = killing(disk, at, 'after');
        await act(killed.disk).catch(() => undefined);
        if (killed.died()) {
          kills += 1;
        }
      }
      expect(await act(disk)).toMatchObject({ exit: 0 });
      const store = createFolderStore('/store', disk);
      expect(await verifyRuns(store)).toMatchObject({ nights: 2, damage: [] });
      devices.push((await store.read('latest/devices.csv'))?.toString());
    }
  }
  expect(devices).toHaveLength(49);
  process.stdout.write(`killed twice: ${kills} kills\n`);
  expect(kills).toBeGreaterThan(49);
  expect(new Set(devices).size).toBe(1);
});
