/** What a run writes, in which order, and when it stands: by the pointer alone, whatever a store said of moving it. */
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { MusterError } from '../../src/errors.ts';
import { packJson } from '../../src/storage/runs/pack.ts';
import { decideExitCode, nameAttempt, type Publication, publish, retract } from '../../src/storage/runs/publish.ts';
import { type CurrentRun, readCurrentRun, readRun } from '../../src/storage/runs/published-runs.ts';
import type { Store } from '../../src/storage/store.ts';
import {
  listSlots,
  makeStore,
  pointTo,
  publishRuns,
  readRunThatStands,
  writeRetraction,
  writeRun,
} from './written-runs.ts';

const [first = '', second = '', third = '', fourth = ''] = listSlots(1, 2, 3, 4);

interface Wanted {
  readonly slot?: string;
  readonly currentRun?: CurrentRun | undefined;
  readonly published?: readonly string[];
  readonly baselines?: readonly string[];
  readonly before?: object;
  readonly signer?: Publication['signer'];
}

/** A night without sources, but for what the state says of their baselines. */
function makePublication({ slot = third, currentRun, published = [slot], baselines = [], ...more }: Wanted) {
  const sources = baselines.map((baseline, index) => ({
    ...{ name: `source-${index}`, kind: 'jamf', departed: [], provisional: { nights: [], devices: [] } },
    ...{ baseline: { slot: baseline, devices: [] }, instrumentMemory: {} },
  }));
  const state = { schema: 3, slot, sources, published, history: [] };
  const facts = { schema: 2, slot, moment: `${slot}T05:15:00.000Z`, muster: '1.0.0', sources: [] };
  return {
    ...{ facts, night: { slot, sources: [], state }, tables: [], outbox: { messages: [] }, currentRun },
    ...{ attempt: 'new', before: undefined, ...more },
  } as unknown as Publication;
}

async function publishTo(store: Store, wanted: Wanted = {}) {
  const currentRun = await readCurrentRun(store);
  const published = await publish(store, makePublication({ currentRun, ...wanted }));
  return { published, current: published.isPublished ? await readRunThatStands(store) : undefined };
}

describe('a run that is published', () => {
  it('is the first of its chain, and names nothing that is not there', async () => {
    const { current } = await publishTo(makeStore());
    expect(current?.manifest).toEqual({
      ...{ schema: 1, slot: third, attempt: 'new', generation: 1, moment: `${third}T05:15:00.000Z`, muster: '1.0.0' },
      ...{ exit: 0, sources: [], previous: null, files: expect.any(Array) },
    });
    expect(current?.manifest.files.map(({ key }) => key)).toEqual(
      ['facts/night.json.gz', 'state.json.gz', 'outbox.json'].map((name) => `runs/${third}/new/${name}`),
    );
    expect(current?.pointer).toMatchObject({ schema: 1, slot: third, attempt: 'new', generation: 1 });
    expect(current?.pointer.nonce).toMatch(/^[0-9a-f]{32}$/);
  });

  it('follows the one that stands, and takes its place where that is of the same slot', async () => {
    const store = makeStore();
    const linkOf = await publishRuns(store, [second]);
    expect((await publishTo(store)).current?.manifest).toMatchObject({ generation: 2, previous: linkOf(second) });
    expect((await readRunThatStands(store)).manifest).not.toHaveProperty('replaces');
    const stands = await readRunThatStands(store);
    await publish(store, { ...makePublication({ currentRun: stands }), attempt: 'newer' });
    expect((await readRunThatStands(store)).manifest).toMatchObject({ generation: 3, replaces: 'new' });
  });

  it.each([
    [[], 0],
    [['complete', 'complete'], 0],
    [['complete', 'suspect'], 3],
    [['carried'], 3],
  ] as const)('with sources that are %j ends with %i', (soundnesses, exit) => {
    const sources = soundnesses.map((soundness) => ({ soundness }));
    expect(decideExitCode({ sources } as unknown as Parameters<typeof decideExitCode>[0])).toBe(exit);
  });

  it('has a name that says when it began, and no other has', () => {
    const now = new Date('2026-11-03T05:15:00.123Z');
    expect(nameAttempt(now)).toMatch(/^20261103T051500123Z-[0-9a-f]{8}$/);
    expect(nameAttempt(now)).not.toBe(nameAttempt(now));
  });

  it('carries no signature where the key does not sign, and says why', async () => {
    const error = new MusterError('signing-failed', 'AWS KMS did not sign.');
    const store = makeStore();
    const signer = { name: 'kms:away', sign: () => Promise.reject(error) };
    const { published, current } = await publishTo(store, { signer });
    expect(published).toEqual({ isPublished: true, signingError: error });
    expect(current?.manifest.signature).toBeUndefined();
  });
});

