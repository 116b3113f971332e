/** The rules of retention, each alone: what is removed, in which order, and what a refusal stops. */
import { expect, test } from 'vitest';
import { type ErrorCode, MusterError } from '../../src/base/errors.ts';
import { applyRetention } from '../../src/storage/runs/retention.ts';
import type { Store } from '../../src/storage/store.ts';
import { fifth, first, fourth, makeStore, readRunThatStands, second, third, writeCommit } from './written-runs.ts';

const last = '2026-11-06';
const [copy, file] = [
  (slot: string) => `unenrolled/date=${slot}/unenrolled.csv`,
  (slot: string) => `runs/${slot}/a/facts/a`,
];

/** Five runs with a file and a copy each, and a last one that says from which slot on runs are kept. */
async function writeRuns(keptFrom = last): Promise<Store> {
  const store = makeStore();
  for (const slot of [first, second, third, fourth, fifth]) {
    await writeCommit(store, slot, { files: { 'facts/a': 'x' } });
    await store.put(copy(slot), Buffer.from('x'));
  }
  await writeCommit(store, last, { keptFrom });
  return store;
}

/** The keys in the order in which their removal was tried, and the reason that was thrown at the end. */
async function expire(store: Store, refused: Readonly<Record<string, Error>> = {}) {
  const tried: string[] = [];
  const remove = (key: string) => {
    tried.push(key);
    const reason = Object.entries(refused).find(([slot]) => key.includes(slot))?.[1];
    return reason === undefined ? store.remove(key) : Promise.reject(reason);
  };
  const expiring = applyRetention({ ...store, remove }, await readRunThatStands(store));
  const thrown: unknown = await expiring.catch((reason: unknown) => [reason]);
  return { tried, thrown };
}

test('runs before the first slot that is kept go, oldest first, and of each first what query engines read', async () => {
  const store = await writeRuns(third);
  const other = `devices/date=${second}/devices.csv`;
  await store.put(other, Buffer.from('x'));
  const tried = [copy(first), file(first), copy(second), other, file(second)];
  expect(await expire(store)).toEqual({ tried, thrown: undefined });
});

const away = (code: ErrorCode) => new MusterError(code, 'Away.', { cause: 'gone' });
const refuseAll = (reason: MusterError) =>
  Object.fromEntries([first, second, third, fourth].map((slot) => [slot, reason]));
const others = [second, fourth, fifth].flatMap((slot) => [copy(slot), file(slot)]);
test.each([
  [
    'keeps no other',
    { [first]: away('store-unreachable'), [third]: away('key-taken') },
    [copy(first), copy(third), ...others],
  ],
  [
    'is the last that is tried where it is the third',
    refuseAll(away('store-unreachable')),
    [first, second, third].map(copy),
  ],
  ['is the last that is tried where no time is left', refuseAll(away('deadline')), [copy(first)]],
])('a run that is not removed %s, and the first one is told', async (_, refused, tried) => {
  const found = await expire(await writeRuns(), refused);
  expect(found.tried.toSorted()).toEqual(tried.toSorted());
  const message = `The run of ${first} is past its retention and was not removed. Away.`;
  expect(found.thrown).toMatchObject([{ code: refused[first]?.code, message, cause: 'gone' }]);
});

test('a run that is not removed for an unexpected reason is named, too', async () => {
  const message = expect.stringMatching(`^The run of ${first} .* Removing the run of ${first} failed: gone`);
  expect((await expire(await writeRuns(), { [first]: new Error('gone') })).thrown).toMatchObject([{ message }]);
});
