/** The way back from the pointer: which runs are kept, which one stands for a slot, and what is never believed. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { packJson } from '../../src/storage/runs/pack.ts';
import {
  findRun,
  findRunFile,
  findUnfinishedSince,
  readCurrentRun,
  readFacts,
  readOldestKeptSlot,
  readPreviousState,
  readPublishedRuns,
  readRun,
  readRunFile,
  readState,
  readStateHead,
} from '../../src/storage/runs/published-runs.ts';
import type { Store } from '../../src/storage/store.ts';
import {
  listSlots,
  makeStore,
  pointTo,
  publishRuns,
  readRunThatStands,
  type WrittenRun,
  writeRun,
} from './written-runs.ts';

const [first = '', second = '', third = ''] = listSlots(1, 2, 3);

async function listRuns(store: Store): Promise<string[]> {
  const runs = await Array.fromAsync(readPublishedRuns(store, await readRunThatStands(store)));
  return runs.map(({ manifest }) => `${manifest.slot.slice(-2)}${manifest.attempt}`);
}

async function writeOne(run: WrittenRun) {
  const store = makeStore();
  return { store, run: await readRun(store, await writeRun(store, first, run)) };
}

describe('published runs', () => {
  it('are those within retention, newest first, then each baseline night beyond it with its own attempts', async () => {
    const store = makeStore();
    const before = await writeRun(store, first);
    const replaced = await writeRun(store, second, { previous: before });
    const baseline = await writeRun(store, second, { attempt: 'b', previous: replaced });
    let last = baseline;
    for (const slot of listSlots(3, 4, 5)) {
      last = await writeRun(store, slot, { previous: last, published: listSlots(4, 5), baselines: [baseline] });
    }
    await pointTo(store, last);

    expect(await listRuns(store)).toEqual(['05a', '04a', '02b', '02a']);
  });

  it('go back to the first one where the state cannot say how far', async () => {
    const store = makeStore();
    await publishRuns(store, listSlots(1, 2, 3));

    expect(await listRuns(store)).toEqual(['03a', '02a', '01a']);
    expect(await readOldestKeptSlot(store, await readRunThatStands(store))).toBe('');
  });

  it('of a newer Muster are refused, not read as if all were kept', async () => {
    const { store, run } = await writeOne({ published: [first], state: { schema: 4 } });

    await expect(readOldestKeptSlot(store, run)).rejects.toMatchObject({ code: 'store-newer' });
  });

  it('have one that stands for a slot, its last attempt, or none', async () => {
    const store = makeStore();
    const replaced = await writeRun(store, first);
    const healed = await writeRun(store, first, { attempt: 'b', previous: replaced });
    await pointTo(store, await writeRun(store, second, { previous: healed }));
    const current = await readRunThatStands(store);

    expect(await findRun(store, current, first)).toMatchObject({ manifest: { slot: first, attempt: 'b' } });
    expect(await findRun(store, current, third)).toBeUndefined();
    expect(await findRun(store, undefined, first)).toBeUndefined();
  });
});

describe('the run that stands', () => {
  it.each([{ slot: second }, { attempt: 'b' }])('is not believed where the pointer says %j of it', async (more) => {
    const store = makeStore();
    await pointTo(store, await writeRun(store, first), more);

    await expect(readCurrentRun(store)).rejects.toMatchObject({
      code: 'store-damaged',
      message: expect.stringContaining(
        `latest.json in ${store.name} is damaged: it does not agree with runs/${first}/`,
      ),
    });
  });

  it.each([
    ['latest/devices.csv', true],
    [`devices/date=${first}/devices.csv`, true],
    [`not-installed/date=${first}/not-installed.csv`, true],
    [`notes/old-date=${first}.csv`, false],
    ['devices/mine.csv', false],
    [`old/devices/date=${first}/devices.csv`, false],
    ['old/latest/devices.csv', false],
    ['settings/latest.csv', false],
    [`runs/${first}/a/facts/night.json.gz`, false],
  ])('without a pointer, %s shows that one was lost: %s', async (key, isLost) => {
    const store = makeStore();
    await store.put(key, Buffer.from('x'));
    const current = readCurrentRun(store);

    await (isLost
      ? expect(current).rejects.toMatchObject({ code: 'store-pointer-lost', message: expect.stringContaining(key) })
      : expect(current).resolves.toBeUndefined());
  });

  it('without a pointer, was lost where a manifest names one before it, and never was where the first names none', async () => {
    const store = makeStore();
    const link = await writeRun(store, first);
    expect(await readCurrentRun(store)).toBeUndefined();

    await writeRun(store, second, { previous: link });
    await expect(readCurrentRun(store)).rejects.toMatchObject({ code: 'store-pointer-lost' });
  });

  it('is the one of another process that has published its first run since the pointer was looked for', async () => {
    const store = makeStore();
    await store.put('latest/devices.csv', Buffer.from('x'));
    await pointTo(store, await writeRun(store, first));
    let asked = 0;
    const late: Store = {
      ...store,
      async read(key) {
        asked += 1;
        return asked === 1 ? undefined : store.read(key);
      },
    };

    expect(await readCurrentRun(late)).toMatchObject({ manifest: { slot: first } });
  });
});

describe('a file of a run', () => {
  it('is found by its whole name in the run’s own folder', async () => {
    const { store, run } = await writeOne({ files: { 'facts/night.json.gz': 'a', 'x/outbox.json': 'b' } });

    expect(findRunFile(run, 'facts/night.json.gz')?.key).toBe(`runs/${first}/a/facts/night.json.gz`);
    expect(findRunFile(run, 'night.json.gz')).toBeUndefined();
    await expect(readRunFile(store, run, 'outbox.json')).rejects.toMatchObject({
      code: 'store-damaged',
      message: expect.stringContaining(`runs/${first}/a/manifest.json is damaged: it does not name outbox.json.`),
    });
  });
});

describe('a state', () => {
  const source = {
    ...{ name: 'macs', kind: 'jamf', baseline: { slot: first, instrument: {} } },
    ...{ provisional: { nights: [] }, instrumentMemory: {} },
  };
  const lines = (...values: readonly unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');
  const files = (text: string) => ({ 'state/macs.ndjson.gz': gzipSync(text) });

  it('has its head with its devices, which lie beside it by source', async () => {
    const shown = { id: '1', shown: 'I' };
    const state = { sources: [source] };
    const { store, run } = await writeOne({ published: [first], state, files: files(lines(shown)) });

    expect(await readState(store, run)).toMatchObject({
      published: [first],
      sources: [
        { name: 'macs', baseline: { slot: first, devices: [] }, departed: [], provisional: { devices: [shown] } },
      ],
    });
    expect((await readStateHead(store, run)).sources).toEqual([source]);
    expect(await readPreviousState(store, run)).toBeUndefined();
  });

  it('with a line that is none of a state’s is damaged', async () => {
    const state = { sources: [source] };
    const { store, run } = await writeOne({ published: [first], state, files: files(lines({ id: 1 })) });

    await expect(readState(store, run)).rejects.toThrow(
      `runs/${first}/a/state/macs.ndjson.gz is damaged: it has not the shape of a state.`,
    );
  });

  it('is read as an earlier version wrote it, as one text', async () => {
    const earlier = { schema: 2, slot: first, published: [first], history: [], sources: [{ ...source, departed: [] }] };
    const { store, run } = await writeOne({ files: { 'state.json.gz': packJson(earlier) } });

    expect(await readState(store, run)).toMatchObject({ schema: 3, sources: [{ provisional: { nights: [] } }] });
    expect(await readStateHead(store, run)).toMatchObject({ schema: 3, published: [first] });
  });

  it.each([
    ['of a schema that never was', { schema: 0, sources: [] }],
    ['without sources', { schema: 3 }],
    ['of today’s schema in another shape', { schema: 3, slot: first, sources: [], history: [] }],
  ])('%s is damaged', async (_, value) => {
    const { store, run } = await writeOne({ files: { 'state.json.gz': packJson(value) } });

    await expect(readState(store, run)).rejects.toThrow('state.json.gz is damaged: it has not the shape of a state.');
  });

  it('says since when a step of housekeeping could not be done', async () => {
    const told = ['audit', 'copies'].map((step, index) => ({
      ...{ key: `housekeeping:${step}`, kind: 'housekeeping.unfinished', last: third },
      since: [first, second][index],
    }));
    const { store, run } = await writeOne({ published: [first], state: { told } });

    expect(await findUnfinishedSince(store, run, 'copies')).toBe(second);
    expect(await findUnfinishedSince(store, run, 'retention')).toBeUndefined();
    const quiet = await writeOne({ published: [first] });
    expect(await findUnfinishedSince(quiet.store, quiet.run, 'copies')).toBeUndefined();
  });
});

describe('facts', () => {
  const night = { schema: 2, slot: first, sources: [{ name: 'macs', kind: 'jamf' }] };
  const device = { id: '1', platform: 'macos', answers: [] };
  async function readFrom(value: unknown, lines = `${JSON.stringify(device)}\n`) {
    const files = { 'facts/night.json.gz': packJson(value), 'facts/macs.ndjson.gz': gzipSync(lines) };
    const { store, run } = await writeOne({ files });
    return readFacts(store, run);
  }

  it('are the run’s facts, with each source’s devices', async () => {
    const facts = await readFrom(night);
    expect(facts).toMatchObject({ slot: first, sources: [{ name: 'macs', kind: 'jamf' }] });
    expect(facts.sources[0]?.devices.map(({ id }) => id)).toEqual(['1']);
  });

  it('of an earlier version get the operating system of their source', async () => {
    const earlier = { schema: 1, slot: first, sources: [{ name: 'macs', platform: 'macos' }] };
    const facts = await readFrom(earlier, '{"id":"1"}\n{"id":"2"}\n');
    expect(facts).toMatchObject({ schema: 2, sources: [{ kind: 'jamf' }] });
    expect(facts.sources[0]?.devices).toMatchObject([
      { id: '1', platform: 'macos' },
      { id: '2', platform: 'macos' },
    ]);
  });

  it('of a newer Muster are refused by name', async () => {
    await expect(readFrom({ ...night, schema: 3 })).rejects.toMatchObject({
      code: 'store-newer',
      message: expect.stringContaining('(schema 3; this one knows 2)'),
    });
  });

  it.each([
    ['without a list of sources', { ...night, sources: {} }],
    ['that are a list', []],
    ['with a source that is none', { ...night, sources: [null] }],
    ['with a source without a name', { ...night, sources: [{ name: 1 }] }],
    ['of a schema that never was', { ...night, schema: 0 }],
  ])('%s are damaged', async (_, value) => {
    await expect(readFrom(value)).rejects.toThrow('facts/night.json.gz is damaged: it has not the shape of facts.');
  });

  it('with a line that is no device are damaged', async () => {
    await expect(readFrom(night, '{"id":"1","platform":"macos","answers":[]}\n{"id":1}\n')).rejects.toThrow(
      'facts/macs.ndjson.gz is damaged: it has not the shape of facts.',
    );
  });
});
