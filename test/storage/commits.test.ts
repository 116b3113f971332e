/** Creating a commit: its fields, who is first, and what an error says. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { MusterError } from '../../src/base/errors.ts';
import { runNight } from '../../src/night.ts';
import type { PublishedRun } from '../../src/storage/commits/commit.ts';
import { type CommitBody, createCommit, makeNextCommit } from '../../src/storage/commits/create-commit.ts';
import { readCommit } from '../../src/storage/commits/log.ts';
import { toCommitKey } from '../../src/storage/keys.ts';
import type { Signer } from '../../src/storage/signing/signer.ts';
import type { TrustedKeys } from '../../src/storage/signing/trusted-keys.ts';
import type { Store } from '../../src/storage/store.ts';
import { serializeRecord } from '../../src/storage/stored-json.ts';
import { company, slots } from '../night/small.ts';
import { first, makeStore, second, writeCommit } from './written-runs.ts';

const text = async (store: Store, key: string) => (await store.read(key))?.toString();
const away = () => Promise.reject(new MusterError('store-unreachable', 'Away.'));

const body: CommitBody = {
  ...{ at: `${second}T05:20:00.000Z`, slot: second, attempt: 'mine', moment: `${second}T05:15:00.000Z` },
  ...{ muster: '1.0.0', exit: 0, sources: [], files: [] },
};

const trust = (key: KeyObject, from: number): TrustedKeys => ({ name: 'keys.pem', keys: [{ key, from }] });

/** A store with one commit, and the two that may follow it. */
async function prepare() {
  const store = makeStore();
  const head = await writeCommit(store, first);
  const mine = await makeNextCommit(body, head, undefined);
  const other = await makeNextCommit({ ...body, attempt: 'of another' }, head, undefined);
  const put = (run: PublishedRun, fields: object = {}) =>
    store.put(toCommitKey(2), serializeRecord({ ...run.commit, ...fields }));
  return { store, head, mine, other, put };
}

describe('a commit', () => {
  test('has the fields of the design, in their order, and latest.json too', async () => {
    const store = makeStore();
    const made = company();
    for (const slot of slots.slice(0, 2)) {
      await runNight(made.order(slot), made.parts(store));
    }
    const commit = JSON.parse((await text(store, 'commits/0000000002.json')) ?? '');
    expect(Object.keys(commit).join(' ')).toBe(
      'schema store number at slot attempt moment muster exit sources files previous',
    );
    expect(commit.schema).toBe(2);
    expect(Object.keys(commit.sources[0])).toEqual(['name', 'soundness', 'receipt']);
    expect(Object.keys(commit.files[0])).toEqual(['key', 'bytes', 'sha256']);
    const latest = JSON.parse((await text(store, 'latest.json')) ?? '');
    expect(Object.keys(latest)).toEqual(['schema', 'slot', 'attempt', 'number', 'manifest', 'sha256']);
    expect(latest).toMatchObject({ schema: 3, number: 2, manifest: 'commits/0000000002.json' });
  });

  test('carries what a person decided and what was let go before its previous one, and its signature last', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const signer: Signer = {
      name: 'test',
      sign: async (signed) => ({ algorithm: 'Ed25519', value: sign(null, signed, privateKey).toString('base64') }),
      readPublicKey: async () => publicKey,
    };
    const decisions = {
      prunes: { by: 'ada' },
      accepts: { by: 'ada', why: 'x' },
      retracts: { slot: first, by: '', why: '' },
    };
    const all = { ...body, ...decisions, replaces: 'a', keptFrom: first };
    const run = await makeNextCommit(all, undefined, { signer, readKeys: async () => trust(publicKey, 1) });
    expect(Object.keys(run.commit).join(' ')).toBe(
      'schema store number at slot attempt moment muster exit sources files keptFrom replaces retracts accepts prunes previous signature',
    );
    const store = makeStore();
    expect(await createCommit(store, run, undefined, {})).toBe(run);
    expect(await readCommit(store, 1)).toEqual(run);
  });

  test('follows its head: the next number, its store, its SHA-256, and nothing that was let go comes back', async () => {
    const store = makeStore();
    const head = await writeCommit(store, first, { store: '7'.repeat(32), keptFrom: '2026-10-20' });
    const previous = { number: 1, sha256: head.sha256 };
    const { commit } = await makeNextCommit(body, head, undefined);
    expect(commit).toMatchObject({ store: '7'.repeat(32), number: 2, previous, keptFrom: '2026-10-20' });
    const keptFrom = async (slot: string) =>
      (await makeNextCommit({ ...body, keptFrom: slot }, head, undefined)).commit.keptFrom;
    expect([await keptFrom('2026-10-10'), await keptFrom('2026-10-30')]).toEqual(['2026-10-20', '2026-10-30']);
    const [one, two] = [
      await makeNextCommit(body, undefined, undefined),
      await makeNextCommit(body, undefined, undefined),
    ];
    expect(one.commit).toMatchObject({ number: 1, previous: null, store: expect.stringMatching(/^[0-9a-f]{32}$/) });
    expect(one.commit).not.toHaveProperty('keptFrom');
    expect(one.commit.store).not.toBe(two.commit.store);
  });

  test('that the settings’ own keys do not accept is not made', async () => {
    const { head } = await prepare();
    const { publicKey } = generateKeyPairSync('ed25519');
    const readKeys = async () => trust(publicKey, 2);
    await expect(makeNextCommit(body, head, { readKeys })).rejects.toMatchObject({
      code: 'signing-failed',
      message: expect.stringContaining('By keys.pem, commit 2 must be signed'),
    });
    const signer: Signer = {
      name: 'test',
      sign: async () => ({ algorithm: 'Ed25519', value: Buffer.alloc(64).toString('base64') }),
      readPublicKey: async () => publicKey,
    };
    await expect(makeNextCommit(body, head, { signer, readKeys })).rejects.toMatchObject({
      message: expect.stringContaining('muster check prints the lines that the file needs'),
    });
  });
});

