/** What a head is checked beside: an audit store and public keys; and that it is read again before it is refused. */
import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { MusterError } from '../../src/base/errors.ts';
import { toSignedText } from '../../src/storage/commits/check-signatures.ts';
import type { PublishedRun } from '../../src/storage/commits/commit.ts';
import { checkHead } from '../../src/storage/commits/head.ts';
import { formatLatest } from '../../src/storage/commits/latest.ts';
import { requireCommit } from '../../src/storage/commits/log.ts';
import { toCommitKey } from '../../src/storage/keys.ts';
import type { TrustedKey } from '../../src/storage/signing/trusted-keys.ts';
import type { Store } from '../../src/storage/store.ts';
import { serializeRecord } from '../../src/storage/stored-json.ts';
import { first, makeStore, makeThreeCommits, second, writeCommit } from './written-runs.ts';

const put = (store: Store, key: string, text = 'x') => store.put(key, Buffer.from(text));
const number = async (checked: Promise<PublishedRun | undefined>) => (await checked)?.commit.number;
const refused = (sentence: string | RegExp) => ({ code: 'log-damaged', message: expect.stringMatching(sentence) });

describe('a head beside an audit store', () => {
  const copyAll = async (store: Store, audit: Store, ...numbers: number[]) => {
    for (const each of numbers) {
      await audit.put(toCommitKey(each), (await store.read(toCommitKey(each))) ?? Buffer.alloc(0));
    }
  };

  test('stands where the audit has the same, lacks some at its end, or has none', async () => {
    const { store, audit } = await makeThreeCommits();
    for (const each of [1, 2, 3]) {
      expect(await number(checkHead(store, { audit }))).toBe(3);
      await copyAll(store, audit, each);
    }
    expect(await number(checkHead(store, { audit }))).toBe(3);
  });

  test('is refused where the audit is ahead, also of a log that is gone', async () => {
    const { store, audit } = await makeThreeCommits();
    await copyAll(store, audit, 1, 2, 3);
    await store.remove(toCommitKey(3));
    await store.remove('latest.json');
    await expect(checkHead(store, { audit })).rejects.toMatchObject(
      refused('0003.json is missing, though /audit has it'),
    );
    const empty = makeStore('/empty');
    await expect(checkHead(empty, { audit })).rejects.toMatchObject(
      refused('0003.json is missing, though /audit has it'),
    );
  });

  test.each([2, 3])('is refused where the last commit of the audit, %i, differs', async (differing) => {
    const { store, audit } = await makeThreeCommits();
    await copyAll(store, audit, 1, 2, 3);
    for (let each = differing + 1; each <= 3; each += 1) {
      await audit.remove(toCommitKey(each));
    }
    await put(audit, toCommitKey(differing));
    const sentence = `${toCommitKey(differing)} differs from its copy in /audit: somebody changed one of the two`;
    await expect(checkHead(store, { audit })).rejects.toMatchObject(refused(sentence));
  });

  test('stands where the audit does not answer, and any other error of it is told', async () => {
    const { store, audit } = await makeThreeCommits();
    const failing = (error: Error): Store => ({
      ...audit,
      // biome-ignore lint/correctness/useYield: it is refused before there is anything.
      async *list() {
        throw error;
      },
    });
    const away = failing(new MusterError('store-unreachable', 'Away.'));
    expect(await number(checkHead(store, { audit: away }))).toBe(3);
    expect(await checkHead(makeStore(), { audit: away })).toBeUndefined();
    const error = new MusterError('store-unsuited', 'No audit.');
    await expect(checkHead(store, { audit: failing(error) })).rejects.toBe(error);
  });
});

