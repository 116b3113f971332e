/** The rules of the log, each alone: what a reader finds, and which keys tell of a lost run. */
import { describe, expect, test } from 'vitest';
import { requireKeptRun } from '../../src/run/rebuild.ts';
import type { PublishedRun } from '../../src/storage/commits/commit.ts';
import { readCommit, readCurrentRun, readKeptRun } from '../../src/storage/commits/log.ts';
import { findLaterTrace, findTrace } from '../../src/storage/commits/traces.ts';
import { toCommitKey } from '../../src/storage/keys.ts';
import type { Store } from '../../src/storage/store.ts';
import { serializeRecord } from '../../src/storage/stored-json.ts';
import {
  first,
  fourth,
  makeStore,
  makeTwoCommits,
  packStateHead,
  second,
  third,
  toKeptRun,
  writeCommit,
} from './written-runs.ts';

function writeLatest(store: Store, number: number) {
  const rest = { slot: first, attempt: 'a', manifest: toCommitKey(number), sha256: '0'.repeat(64) };
  return store.put('latest.json', serializeRecord({ schema: 3, number, ...rest }));
}

const put = (store: Store, key: string) => store.put(key, Buffer.from('x'));

describe('the current run', () => {
  test('is the newest commit, which one list finds from the number in latest.json on', async () => {
    const store = makeStore();
    for (let number = 1; number <= 30; number += 1) {
      await writeCommit(store, first);
    }
    await writeLatest(store, 28);
    const asked: string[] = [];
    const noting: Store = {
      ...store,
      read: (key) => {
        asked.push(key);
        return store.read(key);
      },
      list: (prefix, after) => {
        asked.push(`${prefix} after ${after}`);
        return store.list(prefix, after);
      },
    };
    expect((await readCurrentRun(noting))?.commit.number).toBe(30);
    expect(asked).toEqual(['latest.json', `commits/ after ${toCommitKey(27)}`, toCommitKey(30)]);
    expect(await readCurrentRun(makeStore())).toBeUndefined();
  });

  test('is not guessed where the commits from the one that latest.json names on are gone', async () => {
    const { store } = await makeTwoCommits();
    await writeLatest(store, 2);
    for (const number of [2, 1]) {
      await store.remove(toCommitKey(number));
      await expect(readCurrentRun(store)).rejects.toMatchObject({
        code: 'log-damaged',
        message: expect.stringContaining(`${toCommitKey(2)} is missing, though latest.json names it. `),
      });
    }
  });

  test('is not read where a newer Muster wrote latest.json, which is named', async () => {
    const { store } = await makeTwoCommits();
    await store.put('latest.json', serializeRecord({ schema: 4 }));
    const message = expect.stringContaining(`latest.json in ${store.name} was written by a newer Muster`);
    await expect(readCurrentRun(store)).rejects.toMatchObject({ code: 'store-newer', message });
  });
});

describe('a run that a later one keeps', () => {
  test('is the commit of its number and SHA-256, or refused', async () => {
    const { store } = await makeTwoCommits();
    const run = (await readCommit(store, 1)) as PublishedRun;
    expect(await readKeptRun(store, toKeptRun(run))).toEqual(run);
    const other = readKeptRun(store, { number: 2, sha256: run.sha256 });
    await expect(other).rejects.toThrow(`${toCommitKey(2)} is not the one that later runs keep`);
    const message = expect.stringContaining(`${toCommitKey(9)} is missing`);
    await expect(readKeptRun(store, { number: 9, sha256: '' })).rejects.toMatchObject({ code: 'log-damaged', message });
  });

  test('is found by its slot in what the current run left: not a removed, a retracted or an unknown one', async () => {
    const store = makeStore();
    await writeCommit(store, '2026-10-31');
    const kept = [await writeCommit(store, first), await writeCommit(store, second, { attempt: 'b' })].map(toKeptRun);
    await writeCommit(store, third);
    const files = { 'state.json.gz': packStateHead({ runs: { kept, retracted: [third] } }) };
    await writeCommit(store, fourth, { files, keptFrom: first });
    const found = async (slot?: string) => (await requireKeptRun(store, slot)).run.commit.number;
    expect([await found(), await found(fourth), await found(second), await found(first)]).toEqual([5, 5, 3, 2]);
    for (const slot of ['2026-10-30', '2026-10-31', third]) {
      await expect(found(slot)).rejects.toMatchObject({
        code: 'night-unknown',
        message: expect.stringContaining(slot),
      });
    }
    await expect(requireKeptRun(makeStore())).rejects.toMatchObject({ code: 'night-unknown' });
  });
});

describe('a trace of a run whose commit is gone', () => {
  /** In a store without commits, and in one whose head is of the second slot. */
  test.each([
    [`runs/${third}/attempt/facts/before.json.gz`, true, false],
    [`runs/${third}/attempt/facts/before.json.gz.part`, false, false],
    [`runs/${third}/attempt/facts/night.json.gz`, false, false],
    [`old/runs/${third}/attempt/facts/before.json.gz`, false, false],
    ['latest.json', true, false],
    ['latest.json.part', false, false],
    ['latest/devices.csv', true, false],
    ['old/latest/devices.csv', false, false],
    ['deliveries/soc/0000000001.mark.json', true, false],
    ['deliveries/soc/0000000001-1.claim.json', true, false],
    [`deliveries/soc/failed-${first}-0000000000-deadline.json`, false, false],
    [`devices/date=${third}/devices.csv`, true, true],
    [`devices/date=${second}/devices.csv`, true, false],
    [`devices/date=${first}/devices.csv`, true, false],
    ['notes.txt', false, false],
  ])('%s: %s without any commit, otherwise %s', async (key, isWithout, isWith) => {
    const store = makeStore();
    await writeCommit(store, first, { files: { 'reports/devices.csv': 'x' } });
    const head = await writeCommit(store, second, { attempt: 'attempt', files: { 'reports/devices.csv': 'x' } });
    await put(store, key);
    expect(await findTrace([key])).toBe(isWithout ? key : undefined);
    expect(await findLaterTrace(store, head, [])).toBe(isWith ? key : undefined);
    // A retracted slot may still have copies and marks.
    expect(await findLaterTrace(store, head, [third])).toBeUndefined();
  });

  test('is looked for after the head’s slot, and not in the whole store', async () => {
    const store = makeStore();
    const head = await writeCommit(store, first, { files: { 'reports/devices.csv': 'x' } });
    const lists: string[] = [];
    const noting: Store = {
      ...store,
      list: (prefix, after) => {
        lists.push(`${prefix}* after ${after}`);
        return store.list(prefix, after);
      },
    };
    expect(await findLaterTrace(noting, head, [])).toBeUndefined();
    expect(lists).toEqual([`devices/* after devices/date=${first}/~`]);
  });
});
