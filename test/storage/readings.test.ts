/** Readings of the instrument that somebody else put into a store (A9): what is not understood is ignored and said. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readKeptReadings } from '../../src/storage/runs/unpublished.ts';
import { serializeRecord } from '../../src/storage/stored-json.ts';
import { verifyRuns } from '../../src/storage/verify/verify.ts';
import { slots } from '../night/small.ts';
import { openStoreSetup } from './places.ts';
import { readRunThatStands } from './written-runs.ts';

const [first = '', second = ''] = slots;

describe.each(['a folder', 'a bucket'] as const)('in %s', (kind) => {
  let setup: Awaited<ReturnType<typeof openStoreSetup>>;
  beforeEach(async () => {
    setup = await openStoreSetup(kind);
    await setup.night(first);
  });
  afterEach(() => setup.close());

  const reading = { name: 'macs', kind: 'jamf', receipt: { ended: first }, instrument: {}, findings: [] };
  test.each([
    ['of schema 99', 'store-newer', () => serializeRecord({ schema: 99, readings: [] })],
    ['of schema 0', 'store-older', () => serializeRecord({ schema: 0, readings: [] })],
    ['that are no JSON', 'store-damaged', () => Buffer.from('{')],
    ['200,000 in number', 'store-damaged', () => manyReadings(200_000)],
    ['1,001 in number', 'store-damaged', () => manyReadings(1001)],
    [
      'of a million levels',
      'store-damaged',
      () => Buffer.from(`{"schema":1,"readings":${'['.repeat(1e6)}${']'.repeat(1e6)}}`),
    ],
  ])('A9: planted readings %s are passed over, and named', async (_, code, make) => {
    const key = `runs/${first}/x/readings-1.json`;
    await setup.store.put(key, make());
    const warned = nextWarning();
    expect(await setup.night(second)).toMatchObject({ exit: 0, did: 'published' });
    expect(await warned).toMatchObject({ code, message: expect.stringContaining(key) });
    // Verification says the same, and nothing is damaged.
    const { damage, behind } = await verifyRuns(setup.store);
    expect(damage).toEqual([]);
    expect(behind).toEqual([(await warned).message]);
  });

  test('A9: of more than a hundred files of readings no more are read', async () => {
    const one = serializeRecord({ schema: 1, readings: [reading] });
    for (let index = 0; index < 101; index += 1) {
      await setup.store.put(`runs/${first}/x${index}/readings-1.json`, one);
    }
    const warned = nextWarning();
    expect(await setup.night(second)).toMatchObject({ did: 'published' });
    expect(await warned).toMatchObject({ message: expect.stringContaining('more than 100 such files') });
  });

  test('A9: of more than a thousand readings in all no more are read, and long texts are not understood [R29]', async () => {
    const many = serializeRecord({ schema: 1, readings: Array(600).fill(reading) });
    const long = serializeRecord({ schema: 1, readings: [{ ...reading, kind: 'x'.repeat(1001) }] });
    const keys = [many, many, many, long].map(
      (body, index) => [`runs/${first}/x${index}/readings-1.json`, body] as const,
    );
    for (const [key, body] of keys) {
      await setup.store.put(key, body);
    }
    const ignored: string[] = [];
    const kept = await readKeptReadings(setup.store, await readRunThatStands(setup.store), ({ message }) => {
      ignored.push(message);
    });
    expect(kept).toHaveLength(1000);
    expect(ignored).toEqual([expect.stringContaining('x1/readings-1.json is ignored')]);
    for (const [key] of keys.slice(0, 3)) {
      await setup.store.remove(key);
    }
    expect(await setup.night(second)).toMatchObject({ exit: 0, did: 'published' });
    const { damage, behind } = await verifyRuns(setup.store);
    expect(damage).toEqual([]);
    expect(behind).toEqual([expect.stringContaining('readings.0.kind is not what it should be')]);
  });

  test('A9: verification names readings of no run, wherever below its slot, without damage [R29]', async () => {
    const names = ['x/readings-2.json', 'x/readings-01.json', 'x/y/readings-one.json', 'x/y/readings-1.json'];
    const keys = [...names.map((name) => `runs/${first}/${name}`), 'runs/never/x/readings-1.json'];
    for (const key of keys) {
      await setup.store.put(key, serializeRecord({ schema: 1, readings: [reading] }));
    }
    const { damage, behind } = await verifyRuns(setup.store);
    expect(damage).toEqual([]);
    const isNoRuns = (key: string) => !key.endsWith('y/readings-1.json');
    expect(behind.toSorted()).toEqual(
      keys
        .map((key) => `${key} is ${isNoRuns(key) ? 'ignored' : 'of an attempt that was not published'}`)
        .toSorted()
        .map((sentence) => expect.stringContaining(sentence)),
    );
  });

  function manyReadings(count: number): Buffer {
    return serializeRecord({ schema: 1, readings: Array(count).fill(reading) });
  }
});

/** The first warning of this process from now on. */
function nextWarning(): Promise<Error> {
  return new Promise((resolve) => {
    process.once('warning', resolve);
  });
}
