/** The log: who is first, what stands, what is built on, and the same commits in an audit store. */
import { describe, expect, test } from 'vitest';
import { MusterError } from '../../src/base/errors.ts';
import { runNight } from '../../src/night.ts';
import { keepCommits } from '../../src/storage/commits/audit.ts';
import { checkLog, requireCurrentRun } from '../../src/storage/commits/check-log.ts';
import {
  appendCommit,
  findRetraction,
  findRun,
  readCurrentRun,
  readPublishedRuns,
} from '../../src/storage/commits/log.ts';
import { toCommitKey } from '../../src/storage/keys.ts';
import type { Store } from '../../src/storage/store.ts';
import { serializeRecord } from '../../src/storage/stored-json.ts';
import { company, slots } from '../night/small.ts';
import {
  first,
  makeStore,
  makeTwoCommits,
  readRunThatStands,
  second,
  third,
  writeCommit,
  writeRetraction,
} from './written-runs.ts';

const text = async (store: Store, key: string) => (await store.read(key))?.toString();

describe('a commit', () => {
  test('is created by one of two, and a lost answer of ours leaves it ours', async () => {
    const store = makeStore();
    const { commit } = await writeCommit(store, first);
    const next = { ...commit, number: 2, stands: 2, attempt: 'mine' };
    const losing: Store = {
      ...store,
      async create(key, body) {
        await store.create(key, body);
        throw new MusterError('store-unreachable', 'The answer was lost.');
      },
    };
    expect(await appendCommit(losing, next)).toBe(true);
    expect(await appendCommit(store, { ...next, attempt: 'of another' })).toBe(false);
    expect(await text(store, toCommitKey(2))).toBe(serializeRecord(next).toString());
    const away = { ...store, create: () => Promise.reject(new MusterError('store-unreachable', 'Away.')) };
    await expect(appendCommit(away, { ...next, number: 3 })).rejects.toMatchObject({ code: 'store-unreachable' });
  });

  test('has the fields of the design, in their order, and latest.json too', async () => {
    const store = makeStore();
    const made = company();
    for (const slot of slots.slice(0, 2)) {
      await runNight(made.order(slot), made.parts(store));
    }
    const commit = JSON.parse((await text(store, 'commits/0000000002.json')) ?? '');
    expect(Object.keys(commit).join(' ')).toBe(
      'schema store number kind at slot attempt moment muster exit sources files stands previous',
    );
    expect(Object.keys(commit.sources[0])).toEqual(['name', 'soundness', 'receipt']);
    expect(Object.keys(commit.files[0])).toEqual(['key', 'bytes', 'sha256']);
    const latest = JSON.parse((await text(store, 'latest.json')) ?? '');
    expect(Object.keys(latest)).toEqual(['schema', 'slot', 'attempt', 'number', 'manifest', 'sha256']);
    expect(latest).toMatchObject({ schema: 2, number: 2, manifest: 'commits/0000000002.json' });
  });
});

