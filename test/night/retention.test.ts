/** Nights past their retention go whole, also the last whole run of a source, whose rows later runs hold. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { sourceRules } from '../../src/compose/source-kinds.ts';
import { runNight } from '../../src/night.ts';
import { tables } from '../../src/reports/tables.ts';
import { retractRun } from '../../src/run/corrections/retract.ts';
import { rebuildRun } from '../../src/run/rebuild.ts';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import { verifyRuns } from '../../src/storage/verify/verify.ts';
import { damageIn } from '../storage/damage.ts';
import { keysOf, place } from './folder.ts';
import { look, readStandingCommit } from './reader.ts';
import { companyOfAllTables, slots } from './small.ts';

const here = place();
const eight = slots.slice(0, 8);

/** Slots by what is kept of them. */
async function kept(): Promise<{ runs: string[]; copies: string[] }> {
  const keys = await keysOf(here.store);
  const among = (pattern: RegExp) => [...new Set(keys.flatMap((key) => pattern.exec(key)?.[1] ?? []))].sort();
  return { runs: among(/^runs\/([^/]+)\//), copies: among(/^[a-z-]+\/date=([^/]+)\//) };
}

test('three nights of eight are kept whole, and the store is sound after each', async () => {
  const made = companyOfAllTables();
  made.keptNights = 3;
  for (const [index, slot] of eight.entries()) {
    // An attempt that nobody finished goes with its night.
    if (index === 1) {
      await write(`runs/${slot}/20261102T000000000Z-lost/facts/night.json.gz`, 'abandoned');
    }
    await runNight(made.order(slot), made.parts(here.store));
    const wanted = eight.slice(Math.max(0, index - 2), index + 1);
    expect(await kept()).toEqual({ runs: wanted, copies: wanted });
    expect(await verifyRuns(here.store)).toMatchObject({ nights: wanted.length, damage: [] });
  }
  const keys = await keysOf(here.store);
  for (const slot of eight.slice(5)) {
    expect(keys.filter((key) => key.includes(`date=${slot}`))).toHaveLength(tables.length);
  }
  const removed = eight[2] ?? '';
  expect(await verifyRuns(here.store, { slot: removed })).toMatchObject({
    damage: [{ code: 'night-unknown', message: expect.stringContaining(removed) }],
  });
  const rebuilt = rebuildRun(here.store, removed, { target: here.store, tables, rules: sourceRules });
  await expect(rebuilt).rejects.toMatchObject({ code: 'night-unknown' });
});

test('the last whole run of a source goes with its time, and its rows are shown until the source answers again', async () => {
  const made = companyOfAllTables();
  made.keptNights = 2;
  const [oldest = '', ...others] = eight;
  await runNight(made.order(oldest), made.parts(here.store));
  made.away.add('windows');
  for (const slot of others) {
    await runNight(made.order(slot), made.parts(here.store));
  }
  expect(await kept()).toEqual({ runs: eight.slice(-2), copies: eight.slice(-2) });
  expect(await verifyRuns(here.store)).toMatchObject({ nights: 2, damage: [] });
  const { reports = {} } = (await look(here.path)) ?? {};
  const shown = reports['devices.csv']?.split('\n').filter((line) => line.includes(',windows,windows,')) ?? [];
  expect(shown.filter((line) => line.includes(`,${oldest},`))).toHaveLength(made.devices);

  const last = eight.at(-1) ?? '';
  const target = createFolderStore(join(here.path, '../rebuilt'));
  await rebuildRun(here.store, last, { target, tables, rules: sourceRules });
  expect((await target.read('devices.csv'))?.toString()).toBe(reports['devices.csv']);
  const keys = (await keysOf(here.store)).filter((name) => name.startsWith(`runs/${last}/`));
  expect(keys.filter((key) => key.includes('/facts/carried/'))).toHaveLength(1);
  for (const key of keys) {
    const path = join(here.path, key);
    const body = await readFile(path);
    await writeFile(path, Buffer.concat([body, Buffer.from('x')]));
    expect((await damageIn(here.store)).join()).toContain(key);
    await writeFile(path, body);
  }

  made.away.clear();
  const back = slots[8] ?? '';
  const { night, exit } = await runNight(made.order(back), made.parts(here.store));
  expect([exit, night?.sources.map(({ baseline }) => baseline)]).toEqual([0, [last, oldest]]);
  expect(await verifyRuns(here.store)).toMatchObject({ nights: 2, damage: [] });
});

test('a removal that was cut short is no damage, and the next start goes on with it', async () => {
  const made = companyOfAllTables();
  made.keptNights = 2;
  for (const slot of eight.slice(0, 4)) {
    await runNight(made.order(slot), made.parts(here.store));
  }
  let removed = 0;
  const failing = {
    ...here.store,
    remove: async (key: string) => {
      removed += 1;
      if (removed > 20) {
        throw new Error('cut short');
      }
      await here.store.remove(key);
    },
  };
  const [, , , , fifth = ''] = eight;
  const outcome = await runNight(made.order(fifth), made.parts(failing));
  expect(outcome).toMatchObject({ exit: 3, did: 'published', unfinished: [{ step: 'retention', code: 'unexpected' }] });
  expect(await verifyRuns(here.store)).toMatchObject({ nights: 2, damage: [] });
  expect(await runNight(made.order(fifth), made.parts(here.store))).toMatchObject({ exit: 0, did: 'unchanged' });
  const wanted = eight.slice(3, 5);
  expect(await kept()).toEqual({ runs: wanted, copies: wanted });
});

test('commits stay, and what query engines read goes before what they do not', async () => {
  const made = companyOfAllTables();
  made.keptNights = 1;
  await runNight(made.order(eight[0] ?? ''), made.parts(here.store));
  const removed: string[] = [];
  const noting = {
    ...here.store,
    async remove(key: string) {
      removed.push(key);
      await here.store.remove(key);
    },
  };
  await runNight(made.order(eight[1] ?? ''), made.parts(noting));
  const copies = removed.map((key) => !key.startsWith('runs/'));
  expect(copies.lastIndexOf(true)).toBe(copies.filter(Boolean).length - 1);
  expect(removed.length).toBeGreaterThan(15);
  expect(await readStandingCommit(here.path)).toMatchObject({ number: 2, keptFrom: eight[1] });
  expect(await keysOf(here.store)).toContain('commits/0000000001.json');
});

test('a run that may not be removed keeps no other [S14]', async () => {
  const made = companyOfAllTables();
  made.keptNights = 2;
  const held = eight[0] ?? '';
  const holding = {
    ...here.store,
    remove: (key: string) => (key.includes(held) ? Promise.reject(new Error('legal hold')) : here.store.remove(key)),
  };
  for (const slot of eight.slice(0, 4)) {
    await runNight(made.order(slot), made.parts(holding));
  }
  expect((await kept()).runs).toEqual([held, ...eight.slice(2, 4)]);
  const outcome = await runNight(made.order(eight[4] ?? ''), made.parts(holding));
  expect(outcome).toMatchObject({
    ...{ exit: 3, did: 'published' },
    unfinished: [{ step: 'retention', message: expect.stringContaining(`The run of ${held}`) }],
  });
  expect(await verifyRuns(here.store)).toMatchObject({ nights: 2, damage: [] });
});

test('a run that is healed after the one before it was let go still shows the rows that it carried', async () => {
  const made = companyOfAllTables();
  made.keptNights = 1;
  const [one = '', two = ''] = eight;
  await runNight(made.order(one), made.parts(here.store));
  made.away.add('windows').add('macs');
  await runNight(made.order(two), made.parts(here.store));
  made.away.delete('macs');
  expect(await runNight(made.order(two), made.parts(here.store))).toMatchObject({ exit: 3, did: 'published' });
  const devices = (await look(here.path))?.reports['devices.csv'] ?? '';
  expect(devices.split('\n').filter((row) => row.includes(',windows,'))).toHaveLength(made.devices);
});

test('nothing that was let go is missing after the run that let it go is retracted [R26]', async () => {
  const made = companyOfAllTables();
  made.keptNights = 2;
  const night = (slot = '') => runNight({ ...made.order(slot), isChosen: true }, made.parts(here.store));
  await night(eight[0]);
  made.shrunk.add('windows');
  for (const slot of eight.slice(1, 4)) {
    await night(slot);
  }
  made.shrunk.clear();
  expect(await night(eight[4])).toMatchObject({ exit: 0 });
  const retraction = { slot: eight[4] ?? '', by: 'ada', why: 'a test' };
  expect(await retractRun(retraction, made.parts(here.store))).toMatchObject({ exit: 0 });
  made.shrunk.add('windows');
  for (const slot of eight.slice(5, 7)) {
    expect(await night(slot)).toMatchObject({ exit: 3, did: 'published' });
    expect((await verifyRuns(here.store)).damage).toEqual([]);
  }
});

async function write(key: string, text: string): Promise<void> {
  await mkdir(dirname(join(here.path, key)), { recursive: true });
  await writeFile(join(here.path, key), text);
}
