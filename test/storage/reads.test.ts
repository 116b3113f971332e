/** A run reads a handful of commits, whatever their number: requests to the store are counted with few and with many before. */
import { expect, test } from 'vitest';
import { runNight } from '../../src/night.ts';
import type { Parts } from '../../src/run/parts.ts';
import type { PublishedRun } from '../../src/storage/commits/commit.ts';
import { createCommit, makeNextCommit } from '../../src/storage/commits/create-commit.ts';
import { checkHead } from '../../src/storage/commits/head.ts';
import { formatLatest } from '../../src/storage/commits/latest.ts';
import { toCommitKey } from '../../src/storage/keys.ts';
import { packJson } from '../../src/storage/runs/pack.ts';
import { readStateHead } from '../../src/storage/runs/run-state.ts';
import type { Store } from '../../src/storage/store.ts';
import { serializeRecord } from '../../src/storage/stored-json.ts';
import { verifyRuns } from '../../src/storage/verify/verify.ts';
import { company, slots } from '../night/small.ts';
import { makeStore, readObjects, readRunThatStands, toKeptRun } from './written-runs.ts';

const [first = '', second = ''] = slots;
const day = 86_400_000;

interface Counts {
  /** Each request, with the key it asked for, without what differs from run to run. */
  readonly requests: string[];
  /** Keys that lists gave. */
  listed: number;
}

function counting(store: Store): { store: Store; counts: Counts } {
  const counts: Counts = { requests: [], listed: 0 };
  const note = (what: string, key: string) =>
    counts.requests.push(`${what} ${key.replace(/\/[^/]*-[0-9a-f]{8}\//, '/ATTEMPT/').replace(/\d{10}/, 'NUMBER')}`);
  return {
    counts,
    store: {
      ...store,
      read: (key) => {
        note('read', key);
        return store.read(key);
      },
      stream: (key) => {
        note('stream', key);
        return store.stream(key);
      },
      digest: (key) => {
        note('digest', key);
        return store.digest(key);
      },
      async *list(prefix, after) {
        note('list', prefix);
        for await (const key of store.list(prefix, after)) {
          counts.listed += 1;
          yield key;
        }
      },
    },
  };
}

/** How many runs are kept: each run lets one go. */
const keptNights = 5;

/** A store with so many commits, the last of which is a whole run that kept the ones just before it; and its audit. */
async function makeLong(commits: number) {
  const [store, audit, alone] = [makeStore(), makeStore('/audit'), makeStore('/alone')];
  const made = company();
  made.keptNights = keptNights;
  await runNight(made.order(first), made.parts(alone));
  const model = await readRunThatStands(alone);
  for (const [key, body] of await readObjects(alone)) {
    await (key.startsWith('runs/') ? store.put(key, body) : undefined);
  }
  const { schema: _, store: __, number: ___, previous: ____, ...body } = model.commit;
  const kept: PublishedRun[] = [];
  let head: PublishedRun | undefined;
  for (let left = commits - 1; left > 0; left -= 1) {
    const slot = new Date(Date.parse(first) - left * day).toISOString().slice(0, 10);
    const run = await makeNextCommit({ ...body, slot, attempt: 'a', files: [] }, head, undefined);
    await Promise.all([store, audit].map((each) => createCommit(each, run, head, {})));
    head = run;
    kept.push(run);
  }
  const state = await readStateHead(alone, model);
  const runs = { kept: kept.slice(1 - keptNights).map(toKeptRun) };
  const key = model.commit.files.find((file) => file.key.endsWith('/state.json.gz'))?.key ?? '';
  const file = { key, ...(await store.put(key, packJson({ ...state, runs }))) };
  const files = body.files.map((entry) => (entry.key === key ? file : entry));
  const last = await makeNextCommit({ ...body, files, keptFrom: runs.kept[0]?.slot }, head, undefined);
  await Promise.all([store, audit].map((each) => createCommit(each, last, head, {})));
  await store.put('latest.json', formatLatest(last));
  return { store, audit, made };
}

async function countReads(commits: number) {
  const { store, audit, made } = await makeLong(commits);
  const measure = async (work: (on: Store, beside: Store) => Promise<unknown>) => {
    const [one, two] = [counting(store), counting(audit)];
    await work(one.store, two.store);
    return { store: one.counts, audit: two.counts };
  };
  const check = await measure((on, beside) => checkHead(on, { audit: beside }));
  const run = await measure(async (on, beside) => {
    const parts: Parts = { ...made.parts(on), audit: beside };
    expect(await runNight(made.order(second), parts)).toMatchObject({ exit: 0, did: 'published' });
  });
  expect(await audit.read(toCommitKey(commits + 1))).toEqual(await store.read(toCommitKey(commits + 1)));
  return { check, run, store };
}

const isOfLog = (request: string) => / (commits\/|latest\.json)/.test(request);

test('checking the head and a whole run read as much behind 10 commits as behind 400 and 4,000', async () => {
  const ten = await countReads(10);
  expect(ten.check).toEqual({
    store: { requests: ['read latest.json', 'list commits/', ...Array(2).fill('read commits/NUMBER.json')], listed: 1 },
    audit: { requests: ['list commits/', 'digest commits/NUMBER.json'], listed: 1 },
  });
  // The head, the runs that go, and the one after each step.
  expect(ten.run.store.requests.filter(isOfLog).length).toBeLessThan(16);
  expect(ten.run.store.requests.length).toBeLessThan(70);
  expect(await verifyRuns(ten.store)).toMatchObject({ head: { number: 11, slot: second } });
  for (const commits of [400, 4000]) {
    const { check, run } = await countReads(commits);
    expect({ check, run }, `${commits} commits`).toEqual({ check: ten.check, run: ten.run });
  }
  const { requests, listed } = ten.run.store;
  process.stdout.write(
    `reads: ${requests.filter(isOfLog).length} of the log, ${requests.length} in all and ${listed} listed keys a run, behind 10, 400 and 4,000 commits\n`,
  );
});

test('without latest.json the commits are listed, and no more of them read', async () => {
  const { store } = await makeLong(400);
  for (const latest of ['damaged', String(serializeRecord({ schema: 3 }))]) {
    await store.put('latest.json', Buffer.from(latest));
    const { store: on, counts } = counting(store);
    expect((await checkHead(on, {}))?.commit.number).toBe(400);
    expect([counts.requests.length, counts.listed]).toEqual([4, 400]);
  }
});
