/** The rules of retention, each alone: what is removed, in which order, how many, and what a refusal stops. */
import { expect, test } from 'vitest';
import { type ErrorCode, MusterError } from '../../src/base/errors.ts';
import type { KeptRun, OwedWork } from '../../src/core/facts/operations.ts';
import { removeOwedRuns } from '../../src/storage/runs/retention.ts';
import type { Store } from '../../src/storage/store.ts';
import {
  fifth,
  first,
  fourth,
  makeStore,
  readRunThatStands,
  second,
  third,
  toKeptRun,
  writeCommit,
} from './written-runs.ts';

const last = '2026-11-06';
const earlier = [first, second, third, fourth, fifth];
const [copy, report, file] = [
  (slot: string) => `devices/date=${slot}/devices.csv`,
  (slot: string) => `runs/${slot}/a/reports/devices.csv`,
  (slot: string) => `runs/${slot}/a/facts/a`,
];
const keysOf = (slot: string) => [copy(slot), file(slot), report(slot)];

/** Five runs with two files and a copy each, and a last one that says from which slot on runs are kept. */
async function writeRuns(keptFrom = last): Promise<{ store: Store; owed: OwedWork[] }> {
  const store = makeStore();
  const owed: OwedWork[] = [];
  for (const slot of earlier) {
    const run = await writeCommit(store, slot, { files: { 'facts/a': 'x', 'reports/devices.csv': 'x' } });
    await store.put(copy(slot), Buffer.from('x'));
    if (slot < keptFrom) {
      owed.push({ work: 'remove', run: toKeptRun(run) });
    }
  }
  await writeCommit(store, last, { keptFrom });
  return { store, owed };
}

/** The keys in the order in which their removal was tried, the slots that are left, and what is told. */
async function expire(
  { store, owed, kept = [] }: { store: Store; owed: readonly OwedWork[]; kept?: readonly KeptRun[] },
  { maximum = Number.POSITIVE_INFINITY, refused = {} as Readonly<Record<string, Error>> } = {},
) {
  const tried: string[] = [];
  const remove = (key: string) => {
    tried.push(key);
    const reason = Object.entries(refused).find(([slot]) => key.includes(slot))?.[1];
    return reason === undefined ? store.remove(key) : Promise.reject(reason);
  };
  const run = await readRunThatStands(store);
  const { left, problem } = await removeOwedRuns({ ...store, remove }, run, { kept, owed }, maximum);
  expect(left.every((one) => owed.includes(one))).toBe(true);
  return { tried, left: left.map((one) => one.run.slot), problem };
}

test('runs that are owed go, oldest first, and of each first what query engines read; commits stay', async () => {
  const made = await writeRuns(third);
  const tried = [...keysOf(first), ...keysOf(second)];
  expect(await expire(made)).toEqual({ tried, left: [], problem: undefined });
  expect(await Array.fromAsync(made.store.list('commits/'))).toHaveLength(6);
  expect(await made.store.read(report(third))).toBeDefined();
});

test.each([
  [0, []],
  [1, [first]],
  [2, [first, second]],
])('at most %i of them go, and the others are left, whole', async (maximum, gone) => {
  const made = await writeRuns();
  const { tried, left, problem } = await expire(made, { maximum });
  expect([tried, left, problem]).toEqual([gone.flatMap(keysOf), earlier.slice(gone.length), undefined]);
  for (const slot of left) {
    expect(await made.store.read(file(slot))).toBeDefined();
  }
});

test('a run is removed again where it is gone in part, or wholly', async () => {
  const made = await writeRuns(third);
  await made.store.remove(file(first));
  await expire(made);
  expect(await expire(made)).toMatchObject({ tried: [copy(first), copy(second)], left: [], problem: undefined });
});

const away = (code: ErrorCode) => new MusterError(code, 'Away.', { cause: 'gone' });
const refuseAll = (reason: MusterError) => Object.fromEntries(earlier.map((slot) => [slot, reason]));
test.each([
  [
    'keeps no other',
    { [first]: away('store-unreachable'), [third]: away('key-taken') },
    [copy(first), ...keysOf(second), copy(third), ...keysOf(fourth), ...keysOf(fifth)],
    [first, third],
  ],
  [
    'is the last that is tried where it is the third',
    refuseAll(away('store-unreachable')),
    [first, second, third].map(copy),
    earlier,
  ],
  ['is the last that is tried where no time is left', refuseAll(away('deadline')), [copy(first)], earlier],
])('a run that is not removed %s, and the first one is told', async (_, refused, tried, left) => {
  const message = `The run of ${first} is past its retention and was not removed. Away.`;
  const found = await expire(await writeRuns(), { refused });
  expect(found).toMatchObject({ tried, left, problem: { code: refused[first]?.code, message, cause: 'gone' } });
});