describe('what it was compared with', () => {
  const before = {
    ...{ schema: 3, slot: second, published: [second], history: [] },
    sources: [
      { name: 'macs', kind: 'jamf', departed: [], provisional: { nights: [], devices: [{ id: '1', shown: 'I' }] } },
    ],
  };
  const bytesOf = async (store: Store, name: string) => (await store.read(`runs/${third}/new/${name}`))?.body;

  it.each([
    ['the state of the run before', second, 'state/macs.ndjson.gz'],
    ['what the attempt that it replaces was compared with', third, 'facts/before/macs.ndjson.gz'],
  ])('is kept beside its facts, byte by byte: %s', async (_, slot, name) => {
    const store = makeStore();
    const files = { 'state/macs.ndjson.gz': 'next', 'facts/before/macs.ndjson.gz': 'previous', [name]: 'wanted' };
    await publishRuns(store, [slot], () => ({ files }));
    await publishTo(store, { before });
    expect((await bytesOf(store, 'facts/before/macs.ndjson.gz'))?.toString()).toBe('wanted');
    expect(await bytesOf(store, 'facts/before.json.gz')).toBeDefined();
  });

  it.each([
    ['the state of the run before', second, 'state.json.gz'],
    ['what the attempt that it replaces was compared with', third, 'facts/before.json.gz'],
  ])('is written anew where an earlier version kept it as one text: %s', async (_, slot, name) => {
    const earlier = (wasInstalled: boolean) => {
      const source = { name: 'macs', kind: 'jamf', departed: [], provisional: [{ id: '1', wasInstalled }] };
      return packJson({ schema: 2, slot: first, published: [first], history: [], sources: [source] });
    };
    const store = makeStore();
    const files = { 'state.json.gz': earlier(false), 'facts/before.json.gz': earlier(false), [name]: earlier(true) };
    await publishRuns(store, [slot], () => ({ files }));
    await publishTo(store, { before });
    const body = await bytesOf(store, 'facts/before/macs.ndjson.gz');
    expect(gunzipSync(body ?? '').toString()).toBe('{"id":"1","shown":"I"}\n');
  });

  it('is nothing of a source that the run before did not have', async () => {
    const store = makeStore();
    await publishRuns(store, [second], () => ({ published: [second] }));
    await publishTo(store, { before });
    expect(gunzipSync((await bytesOf(store, 'facts/before/macs.ndjson.gz')) ?? '').toString()).toBe('');
  });

  it('is not believed where it is damaged: then nothing is published', async () => {
    const store = makeStore();
    await publishRuns(store, [second], () => ({ files: { 'state/macs.ndjson.gz': 'x' } }));
    await store.put(`runs/${second}/a/state/macs.ndjson.gz`, Buffer.from('damaged'));
    await expect(publishTo(store, { before })).rejects.toMatchObject({ code: 'store-damaged' });
    expect((await readRunThatStands(store)).manifest.slot).toBe(second);
  });
});

describe('the pointer', () => {
  const failing = (store: Store, more: Partial<Store>): Store => ({ ...store, ...more });
  const error = new MusterError('store-unreachable', 'Away.');

  it('that another run moved stays where it is', async () => {
    const store = makeStore();
    await publishRuns(store, [second]);
    const currentRun = await readRunThatStands(store);
    await publishTo(store, { slot: fourth });
    expect(await publish(store, makePublication({ currentRun }))).toEqual({ isPublished: false });
    expect((await readRunThatStands(store)).manifest.slot).toBe(fourth);
  });

  it('that moved makes the run stand, though the store said that it failed', async () => {
    const store = makeStore();
    const swap: Store['swap'] = async (...swapped) => {
      await store.swap(...swapped);
      throw error;
    };
    expect(await publish(failing(store, { swap }), makePublication({}))).toEqual({ isPublished: true });
  });

  it('that did not move is the error of moving it, also where the store cannot be read', async () => {
    const store = makeStore();
    const swap: Store['swap'] = () => Promise.reject(error);
    await expect(publish(failing(store, { swap }), makePublication({}))).rejects.toBe(error);
    const read: Store['read'] = () => Promise.reject(new MusterError('deadline', 'No time was left.'));
    await expect(publish(failing(store, { swap, read }), makePublication({ slot: fourth }))).rejects.toBe(error);
  });
});

