/** The rules of copies, each alone: what is copied, what goes, and what earlier runs owe. */
import { expect, test } from 'vitest';
import { MusterError } from '../../src/base/errors.ts';
import type { OwedWork } from '../../src/core/facts/operations.ts';
import { listReports, type PublishedRun } from '../../src/storage/commits/commit.ts';
import { readNextCommit } from '../../src/storage/commits/head.ts';
import { formatLatest } from '../../src/storage/commits/latest.ts';
import { toCommitKey } from '../../src/storage/keys.ts';
import { settleOwedCopies, updateCopies } from '../../src/storage/runs/copies.ts';
import type { Store } from '../../src/storage/store.ts';
import {
  first,
  fourth,
  makeStore,
  readRunThatStands,
  second,
  third,
  toKeptRun,
  writeCommit,
  writeRetraction,
} from './written-runs.ts';

const toCopy = (slot: string) => `devices/date=${slot}/devices.csv`;

/** A run with one report, whose text says the run. */
function writeRun(store: Store, slot: string, attempt = 'a') {
  return writeCommit(store, slot, { attempt, files: { 'reports/devices.csv': `${slot} ${attempt}` } });
}

/** The run of a slot is taken back for the one of a number, with a report of its own. */
function retract(store: Store, slot: string, number: number, of: string) {
  return writeRetraction(store, slot, number, { attempt: 'r', files: { 'reports/devices.csv': `${of} r` } });
}

const textOf = async (store: Store, key: string) => (await store.read(key))?.toString();

/** What each copy by date says. */
async function readCopies(store: Store): Promise<(string | undefined)[]> {
  const keys = await Array.fromAsync(store.list('devices/'));
  return Promise.all(keys.map((key) => textOf(store, key)));
}

async function update(store: Store, on: Store = store, run?: PublishedRun) {
  return updateCopies(on, run ?? (await readRunThatStands(store)), (one) => readNextCommit(on, one, {}));
}

const owe = (work: OwedWork['work'], run: PublishedRun): OwedWork => ({ work, run: toKeptRun(run) });

test('copies are made of a run, and not again where they are sound', async () => {
  const store = makeStore();
  await writeRun(store, first);
  await writeRun(store, second);
  const current = await update(store);
  expect(await readCopies(store)).toEqual([`${second} a`]);
  expect(await textOf(store, 'latest/devices.csv')).toBe(`${second} a`);
  expect(await store.read('latest.json')).toEqual(formatLatest(current));
  const never = () => Promise.reject(new Error('written again'));
  expect(await update(store, { ...store, put: never, copy: never, remove: never })).toEqual(current);
});

test('copies that somebody changed are made anew, and so is latest.json', async () => {
  const store = makeStore();
  const run = await writeRun(store, first);
  await update(store);
  for (const key of [toCopy(first), 'latest/devices.csv', 'latest.json']) {
    await store.put(key, Buffer.from('changed'));
  }
  await update(store);
  expect([await textOf(store, toCopy(first)), await textOf(store, 'latest/devices.csv')]).toEqual([
    `${first} a`,
    `${first} a`,
  ]);
  expect(await store.read('latest.json')).toEqual(formatLatest(run));
});

test('a run that was overtaken before its copies goes on with the later one, and keeps its own by date', async () => {
  const store = makeStore();
  const run = await writeRun(store, first);
  await writeRun(store, second);
  const written: string[] = [];
  const noting: Store = {
    ...store,
    put: (key, body) => {
      written.push(key);
      return store.put(key, body);
    },
    copy: (from, to) => {
      written.push(to);
      return store.copy(from, to);
    },
  };
  expect((await update(store, noting, run)).commit.number).toBe(2);
  expect(written).toEqual([toCopy(first), 'latest.json', toCopy(second), 'latest/devices.csv']);
});

test('copies of whoever published meanwhile win over ours: of the same night, and in latest', async () => {
  const store = makeStore();
  await writeRun(store, second);
  let isOvertaken = false;
  const racing: Store = {
    ...store,
    async copy(from, to) {
      if (!isOvertaken) {
        isOvertaken = true;
        await writeRun(store, second, 'b');
        await writeRun(store, third);
      }
      await store.copy(from, to);
    },
  };
  expect((await update(store, racing)).commit.number).toBe(3);
  expect(await readCopies(store)).toEqual([`${second} b`, `${third} a`]);
  expect(await textOf(store, 'latest/devices.csv')).toBe(`${third} a`);
  expect(JSON.parse(`${await store.read('latest.json')}`)).toMatchObject({ number: 3, slot: third });
});

