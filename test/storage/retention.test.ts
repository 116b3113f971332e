/** The rules of retention, each alone: what is removed, in which order, and what a refusal stops. */
import { describe, expect, test } from 'vitest';
import { type ErrorCode, MusterError } from '../../src/base/errors.ts';
import { applyRetention } from '../../src/storage/runs/retention.ts';
import type { Store } from '../../src/storage/store.ts';
import { first, makeStore, packStateHead, readRunThatStands, second, third, writeCommit } from './written-runs.ts';

const [fourth, fifth, last] = ['2026-11-04', '2026-11-05', '2026-11-06'];

/** Five runs, a file and a copy each, and a last one that says from which slot on runs are kept. */
async function writeRuns({ keptFrom = last, baseline = '' } = {}): Promise<Store> {
  const store = makeStore();
  const source = { kind: 'jamf', departed: [], provisional: { nights: [] }, instrumentMemory: {} };
  const sources = [
    { ...source, name: 'macs', ...(baseline !== '' && { baseline: { slot: baseline, instrument: {} } }) },
    { ...source, name: 'windows' },
  ];
  for (const slot of [first, second, third, fourth, fifth]) {
    await writeCommit(store, slot, { files: { 'facts/a': 'x' } });
    await store.put(`unenrolled/date=${slot}/unenrolled.csv`, Buffer.from('x'));
  }
  const files = { 'state.json.gz': packStateHead({ sources }) };
  await writeCommit(store, last, { files, keptFrom });
  return store;
}

/** The keys in the order in which they are removed; those that are refused, too. */
async function noteRemovals(store: Store, refuse: (key: string) => unknown = () => undefined) {
  const removed: string[] = [];
  const remove = async (key: string) => {
    removed.push(key);
    const error = refuse(key);
    if (error !== undefined) {
      throw error;
    }
    await store.remove(key);
  };
  const applied = applyRetention({ ...store, remove }, await readRunThatStands(store));
  return {
    removed,
    error: await applied.then(
      () => 'none',
      (reason: unknown) => reason,
    ),
  };
}

const toKeys = (slot: string) => [`unenrolled/date=${slot}/unenrolled.csv`, `runs/${slot}/a/facts/a`];

test('runs before the first slot that is kept go, oldest first, and of each first what query engines read', async () => {
  const store = await writeRuns({ keptFrom: third });
  await store.put(`devices/date=${second}/devices.csv`, Buffer.from('x'));
  await store.put(`runs/${first}/b/c`, Buffer.from('x'));
  const { removed, error } = await noteRemovals(store);
  expect(removed).toEqual([
    ...[...toKeys(first), `runs/${first}/b/c`],
    ...[`unenrolled/date=${second}/unenrolled.csv`, `devices/date=${second}/devices.csv`, `runs/${second}/a/facts/a`],
  ]);
  expect(error).toBe('none');
});

test('a run that is a baseline of a source is kept however old', async () => {
  const { removed } = await noteRemovals(await writeRuns({ keptFrom: fourth, baseline: second }));
  expect(removed).toEqual([first, third].flatMap(toKeys));
});

describe('a run that is not removed', () => {
  const refuse =
    (code: ErrorCode, ...slots: string[]) =>
    (key: string) => {
      const slot = slots.find((one) => key.includes(one));
      return slot && new MusterError(code, `No ${slot}.`, { cause: slot });
    };

  test('keeps no other, and the first one is told', async () => {
    const { removed, error } = await noteRemovals(await writeRuns(), refuse('store-unreachable', first, third));
    const refused = [first, third].map((slot) => toKeys(slot)[1]);
    const all = [first, second, third, fourth, fifth].flatMap(toKeys);
    expect(removed).toEqual(all.filter((key) => !refused.includes(key)));
    expect(error).toMatchObject({
      code: 'store-unreachable',
      message: `The run of ${first} is past its retention and was not removed. No ${first}.`,
      cause: first,
    });
  });

  test.each([
    ['three of them', 'store-unreachable', [first, second, third]],
    ['one for which no time was left', 'deadline', [first]],
  ] as const)('is the last that is tried: %s', async (_, code, tried) => {
    const { removed } = await noteRemovals(await writeRuns(), refuse(code, first, second, third, fourth, fifth));
    expect(removed).toEqual(tried.map((slot) => toKeys(slot)[0]));
  });

  test('for an unexpected reason says of which run that is', async () => {
    const reason = new Error('gone');
    const { error } = await noteRemovals(await writeRuns(), () => reason);
    expect(error).toMatchObject({
      code: 'unexpected',
      message: expect.stringContaining(`Removing the run of ${first} failed: gone`),
      cause: reason,
    });
  });
});
