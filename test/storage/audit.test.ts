/** The same commits in an audit store: which it gets, in which order, and what stops that. */
import { describe, expect, test } from 'vitest';
import { MusterError } from '../../src/base/errors.ts';
import { keepCommits } from '../../src/storage/commits/audit.ts';
import type { PublishedRun } from '../../src/storage/commits/commit.ts';
import { readCommit } from '../../src/storage/commits/log.ts';
import { toCommitKey } from '../../src/storage/keys.ts';
import type { Store } from '../../src/storage/store.ts';
import { serializeRecord } from '../../src/storage/stored-json.ts';
import { makeTwoCommits, second, writeCommit } from './written-runs.ts';

const text = async (store: Store, key: string) => (await store.read(key))?.toString();

describe('an audit store', () => {
  const head = async (store: Store, number = 2) => (await readCommit(store, number)) as PublishedRun;

  test('gets the commits that it lacks, oldest first, each once, as they are', async () => {
    const { store, audit } = await makeTwoCommits();
    const created: string[] = [];
    const noting: Store = {
      ...audit,
      create: (key, written) => {
        created.push(key);
        return audit.create(key, written);
      },
    };
    await keepCommits(store, noting, await head(store));
    await keepCommits(store, noting, await head(store));
    expect(created).toEqual([toCommitKey(1), toCommitKey(2)]);
    expect(await text(audit, toCommitKey(2))).toBe(await text(store, toCommitKey(2)));
  });

  test('is looked at back to where the hashes meet, and no further', async () => {
    const { store, audit } = await makeTwoCommits();
    await keepCommits(store, audit, await head(store));
    const third = await writeCommit(store, second, { attempt: 'b' });
    const fourth = await writeCommit(store, second, { attempt: 'c' });
    const looked: string[] = [];
    const digest = (key: string) => {
      looked.push(key);
      return audit.digest(key);
    };
    await store.remove(toCommitKey(1));
    await keepCommits(store, { ...audit, digest }, fourth);
    expect(looked).toEqual([4, 3, 2].map(toCommitKey));
    expect(await audit.digest(toCommitKey(3))).toBe(third.sha256);
  });

  test('may be written by two at once, or lose an answer', async () => {
    const { store, audit } = await makeTwoCommits();
    const losing: Store = {
      ...audit,
      async create(key, written) {
        await audit.create(key, written);
        throw new Error('lost');
      },
    };
    await keepCommits(store, losing, await head(store));
    expect(await Array.fromAsync(audit.list(''))).toEqual([toCommitKey(1), toCommitKey(2)]);
  });

  test('is tried no more after the first commit that it does not take, and that error is told', async () => {
    const { store, audit } = await makeTwoCommits();
    let tries = 0;
    const create = () => {
      tries += 1;
      return Promise.reject(new MusterError('store-unreachable', 'Away.'));
    };
    await expect(keepCommits(store, { ...audit, create }, await head(store))).rejects.toMatchObject({
      code: 'store-unreachable',
    });
    expect(tries).toBe(1);
    expect(await Array.fromAsync(audit.list(''))).toEqual([]);
  });

  test('keeps what it has where it got another commit before, or meanwhile', async () => {
    const { store, audit } = await makeTwoCommits();
    await audit.put(toCommitKey(1), Buffer.from('{}'));
    const message = expect.stringContaining(`${toCommitKey(1)} differs from its copy in /audit: somebody changed one`);
    await expect(keepCommits(store, audit, await head(store))).rejects.toMatchObject({ code: 'log-damaged', message });
    let digests = 0;
    const late: Store = {
      ...audit,
      digest: (key) => {
        digests += 1;
        return digests <= 2 ? Promise.resolve(undefined) : audit.digest(key);
      },
    };
    await expect(keepCommits(store, late, await head(store))).rejects.toMatchObject({ code: 'key-taken' });
    expect(await text(audit, toCommitKey(1))).toBe('{}');
    expect(await audit.digest(toCommitKey(2))).toBeUndefined();
  });

  test('gets nothing where a commit that it lacks is gone or is another one', async () => {
    const { store, audit } = await makeTwoCommits();
    const run = await head(store);
    const { commit } = await head(store, 1);
    await store.put(toCommitKey(1), serializeRecord({ ...commit, exit: 3 }));
    const keep = () => keepCommits(store, audit, run);
    await expect(keep()).rejects.toThrow(`${toCommitKey(1)} is not the one that later runs keep`);
    await store.remove(toCommitKey(1));
    await expect(keep()).rejects.toThrow(`${toCommitKey(1)} is missing`);
    expect(await Array.fromAsync(audit.list(''))).toEqual([]);
  });
});
