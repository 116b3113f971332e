/** The head that a run builds on: how it is checked, and what is refused by name. */
import { describe, expect, test } from 'vitest';
import { MusterError } from '../../src/base/errors.ts';
import type { Commit, PublishedRun } from '../../src/storage/commits/commit.ts';
import { checkHead, readNextCommit } from '../../src/storage/commits/head.ts';
import { formatLatest } from '../../src/storage/commits/latest.ts';
import { toCommitKey } from '../../src/storage/keys.ts';
import type { Store } from '../../src/storage/store.ts';
import { serializeRecord } from '../../src/storage/stored-json.ts';
import { first, fourth, makeStore, makeThreeCommits, second, third, writeCommit } from './written-runs.ts';

const put = (store: Store, key: string, text = 'x') => store.put(key, Buffer.from(text));
const number = async (checked: Promise<PublishedRun | undefined>) => (await checked)?.commit.number;
const refused = (sentence: string | RegExp) => ({ code: 'log-damaged', message: expect.stringMatching(sentence) });

/** The bytes of a commit, changed. */
async function rewrite(store: Store, which: number, change: (text: string) => string) {
  const text = String(await store.read(toCommitKey(which)));
  expect(change(text)).not.toBe(text);
  await put(store, toCommitKey(which), change(text));
  await store.remove('latest.json');
}