describe('baselines beyond retention', () => {
  const namedIn = (current: CurrentRun | undefined) => current?.manifest.baselines?.map(({ manifest }) => manifest);

  it('are named, once, until nothing is compared with them any more', async () => {
    const store = makeStore();
    const linkOf = await publishRuns(store, [first, second]);
    const wanted = { published: [second, third], baselines: [first, first, third] };
    const { current } = await publishTo(store, wanted);
    expect(current?.manifest.baselines).toEqual([linkOf(first)]);

    // The run that stands names the first one already; the second one is still within reach.
    const { current: next } = await publishTo(store, { slot: fourth, published: [fourth], baselines: [first, second] });
    expect(namedIn(next)).toEqual([linkOf(first).manifest, linkOf(second).manifest]);
    const [fifth = ''] = listSlots(5);
    const { current: last } = await publishTo(store, { slot: fifth, published: [fifth], baselines: [fifth] });
    expect(last?.manifest).not.toHaveProperty('baselines');
  });

  it('are looked for only where there are some', async () => {
    const store = makeStore();
    const linkOf = await publishRuns(store, [first, second]);
    const currentRun = await readRunThatStands(store);
    const read: Store['read'] = (key) =>
      key === linkOf(first).manifest ? Promise.reject(new TypeError('it was read')) : store.read(key);
    const wanted = makePublication({ currentRun, published: [first, second, third], baselines: [second] });
    expect(await publish({ ...store, read }, wanted)).toEqual({ isPublished: true });
  });

  it('are not those within retention', async () => {
    const store = makeStore();
    await publishRuns(store, [first, second]);
    const { current } = await publishTo(store, { published: [first, second, third], baselines: [first, second] });
    expect(current?.manifest).not.toHaveProperty('baselines');
  });

  it('are the run that stands for its slot, and not an attempt that it replaced', async () => {
    const store = makeStore();
    const replaced = await writeRun(store, first);
    const healed = await writeRun(store, first, { attempt: 'b', previous: replaced });
    await pointTo(store, await writeRun(store, second, { previous: healed }));
    const { current } = await publishTo(store, { published: [second, third], baselines: [first] });
    expect(current?.manifest.baselines).toEqual([healed]);
  });

  it('stop no night where an older run is damaged, and stop it where no time is left or something else is wrong', async () => {
    const wanted = { published: [third], baselines: [first] };
    for (const [error, stops] of [
      [new MusterError('store-damaged', 'Damaged.'), false],
      [new MusterError('deadline', 'No time was left.'), true],
      [new TypeError('a bug'), true],
    ] as const) {
      const store = makeStore();
      const linkOf = await publishRuns(store, [first, second]);
      const currentRun = await readRunThatStands(store);
      const read: Store['read'] = (key) => (key === linkOf(first).manifest ? Promise.reject(error) : store.read(key));
      const published = publish({ ...store, read }, makePublication({ currentRun, ...wanted }));
      await (stops ? expect(published).rejects.toBe(error) : expect(published).resolves.toEqual({ isPublished: true }));
    }
  });
});

describe('a retraction', () => {
  it('moves the pointer back to the run before, under a new generation, and keeps what was retracted before', async () => {
    const store = makeStore();
    const linkOf = await publishRuns(store, [first, second, third]);
    const retracted = [await writeRetraction(store, third, linkOf(third))];
    await pointTo(store, linkOf(second), { generation: 4, retracted });
    const again = await writeRetraction(store, second, linkOf(second));
    const before = await readRun(store, linkOf(first));
    expect(await retract(store, await readRunThatStands(store), before, again)).toBe(true);
    expect((await readRunThatStands(store)).pointer).toMatchObject({
      ...{ slot: first, attempt: 'a', generation: 5, ...linkOf(first) },
      retracted: [...retracted, again],
    });
  });

  it('says nothing in the pointer that the manifest of the run before says already', async () => {
    const store = makeStore();
    const gone = await writeRetraction(store, first, await writeRun(store, first, { attempt: 'x' }));
    const linkOf = await publishRuns(store, [second, third], () => ({ retracted: [gone] }));
    const again = await writeRetraction(store, third, linkOf(third));
    await retract(store, await readRunThatStands(store), await readRun(store, linkOf(second)), again);
    expect((await readRunThatStands(store)).pointer.retracted).toEqual([again]);
  });

  it('is named by the next manifest while its slot is kept', async () => {
    for (const [published, expected] of [
      [[second, fourth], 1],
      [[third, fourth], 1],
      [[fourth], undefined],
    ] as const) {
      const store = makeStore();
      const linkOf = await publishRuns(store, [second, third]);
      const retracted = [await writeRetraction(store, third, linkOf(third))];
      await pointTo(store, linkOf(second), { generation: 3, retracted });
      const { current } = await publishTo(store, { slot: fourth, published });
      expect(current?.manifest.retracted?.length).toBe(expected);
    }
  });
});