test('copies of a run that was taken back while they were made go, and stay where it was run again', async () => {
  for (const isRunAgain of [false, true]) {
    const store = makeStore();
    await writeRun(store, first);
    const run = await writeRun(store, second);
    let isOvertaken = false;
    const racing: Store = {
      ...store,
      async copy(from, to) {
        await store.copy(from, to);
        if (!isOvertaken) {
          isOvertaken = true;
          await retract(store, second, 1, first);
          await (isRunAgain && writeRun(store, second, 'b'));
        }
      },
    };
    await update(store, racing, run);
    expect(await readCopies(store)).toEqual([`${first} r`, ...(isRunAgain ? [`${second} b`] : [])]);
    expect(await textOf(store, 'latest/devices.csv')).toBe(isRunAgain ? `${second} b` : `${first} r`);
  }
});

test('a later commit that does not check stops the copies, and nothing of it is copied', async () => {
  const store = makeStore();
  const run = await writeRun(store, first);
  const files = { 'reports/devices.csv': 'forged' };
  await writeCommit(store, second, { files, previous: { number: 1, sha256: '0'.repeat(64) } });
  await expect(update(store, store, run)).rejects.toMatchObject({ code: 'log-damaged' });
  expect(await readCopies(store)).toEqual([]);
  expect(await store.read('latest.json')).toBeUndefined();
});

test('a damaged report is not copied, which is said at the end, when all others are', async () => {
  const store = makeStore();
  const files = { 'reports/coverage.csv': 'coverage', 'reports/devices.csv': 'devices' };
  const [report] = listReports(await writeCommit(store, first, { files }));
  await store.put(report?.key ?? '', Buffer.from('x'));
  const message = expect.stringContaining(`${report?.key} is damaged: its SHA-256 is not the one that was published`);
  await expect(update(store)).rejects.toMatchObject({ code: 'store-damaged', message });
  const copies = (await Array.fromAsync(store.list(''))).filter((key) => !/^(runs|commits)\//.test(key));
  expect(copies).toEqual([toCopy(first), 'latest.json', 'latest/devices.csv']);
});

test('owed copies are made, those of retracted runs go, in their order; nothing else is touched', async () => {
  const store = makeStore();
  const runs = [await writeRun(store, first), await writeRun(store, second), await writeRun(store, third)];
  const [one, two, three] = runs as [PublishedRun, PublishedRun, PublishedRun];
  await store.put(toCopy(second), Buffer.from('old'));
  const done: string[] = [];
  const noting: Store = {
    ...store,
    copy: (from, to) => {
      done.push(to);
      return store.copy(from, to);
    },
    remove: (key) => {
      done.push(key);
      return store.remove(key);
    },
  };
  const owed = [owe('copy', one), owe('retract', two), owe('copy', three)];
  expect(await settleOwedCopies(noting, owed)).toEqual({ left: [], problem: undefined });
  expect(done).toEqual([toCopy(first), toCopy(second), toCopy(third)]);
  expect(await readCopies(store)).toEqual([`${first} a`, `${third} a`]);
  expect(await settleOwedCopies(store, owed)).toEqual({ left: [], problem: undefined });
  expect(await store.read('latest/devices.csv')).toBeUndefined();
});

test('owed work that cannot be done is left, keeps no other, and the first reason is told', async () => {
  const store = makeStore();
  const runs = [first, second, third, fourth].map((slot) => () => writeRun(store, slot));
  const owed: OwedWork[] = [];
  for (const [index, write] of runs.entries()) {
    owed.push(owe(index === 1 ? 'retract' : 'copy', await write()));
  }
  await store.put(`runs/${first}/a/reports/devices.csv`, Buffer.from('x'));
  await store.put(toCopy(second), Buffer.from('old'));
  // Another commit in the place of the one that a later run keeps.
  const { commit } = await writeRun(makeStore(), third);
  await store.put(toCommitKey(3), Buffer.from(`${JSON.stringify({ ...commit, number: 3 }, null, 2)}\n`));
  const remove = () => Promise.reject(new MusterError('store-unreachable', 'Away.'));
  const { left, problem } = await settleOwedCopies({ ...store, remove }, owed);
  expect(left).toEqual(owed.slice(0, 3));
  expect(problem).toMatchObject({ code: 'store-damaged', message: expect.stringContaining(`runs/${first}/a/`) });
  expect(await readCopies(store)).toEqual(['old', `${fourth} a`]);
  const again = await settleOwedCopies(store, left.slice(1));
  expect(again).toMatchObject({ left: [owed[2]], problem: { code: 'log-damaged' } });
  expect(await readCopies(store)).toEqual([`${fourth} a`]);
});

test('an unexpected reason is told with the slot whose copies are owed', async () => {
  const store = makeStore();
  const run = await writeRun(store, first);
  const copy = () => Promise.reject(new Error('gone'));
  const { problem } = await settleOwedCopies({ ...store, copy }, [owe('copy', run)]);
  expect(problem?.message).toContain(`The copies of ${first} failed: gone`);
});