describe('a head', () => {
  test('is the newest commit, whatever latest.json says of earlier ones', async () => {
    const { store, last } = await makeThreeCommits();
    expect(await checkHead(store, {})).toEqual(last);
    await writeCommit(store, fourth, { keptFrom: second });
    expect(await number(checkHead(store, {}))).toBe(4);
    for (const latest of ['damaged', JSON.stringify({ ...JSON.parse(String(formatLatest(last))), number: 1 })]) {
      await put(store, 'latest.json', latest);
      expect(await number(checkHead(store, {}))).toBe(4);
    }
    await store.remove('latest.json');
    expect(await number(checkHead(store, {}))).toBe(4);
  });

  test('is none before the first run; attempts alone, and keys that are no commit’s, are no trace of one', async () => {
    const store = makeStore();
    expect(await checkHead(store, { audit: makeStore('/audit') })).toBeUndefined();
    for (const key of ['runs/2026-11-01/a/facts/night.json.gz', 'commits/notes.txt', 'commits/1.json', 'notes.txt']) {
      await put(store, key);
    }
    expect(await checkHead(store, {})).toBeUndefined();
  });

  const harms: readonly (readonly [what: string, found: string, harm: (store: Store) => Promise<unknown>])[] = [
    ['a gap', '0002.json is missing, though later commits are there', (store) => store.remove(toCommitKey(2))],
    [
      'a commit of another number in its place',
      '0004.json is damaged: it is not a commit of that number',
      (store) => store.copy(toCommitKey(3), toCommitKey(4)),
    ],
    [
      'another SHA-256 of the one before',
      '0003.json is not the one that commits/0000000004.json names',
      (store) => writeCommit(store, fourth, { previous: { number: 3, sha256: '0'.repeat(64) } }),
    ],
    [
      'another one before',
      '0004.json does not name the one before it',
      (store) => writeCommit(store, fourth, { previous: { number: 2, sha256: '0'.repeat(64) } }),
    ],
    ['none before', '0004.json does not name the one', (store) => writeCommit(store, fourth, { previous: null })],
    [
      'another store',
      '0004.json is of another store',
      (store) => writeCommit(store, fourth, { keptFrom: first, store: '1'.repeat(32) }),
    ],
    [
      'runs that were let go before',
      '0004.json keeps runs that were let go before',
      (store) => writeCommit(store, fourth, { keptFrom: '2026-10-31' }),
    ],
    [
      'a keptFrom after its own slot',
      '0004.json lets its own run go',
      (store) => writeCommit(store, fourth, { keptFrom: '9999-12-31' }),
    ],
    ['a keptFrom that is gone', '0004.json keeps runs that were', (store) => writeCommit(store, fourth)],
    ['text that is no JSON', '0003.json is damaged: it is not JSON', (store) => rewrite(store, 3, () => '{')],
    [
      'a field of another type',
      '0003.json is damaged: its exit is not what it should be',
      (store) => rewrite(store, 3, (text) => text.replace('"exit": 0', '"exit": 1')),
    ],
    ['a damaged one before', '0002.json is damaged: it is not JSON', (store) => rewrite(store, 2, () => '{')],
    [
      'a changed one before',
      '0002.json is not the one that commits/0000000003.json names',
      (store) => rewrite(store, 2, (text) => text.replace('"exit": 0', '"exit": 3')),
    ],
  ];
  const canonical = 'it is not written as Muster writes it';
  const spellings: Readonly<Record<string, (text: string) => string>> = {
    'other spaces': (text) => text.replace('"exit": 0', '"exit":  0'),
    'one line': (text) => JSON.stringify(JSON.parse(text)),
    'no line end': (text) => text.trimEnd(),
    'another line end': (text) => text.replaceAll('\n', '\r\n'),
    'a number with a fraction': (text) => text.replace('"number": 3', '"number": 3.0'),
    'a number with an exponent': (text) => text.replace('"number": 3', '"number": 3e0'),
    'a field twice': (text) => text.replace('"exit": 0', '"exit": 0,\n  "exit": 0'),
    'files twice': (text) => text.replace('"files": []', '"files": [],\n  "files": []'),
    'a field that nobody knows': (text) => text.replace('"exit": 0', '"exit": 0,\n  "note": "x"'),
    'fields in another order': (text) => text.replace('"schema": 2,\n', '').replace('"exit"', '"schema": 2,\n  "exit"'),
    'an escaped letter': (text) => text.replace('"attempt": "a"', '"attempt": "\\u0061"'),
    'a deep field': (text) => text.replace('"exit"', `"note": ${'['.repeat(900)}${']'.repeat(900)},\n  "exit"`),
  };
  test.each([
    ...harms,
    ...Object.entries(spellings).map(
      ([what, change]) => [what, canonical, (store: Store) => rewrite(store, 3, change)] as const,
    ),
  ])('is refused by name: %s', async (_, sentence, harm) => {
    const { store } = await makeThreeCommits();
    await harm(store);
    await expect(checkHead(store, {})).rejects.toMatchObject(refused(sentence));
    await expect(checkHead(store, {})).rejects.toThrow(`The log of ${store.name} cannot be trusted: `);
  });

  test('that is the first, and names one before it, is refused', async () => {
    const store = makeStore();
    await writeCommit(store, first, { previous: { number: 1, sha256: '0'.repeat(64) } });
    await expect(checkHead(store, {})).rejects.toMatchObject(
      refused('0001.json is the first, and names one before it'),
    );
  });

  test.each([
    ['commits/0000000003.json', 'store-newer', 3],
    ['commits/0000000003.json', 'store-older', 1],
    ['latest.json', 'store-newer', 4],
    ['latest.json', 'store-older', 2],
  ])('is not read where %s is of another version: %s', async (key, code, schema) => {
    const { store } = await makeThreeCommits();
    await store.put(key, serializeRecord({ schema }));
    await expect(checkHead(store, {})).rejects.toMatchObject({ code, message: expect.stringContaining(key) });
  });

  test('vouches for the log behind it, which verification reads whole', async () => {
    const { store } = await makeThreeCommits();
    await store.remove(toCommitKey(1));
    expect(await number(checkHead(store, {}))).toBe(3);
  });

  test('is refused where latest.json is ahead of it, or names another of its number', async () => {
    const { store, last } = await makeThreeCommits();
    await store.remove(toCommitKey(3));
    await expect(checkHead(store, {})).rejects.toMatchObject(refused('0003.json is missing, though latest.json names'));
    await writeCommit(store, third, { keptFrom: first, attempt: 'another' });
    await expect(checkHead(store, {})).rejects.toMatchObject(
      refused('0003.json is not the one that latest.json names'),
    );
    await store.put('latest.json', formatLatest({ ...last, commit: { ...last.commit, number: 4711 } }));
    await expect(checkHead(store, {})).rejects.toMatchObject(refused('0000004711.json is missing, though latest.json'));
  });

  test.each([
    'latest.json',
    'latest/devices.csv',
    `devices/date=${first}/devices.csv`,
    `runs/${first}/a/facts/before.json.gz`,
    'deliveries/soc/0000000001.mark.json',
    'deliveries/soc/0000000001-1.claim.json',
  ])('is not taken for none where there is no log but %s', async (key) => {
    const store = makeStore();
    await put(store, key);
    const sentence = `${key} is of a run that was published, but there is no commit`;
    await expect(checkHead(store, {})).rejects.toMatchObject(refused(sentence));
  });
});

describe('the commit after a head', () => {
  test('is undefined where there is none, and checked like any head where there is one', async () => {
    const { store, last } = await makeThreeCommits();
    expect(await readNextCommit(store, last, {})).toBeUndefined();
    expect(await number(readNextCommit(store, undefined, {}))).toBe(1);
    expect(await number(readNextCommit(store, (await readNextCommit(store, undefined, {})) as PublishedRun, {}))).toBe(
      2,
    );
    const forgeries: Partial<Commit>[] = [{ store: '1'.repeat(32) }, { previous: null }, { number: 9 }];
    for (const forged of forgeries) {
      const { commit } = await writeCommit(makeStore(), fourth);
      const fields = { number: 4, keptFrom: first, previous: { number: 3, sha256: last.sha256 }, ...forged };
      await store.put(toCommitKey(4), serializeRecord({ ...commit, ...fields }));
      await expect(readNextCommit(store, last, {})).rejects.toMatchObject(refused('0004.json'));
    }
  });

  test('is no damage where the store does not answer', async () => {
    const { store, last } = await makeThreeCommits();
    const read = () => Promise.reject(new MusterError('store-unreachable', 'Away.'));
    await expect(readNextCommit({ ...store, read }, last, {})).rejects.toMatchObject({ code: 'store-unreachable' });
  });
});