describe('before it is refused, a head is read again', () => {
  /** The first lists of commits lack the newest one, as if they were made before. */
  function lagging(store: Store, lists: number) {
    let listed = 0;
    const late: Store = {
      ...store,
      async *list(prefix, after) {
        listed += 1;
        const keys = await Array.fromAsync(store.list(prefix, after));
        yield* listed <= lists ? keys.slice(0, -1) : keys;
      },
    };
    return { late, listed: () => listed };
  }

  test.each(['latest.json', 'the audit'])('%s is ahead for a moment', async (ahead) => {
    const { store, audit, last } = await makeThreeCommits();
    if (ahead === 'the audit') {
      await store.put('latest.json', formatLatest(await requireCommit(store, 2)));
      await audit.put(toCommitKey(3), serializeRecord(last.commit));
    }
    const once = lagging(store, 1);
    expect(await number(checkHead(once.late, { audit }))).toBe(3);
    expect(once.listed()).toBe(2);
    const always = lagging(store, 9);
    await expect(checkHead(always.late, { audit })).rejects.toMatchObject(refused('0003.json is missing, though'));
    expect(always.listed()).toBe(2);
  });

  test('copies of a first run that another one published meanwhile stand beside no commit for a moment', async () => {
    const store = makeStore();
    await writeCommit(store, first);
    await put(store, 'latest/devices.csv');
    let lists = 0;
    const racing: Store = {
      ...store,
      async *list(prefix, after) {
        lists += 1;
        yield* lists === 1 ? [] : store.list(prefix, after);
      },
    };
    expect(await number(checkHead(racing, {}))).toBe(1);
  });

  test('a store that does not answer is no damage, and is not asked again', async () => {
    const { store } = await makeThreeCommits();
    let reads = 0;
    const read = () => {
      reads += 1;
      return Promise.reject(new MusterError('store-unreachable', 'Away.'));
    };
    await expect(checkHead({ ...store, read }, {})).rejects.toMatchObject({ code: 'store-unreachable' });
    expect(reads).toBe(1);
  });
});

describe('signatures of a head', () => {
  const [one, two] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')];
  const keyOf = (pair: typeof one, from: number): TrustedKey => ({ key: pair.publicKey, from });
  const trust = (keys: readonly TrustedKey[], store?: string) => ({ name: 'keys.pem', keys, store });

  /** Two commits, the second of which is signed by a key, or by none. */
  async function makeSigned(pair: typeof one | undefined) {
    const store = makeStore();
    await writeCommit(store, first);
    const { commit } = await writeCommit(store, second);
    if (pair !== undefined) {
      const value = sign(null, toSignedText(commit), pair.privateKey).toString('base64');
      await store.put(toCommitKey(2), serializeRecord({ ...commit, signature: { algorithm: 'Ed25519', value } }));
    }
    return { store, commit };
  }

  test.each<[string, typeof one | undefined, TrustedKey[], string | undefined]>([
    ['unsigned, before the first key begins', undefined, [keyOf(one, 3)], undefined],
    ['unsigned, where one key begins', undefined, [keyOf(one, 2)], '0002.json carries no signature'],
    ['signed by the key of its number', one, [keyOf(two, 1), keyOf(one, 2)], undefined],
    ['signed by the key that was replaced', one, [keyOf(one, 1), keyOf(two, 2)], '0002.json is not what was signed'],
    ['signed by a key that begins later', one, [keyOf(two, 1), keyOf(one, 3)], '0002.json is not what was signed'],
    ['signed by one of two that begin at once', two, [keyOf(one, 1), keyOf(two, 1)], undefined],
  ])('follow from the keys alone: %s', async (_, pair, keys, sentence) => {
    const { store } = await makeSigned(pair);
    const checking = number(checkHead(store, { keys: trust(keys) }));
    await (sentence === undefined
      ? expect(checking).resolves.toBe(2)
      : expect(checking).rejects.toMatchObject(refused(sentence)));
  });

  test('hold for the store alone that the keys are for', async () => {
    const { store } = await makeSigned(one);
    const check = (id: string) => number(checkHead(store, { keys: trust([keyOf(one, 1)], id.repeat(32)) }));
    expect(await check('0')).toBe(2);
    await expect(check('1')).rejects.toMatchObject(refused('0002.json is not of the store'));
  });

  test('are not asked for without keys, and hold for no other bytes', async () => {
    const { store, commit } = await makeSigned(two);
    expect(await number(checkHead(store, {}))).toBe(2);
    const value = sign(null, toSignedText({ ...commit, exit: 3 }), one.privateKey).toString('base64');
    await store.put(toCommitKey(2), serializeRecord({ ...commit, signature: { algorithm: 'Ed25519', value } }));
    await expect(checkHead(store, { keys: trust([keyOf(one, 1)]) })).rejects.toMatchObject(
      refused('not what was signed'),
    );
  });
});
