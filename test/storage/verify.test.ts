/** One flipped byte, one cut, one lost file: every one of them is found and named (G2). */
import { readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runNight } from '../../src/night.ts';
import { acceptRun } from '../../src/run/corrections/republish.ts';
import { realDisk } from '../../src/storage/folder/disk.ts';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import { verifyRuns } from '../../src/storage/verify/verify.ts';
import { keysOf, place } from '../night/folder.ts';
import { locateRunFile, look } from '../night/reader.ts';
import { company, companyOfAllTables, slots } from '../night/small.ts';
import { flipped, rewriteCommit } from '../night/tamper.ts';
import { sample } from '../sampling.ts';
import { damageIn } from './damage.ts';
import { killing } from './disks.ts';

const [first = '', second = '', third = '', fourth = ''] = slots;
const here = place();

/** A whole night, one that was healed, and one that was accepted: five published runs. */
async function threeNights(made = company()): Promise<void> {
  await runNight(made.order(first), made.parts(here.store));
  made.away.add('windows');
  await runNight(made.order(second), made.parts(here.store));
  made.away.clear();
  await runNight(made.order(second), made.parts(here.store));
  made.shrunk.add('macs');
  await runNight(made.order(third), made.parts(here.store));
  await acceptRun(third, 'somebody', made.parts(here.store));
  expect(await verifyRuns(here.store)).toMatchObject({ nights: 3, damage: [] });
}

test('in every file of every run, and in every copy [S10]', async () => {
  await threeNights(companyOfAllTables());
  const keys = (await keysOf(here.store)).filter((key) => key !== 'latest.json');
  expect(keys.filter((key) => key.startsWith('commits/'))).toHaveLength(5);
  const damages: Readonly<Record<string, (path: string, body: Buffer) => Promise<void>>> = {
    flipped: (path, body) => writeFile(path, flipped(body, body.length >> 1)),
    'cut off': (path, body) => writeFile(path, body.subarray(0, -1)),
    missing: (path) => unlink(path),
  };
  const bodies = new Map<string, Buffer>();
  for (const key of keys) {
    bodies.set(key, await readFile(join(here.path, key)));
  }
  const restore = async (key: string) => writeFile(join(here.path, key), bodies.get(key) ?? '');
  // What leads to other files is damaged alone; of all others each must be named among all that are damaged.
  const isLeading = (key: string) => key.startsWith('commits/');
  const groups = [keys.filter((key) => !isLeading(key)), ...keys.filter(isLeading).map((key) => [key])];
  let found = 0;
  for (const [kind, damage] of Object.entries(damages)) {
    for (const group of groups) {
      for (const key of group) {
        await damage(join(here.path, key), bodies.get(key) ?? Buffer.alloc(0));
      }
      const { damage: named, behind } = await verifyRuns(here.store);
      const told = [...named.map(({ message }) => message), ...behind];
      const unnamed = group.filter((key) => !told.some((sentence) => sentence.startsWith(`${key} is `)));
      expect(unnamed, kind).toEqual([]);
      found += group.length;
      for (const key of group) {
        await restore(key);
      }
    }
  }
  expect(found).toBe(3 * keys.length);
  process.stdout.write(`verify: ${found} damages of ${keys.length} files, each named\n`);
  expect((await verifyRuns(here.store)).damage).toEqual([]);
});

test('at any byte of latest.json, of a commit and of a small file', async () => {
  const made = company();
  made.devices = 1;
  await runNight(made.order(first), made.parts(here.store));
  for (const key of ['latest.json', 'commits/0000000001.json', await locateRunFile(here.path, 'events.json')]) {
    const body = await readFile(join(here.path, key));
    for (const at of sample([...body.keys()], 12)) {
      await writeFile(join(here.path, key), flipped(body, at));
      const damage = await damageIn(here.store).catch((error: { code: string }) => [error.code]);
      expect(damage, `${key} at ${at}`).not.toEqual([]);
    }
    await writeFile(join(here.path, key), body);
  }
});

test('in a commit that counts other rows than its file has', async () => {
  await threeNights();
  await rewriteCommit(here.path, (commit) => {
    for (const file of commit.files as { key: string; rows?: number }[]) {
      if (file.key.endsWith('/devices.csv')) {
        file.rows = 99;
      }
    }
    return commit;
  });
  const damage = await damageIn(here.store);
  expect(damage).toEqual([expect.stringMatching(/devices\.csv is damaged: 8 rows where 99/)]);
});

test('an abandoned attempt is never damage, whatever it looks like', async () => {
  const made = companyOfAllTables();
  await runNight(made.order(first), made.parts(here.store));
  for (const at of [60, 90, 120]) {
    const killed = killing(realDisk, at, 'after');
    await runNight(made.order(second), made.parts(createFolderStore(here.path, killed.disk))).catch(() => undefined);
    expect(killed.died()).toBe(true);
    expect(await look(here.path)).toMatchObject({ slot: first });
    expect(await verifyRuns(here.store)).toMatchObject({ nights: 1, damage: [] });
  }
  const abandoned = (await keysOf(here.store)).filter((key) => key.startsWith(`runs/${second}/`));
  expect(abandoned.length).toBeGreaterThan(5);
  for (const key of abandoned) {
    await writeFile(join(here.path, key), 'damaged');
  }
  expect(await verifyRuns(here.store)).toMatchObject({ nights: 1, damage: [] });
  expect(await runNight(made.order(second), made.parts(here.store))).toMatchObject({ exit: 0 });
  expect(await verifyRuns(here.store)).toMatchObject({ nights: 2, damage: [] });
});

test('of one night alone, its own damage and no other', async () => {
  await threeNights();
  const report = (await keysOf(here.store)).find((key) => key.startsWith(`runs/${first}/`) && key.endsWith('.csv'));
  await unlink(join(here.path, report ?? ''));
  expect(await verifyRuns(here.store, { slot: first })).toMatchObject({
    nights: 1,
    damage: [{ code: 'file-missing', message: `${report} is missing.` }],
  });
  expect(await verifyRuns(here.store, { slot: second })).toMatchObject({ nights: 1, damage: [] });
  expect(await verifyRuns(here.store, { slot: fourth })).toMatchObject({
    nights: 0,
    damage: [{ code: 'night-unknown', message: expect.stringContaining(fourth) }],
  });
});
