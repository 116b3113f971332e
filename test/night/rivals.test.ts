/** Several nights over one store at once: one publishes, and what the others did is never lost under it (G3). */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runNight } from '../../src/night.ts';
import { realDisk } from '../../src/storage/folder/disk.ts';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import type { Store } from '../../src/storage/store.ts';
import { verifyRuns } from '../../src/storage/verify/verify.ts';
import { around } from '../storage/disks.ts';
import { keysOf, place } from './folder.ts';
import { contentsOf, look } from './reader.ts';
import { company, slots } from './small.ts';

const [first = '', second = '', third = ''] = slots;
const here = place();

test.each([2, 3, 5])('%i runs of one slot at once: one publishes, the others end with 4 [C7]', async (count) => {
  for (const slot of [first, second]) {
    const runs = Array.from({ length: count }, () => {
      const made = company();
      return runNight(made.order(slot), made.parts(here.store));
    });
    const exits = (await Promise.all(runs)).map(({ exit }) => exit).sort();
    expect(exits).toEqual([0, ...Array<number>(count - 1).fill(4)]);
    expect(await look(here.path)).toMatchObject({ slot, exit: 0 });
    expect((await verifyRuns(here.store)).damage).toEqual([]);
  }
});

test('an older night healed while a newer one is made: the newer one is compared with it and published', async () => {
  const made = company();
  await runNight(made.order(first), made.parts(here.store));
  made.away.add('windows');
  await runNight(made.order(second), made.parts(here.store));
  made.away.clear();

  const newer = company();
  const parts = newer.parts(here.store);
  const order = newer.order(third, {
    readRunContext: async () => {
      // Its process has looked at the pointer already.
      await runNight(made.order(second), made.parts(here.store));
      return newer.order(third).readRunContext();
    },
  });
  expect(await runNight(order, parts)).toMatchObject({ exit: 0, did: 'published' });
  expect(newer.asked).toEqual(['macs', 'windows']);
  expect(await look(here.path)).toMatchObject({ slot: third, exit: 0 });
  expect((await runNight(newer.order(third, { dryRun: true }), parts)).night?.sources[1]?.baseline).toBe(second);
  expect(await verifyRuns(here.store)).toMatchObject({ nights: 3, damage: [] });
});

test('a newer night published while an older one is healed: the healing changes nothing, and nothing is lost [C9]', async () => {
  const made = company();
  made.away.add('windows');
  await runNight(made.order(first), made.parts(here.store));
  made.away.clear();
  const newer = company();
  const order = made.order(first, {
    readRunContext: async () => {
      await runNight(newer.order(second), newer.parts(here.store));
      return made.order(first).readRunContext();
    },
  });
  expect(await runNight(order, made.parts(here.store))).toMatchObject({ exit: 4, did: 'superseded' });
  expect(await look(here.path)).toMatchObject({ slot: second, exit: 0 });
  expect((await verifyRuns(here.store)).damage).toEqual([]);
});

test('a slow finisher of an older attempt leaves everybody the copies they should have [C9]', async () => {
  const made = company();
  await runNight(made.order(first), made.parts(here.store));
  made.away.add('windows');
  let copies = 0;
  // While the partial second night is being copied, it is healed and a third night is published and finished.
  const disk = around(realDisk, async (effect, run) => {
    if (effect === 'rename') {
      copies += 1;
    }
    if (effect === 'rename' && copies === 3) {
      const other = company();
      await runNight(other.order(second), other.parts(here.store));
      await runNight(other.order(third), other.parts(here.store));
    }
    return run();
  });
  await runNight(made.order(second), made.parts(createFolderStore(here.path, disk)));
  expect(copies).toBeGreaterThan(3);
  expect(await look(here.path)).toMatchObject({ slot: third });
  expect(await verifyRuns(here.store)).toMatchObject({ nights: 3, damage: [] });
});

test('a run that loses the place of its commit six times ends with an error, and publishes nothing', async () => {
  let rivals = 0;
  const publishRival = async (unread: number) => {
    const rival = company();
    rival.unread.set('macs', unread);
    await runNight(rival.order(first), rival.parts(here.store));
  };
  // Each rival is more complete than the one before, and less than the run that it overtakes.
  const watched: Store = {
    ...here.store,
    create: async (key, body) => {
      if (key.startsWith('commits/')) {
        rivals += 1;
        await publishRival(7 - rivals);
      }
      return here.store.create(key, body);
    },
  };
  const made = company();
  await expect(runNight(made.order(first), made.parts(watched))).rejects.toMatchObject({
    code: 'publication-contended',
  });
  expect(rivals).toBe(6);
  expect(await verifyRuns(here.store)).toMatchObject({ nights: 1, damage: [] });
});

test('three who finish the same night at once leave it finished', async () => {
  const made = company();
  await runNight(made.order(first), made.parts(here.store));
  const whole = await contentsOf(here.path);
  for (const copies of ['latest', 'devices']) {
    await rm(join(here.path, copies), { recursive: true });
  }
  const again = [1, 2, 3].map(() => runNight(made.order(first), made.parts(here.store)));
  expect((await Promise.all(again)).map(({ did }) => did)).toEqual(['unchanged', 'unchanged', 'unchanged']);
  expect(await contentsOf(here.path)).toEqual(whole);
});

test('a run that lost leaves an attempt that nobody takes for damage or for a night', async () => {
  const runs = [company(), company()].map((made) => runNight(made.order(first), made.parts(here.store)));
  await Promise.all(runs);
  const keys = await keysOf(here.store);
  expect(new Set(keys.flatMap((key) => /^runs\/[^/]+\/[^/]+/.exec(key) ?? [])).size).toBe(2);
  expect(keys.filter((key) => key.startsWith('commits/'))).toEqual(['commits/0000000001.json']);
  expect(await verifyRuns(here.store)).toMatchObject({ nights: 1, damage: [] });
});