test('a run that is not removed for an unexpected reason is named, too', async () => {
  const { problem } = await expire(await writeRuns(), { refused: { [first]: new Error('gone') } });
  expect(problem?.message).toMatch(`Removing the run of ${first} failed: gone`);
  expect(problem?.message).toMatch(new RegExp(`^The run of ${first} `));
});

test('attempts of let-go slots that no commit names go with them, and not those of slots that are kept or owed', async () => {
  const made = await writeRuns(third);
  const orphans = ['2026-10-20', first, second, third, last].map((slot) => `runs/${slot}/killed/facts/a`);
  for (const key of [...orphans, 'runs/2026-10-20x/a', 'runs/notes', '2026-10-20/a']) {
    await made.store.put(key, Buffer.from('x'));
  }
  expect((await expire(made, { maximum: 1 })).tried).toEqual([
    copy(first),
    ...[file(first), report(first), orphans[1]],
    orphans[0],
  ]);
  await expire({ store: made.store, owed: made.owed.slice(1) });
  const left = await Array.fromAsync(made.store.list('runs/'));
  expect(left.filter((key) => orphans.includes(key))).toEqual(orphans.slice(3));
  expect(left).toContain('runs/notes');
});

test('a keptFrom that somebody forged lets nothing go that the state keeps, nor the run itself', async () => {
  const { store, owed } = await writeRuns(second);
  const kept = [second, third, fourth, fifth].map((slot) => ({ slot, number: 1, sha256: '' }));
  await writeCommit(store, last, { attempt: 'b', files: { 'facts/a': 'x' }, keptFrom: '9999-12-31' });
  const orphan = 'runs/2026-10-20/killed/facts/a';
  await store.put(orphan, Buffer.from('x'));
  expect((await expire({ store, owed, kept })).tried).toEqual([...keysOf(first), orphan]);
});

test('a key that is no run’s and sorts first keeps no orphan', async () => {
  const made = await writeRuns(third);
  const orphan = 'runs/2026-10-20/killed/facts/a';
  await made.store.put('runs/0/x', Buffer.from('x'));
  await made.store.put(orphan, Buffer.from('x'));
  expect((await expire(made)).tried.at(-1)).toBe(orphan);
  expect(await made.store.read('runs/0/x')).toBeDefined();
});

test('nothing goes, orphans neither, where nothing may be removed, where one is not, and where no slot was let go', async () => {
  const orphan = 'runs/2026-10-20/killed/facts/a';
  for (const given of [{ maximum: 0 }, { refused: { [first]: away('store-unreachable') } }]) {
    const made = await writeRuns(second);
    await made.store.put(orphan, Buffer.from('x'));
    expect((await expire(made, given)).tried).toEqual('maximum' in given ? [] : [copy(first)]);
  }
  const store = makeStore();
  await writeCommit(store, second);
  await store.put(orphan, Buffer.from('x'));
  expect(await expire({ store, owed: [] })).toEqual({ tried: [], left: [], problem: undefined });
});

test('orphans that are not removed are said', async () => {
  const made = await writeRuns(second);
  await made.store.put('runs/2026-10-20/killed/facts/a', Buffer.from('x'));
  const { left, problem } = await expire(made, { refused: { '2026-10-20': new Error('gone') } });
  expect(left).toEqual([]);
  expect(problem?.message).toContain('Removing attempts that were not published failed: gone');
});

test('a run whose commit is not the one that later runs keep is not removed', async () => {
  const made = await writeRuns(second);
  const [one] = made.owed;
  const forged = [{ work: 'remove' as const, run: { slot: third, number: 3, sha256: '0'.repeat(64) } }];
  expect(await expire({ store: made.store, owed: forged })).toMatchObject({ tried: [], left: [third] });
  expect(one?.run.slot).toBe(first);
});