describe('what stands', () => {
  test('is the run that the highest commit names, with what was taken back since', async () => {
    const store = makeStore();
    await writeCommit(store, first);
    await writeCommit(store, second);
    await writeRetraction(store, second, 1);
    await writeCommit(store, second, { attempt: 'b' });
    await writeCommit(store, third);
    await writeRetraction(store, third, 4);
    const current = await readRunThatStands(store);
    expect(current).toMatchObject({ commit: { number: 4 }, head: { commit: { number: 6 } } });
    expect(current.retractions.map(({ commit, run }) => [commit.number, run.commit.number])).toEqual([[6, 5]]);
    const runs = await Array.fromAsync(readPublishedRuns(store, current));
    expect(runs.map(({ commit }) => commit.number)).toEqual([4, 1]);
    expect((await findRun(store, current, second))?.commit.attempt).toBe('b');
    expect(await findRun(store, current, third)).toBeUndefined();
    expect((await findRetraction(store, current, third))?.commit.number).toBe(6);
    // It was run again since.
    expect(await findRetraction(store, current, second)).toBeUndefined();
  });

  test('is found with one list from the number in latest.json on', async () => {
    const store = makeStore();
    for (let number = 1; number <= 30; number += 1) {
      await writeCommit(store, first);
    }
    await store.put(
      'latest.json',
      serializeRecord({ schema: 2, slot: first, attempt: 'a', number: 28, manifest: '', sha256: '0'.repeat(64) }),
    );
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
  });

  const harms: readonly (readonly [what: string, found: RegExp, harm: (store: Store) => Promise<unknown>])[] = [
    ['a gap', /0000000001\.json is missing/, (store) => store.remove(toCommitKey(1))],
    [
      'a commit under another number',
      /0000000003\.json is not a commit of that number/,
      (store) => store.copy(toCommitKey(2), toCommitKey(3)),
    ],
    [
      'a commit of another store',
      /0000000003\.json is of another store/,
      (store) => writeCommit(store, third, { store: '1'.repeat(32) }),
    ],
    [
      'a commit that leaves out the one before',
      /0000000002\.json is not the one that .*0000000003\.json names/,
      (store) => writeCommit(store, third, { previous: { number: 1, sha256: '0'.repeat(64) } }),
    ],
    [
      'a run that says that another stands',
      /0000000003\.json names a run that cannot stand/,
      (store) => writeCommit(store, third, { stands: 1 }),
    ],
    ['a later first', /0000000003\.json/, (store) => writeCommit(store, third, { previous: null })],
  ];
  test.each(harms)('is refused, and named: %s', async (_, found, harm) => {
    const store = makeStore();
    await writeCommit(store, first);
    await writeCommit(store, second);
    await harm(store);
    const message = expect.stringMatching(found);
    expect((await checkLog(store)).damage).toContainEqual({ code: 'log-damaged', message });
    await expect(requireCurrentRun(store, {})).rejects.toMatchObject({ code: 'log-damaged', message });
  });

  test('is not read where a newer Muster wrote latest.json, which is named', async () => {
    const store = makeStore();
    await writeCommit(store, first);
    await store.put('latest.json', serializeRecord({ schema: 3 }));
    const message = expect.stringContaining(`latest.json in ${store.name} was written by a newer Muster`);
    await expect(requireCurrentRun(store, {})).rejects.toMatchObject({ code: 'store-newer', message });
  });

  test('is looked at again where another run published meanwhile', async () => {
    const store = makeStore();
    await writeCommit(store, first);
    let lists = 0;
    const racing: Store = {
      ...store,
      async *list(prefix, after) {
        lists += 1;
        const keys = await Array.fromAsync(store.list(prefix, after));
        if (lists === 1) {
          await writeCommit(store, second, { attempt: 'b' });
          await store.put(`runs/${second}/b/delivered/soc-1.json`, Buffer.from('{}'));
        }
        yield* keys;
      },
    };
    expect(await checkLog(racing)).toMatchObject({ damage: [], current: { commit: { slot: second } } });
  });
});

describe('an audit store', () => {
  test('gets the commits that it lacks, oldest first, each once, as they are', async () => {
    const { store, audit } = await makeTwoCommits();
    const created: string[] = [];
    const noting: Store = {
      ...audit,
      create: (key, body) => {
        created.push(key);
        return audit.create(key, body);
      },
    };
    await keepCommits(store, noting, 2);
    await keepCommits(store, noting, 2);
    expect(created).toEqual([toCommitKey(1), toCommitKey(2)]);
    expect(await text(audit, toCommitKey(2))).toBe(await text(store, toCommitKey(2)));
    // Two at once, and one whose answer was lost, make the same.
    const lost = { ...audit, list: () => store.list('none/'), create: () => Promise.reject(new Error('lost')) };
    await keepCommits(store, lost, 2);
  });

  test('that has another commit, or more of them, is the true one', async () => {
    const { store, audit } = await makeTwoCommits();
    await keepCommits(store, audit, 2);
    await audit.put(toCommitKey(2), Buffer.from('{}'));
    expect((await checkLog(store, { audit })).damage).toMatchObject([{ code: 'audit-differs' }]);
    await expect(requireCurrentRun(store, { audit })).rejects.toMatchObject({ code: 'log-damaged' });
    await keepCommits(store, makeStore('/other'), 2);
    await audit.copy(toCommitKey(1), toCommitKey(3));
    await audit.remove(toCommitKey(2));
    expect((await checkLog(store, { audit })).damage).toMatchObject([
      { code: 'audit-missing' },
      { code: 'audit-only' },
    ]);
    await expect(requireCurrentRun(store, { audit })).rejects.toMatchObject({ code: 'log-damaged' });
    // A store that was emptied is no new store.
    await expect(requireCurrentRun(makeStore('/empty'), { audit })).rejects.toMatchObject({ code: 'log-damaged' });
  });

  test('that lacks some, or cannot be read, stops nobody', async () => {
    const { store, audit } = await makeTwoCommits();
    expect(await requireCurrentRun(store, { audit })).toMatchObject({ commit: { number: 2 } });
    const away: Store = {
      ...audit,
      // biome-ignore lint/correctness/useYield: it is refused before there is anything.
      async *list() {
        throw new MusterError('store-unreachable', 'Away.');
      },
    };
    expect((await checkLog(store, { audit: away })).damage).toMatchObject([{ code: 'audit-unreadable' }]);
    expect(await requireCurrentRun(store, { audit: away })).toMatchObject({ commit: { number: 2 } });
  });

  test('gets the others where one is damaged, which is said at the end', async () => {
    const { store, audit } = await makeTwoCommits();
    await store.remove(toCommitKey(1));
    await expect(keepCommits(store, audit, 2)).rejects.toMatchObject({ code: 'store-damaged' });
    expect(await Array.fromAsync(audit.list(''))).toEqual([toCommitKey(2)]);
  });
});