describe('creating a commit', () => {
  test('is ours where the answer was lost: its own bytes are there', async () => {
    const { store, head, mine } = await prepare();
    let creations = 0;
    const losing: Store = {
      ...store,
      async create(key, written) {
        creations += 1;
        await store.create(key, written);
        throw new MusterError('store-unreachable', 'The answer was lost.');
      },
    };
    expect(await createCommit(losing, mine, head, {})).toBe(mine);
    expect(creations).toBe(1);
    expect(await text(store, toCommitKey(2))).toBe(serializeRecord(mine.commit).toString());
  });

  test('creates the same bytes again after an error, which is no answer, three times in all', async () => {
    for (const [failures, isCreated] of [
      [2, true],
      [3, false],
    ] as const) {
      const { store, head, mine } = await prepare();
      const created: string[] = [];
      const failing: Store = {
        ...store,
        create(key, written) {
          created.push(String(written));
          return created.length <= failures ? away() : store.create(key, written);
        },
      };
      const creating = createCommit(failing, mine, head, {});
      await (isCreated
        ? expect(creating).resolves.toBe(mine)
        : expect(creating).rejects.toMatchObject({ code: 'store-unreachable', message: 'Away.' }));
      expect(created).toEqual(Array.from({ length: 3 }, () => serializeRecord(mine.commit).toString()));
      expect((await readCommit(store, 2))?.sha256).toBe(isCreated ? mine.sha256 : undefined);
    }
  });

  test('is ours where its first creation arrives late, and the second finds the key taken', async () => {
    const { store, head, mine } = await prepare();
    let creations = 0;
    const late: Store = {
      ...store,
      async create(key, written) {
        creations += 1;
        if (creations === 1) {
          return away();
        }
        await store.put(key, written);
        throw new MusterError('key-taken', 'Taken.');
      },
    };
    expect(await createCommit(late, mine, head, {})).toBe(mine);
  });

  test('finds the commit of another run, checked, and changes nothing', async () => {
    const { store, head, mine, other, put } = await prepare();
    await put(other);
    expect(await createCommit(store, mine, head, {})).toEqual(other);
    expect((await readCommit(store, 2))?.sha256).toBe(other.sha256);
    const none = makeStore();
    const [one, two] = [
      await makeNextCommit(body, undefined, undefined),
      await makeNextCommit(body, undefined, undefined),
    ];
    await createCommit(none, one, undefined, {});
    expect(await createCommit(none, two, undefined, {})).toEqual(one);
  });

  const forgeries: Readonly<Record<string, (run: PublishedRun) => object>> = {
    'of another history': () => ({ previous: { number: 1, sha256: '0'.repeat(64) } }),
    'of another store': () => ({ store: '1'.repeat(32) }),
    'of another number': () => ({ number: 3 }),
    'with a field more': () => ({ note: 'x' }),
    'without its fields': () => ({ files: undefined }),
  };
  test.each(Object.entries(forgeries))('refuses a forged commit in its place: one %s', async (_, forge) => {
    const { store, head, mine, other, put } = await prepare();
    await put(other, forge(other));
    await expect(createCommit(store, mine, head, {})).rejects.toMatchObject({
      code: 'log-damaged',
      message: expect.stringContaining(toCommitKey(2)),
    });
  });

  test('refuses an unsigned commit in its place where the settings name keys', async () => {
    const { store, head, mine, other, put } = await prepare();
    await put(other);
    const keys = trust(generateKeyPairSync('ed25519').publicKey, 1);
    await expect(createCommit(store, mine, head, { keys })).rejects.toMatchObject({
      code: 'log-damaged',
      message: expect.stringContaining(`${toCommitKey(2)} carries no signature`),
    });
  });

  test('does not know whether it is published where the key cannot be read', async () => {
    const { store, head, mine } = await prepare();
    let creations = 0;
    const create = () => {
      creations += 1;
      return away();
    };
    const creating = createCommit({ ...store, create, read: away }, mine, head, {});
    await expect(creating).rejects.toMatchObject({
      code: 'publication-unknown',
      message: expect.stringContaining(`Whether the run is published is not known: ${toCommitKey(2)}`),
      cause: { code: 'store-unreachable' },
    });
    expect(creations).toBe(1);
  });
});
