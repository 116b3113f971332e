/** Checking the whole log: what is damage, and by which sentence. */
import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { MusterError } from '../../src/base/errors.ts';
import { checkLog } from '../../src/storage/commits/check-log.ts';
import type { PublishedRun } from '../../src/storage/commits/commit.ts';
import type { LogTrust } from '../../src/storage/commits/head.ts';
import { readCommit } from '../../src/storage/commits/log.ts';
import { toCommitKey } from '../../src/storage/keys.ts';
import type { TrustedKeys } from '../../src/storage/signing/trusted-keys.ts';
import type { Store } from '../../src/storage/store.ts';
import { serializeRecord } from '../../src/storage/stored-json.ts';
import {
  first,
  makeStore,
  makeTwoCommits,
  second,
  third,
  type WrittenCommit,
  writeCommit,
  writeRetraction,
} from './written-runs.ts';

function writeLatest(store: Store, number: number) {
  const rest = { slot: first, attempt: 'a', manifest: toCommitKey(number), sha256: '0'.repeat(64) };
  return store.put('latest.json', serializeRecord({ schema: 3, number, ...rest }));
}

const put = (store: Store, key: string) => store.put(key, Buffer.from('x'));
const away = () => Promise.reject(new MusterError('store-unreachable', 'Away.'));
const check = async (store: Store, trust: LogTrust = {}) =>
  checkLog(store, trust, await Array.fromAsync(store.list('')));
const messagesOf = async (store: Store, trust?: LogTrust) =>
  (await check(store, trust)).damage.map(({ message }) => message);

describe('checking the log', () => {
  const signature = { algorithm: 'Ed25519', value: '' } as const;
  const trust = (...numbers: readonly number[]): TrustedKeys => ({
    name: 'keys.pem',
    keys: numbers.map((from) => ({ from, key: generateKeyPairSync('ed25519').publicKey })),
  });
  const unsigned = (number: number) => `${toCommitKey(number)} carries no signature, which keys.pem asks for.`;
  const forged = (number: number) =>
    `${toCommitKey(number)} is not what was signed, or was not signed by a key that keys.pem lists for that number.`;
  const logs: readonly {
    readonly what: string;
    readonly commits: readonly WrittenCommit[];
    readonly keys?: TrustedKeys;
    readonly lost?: readonly number[];
    readonly damage: readonly string[];
  }[] = [
    { what: 'one that begins to remove runs', commits: [{}, { keptFrom: first }, { keptFrom: second }], damage: [] },
    {
      what: 'a first commit that names one before it',
      commits: [{ previous: { number: 1, sha256: '0'.repeat(64) } }, {}, {}],
      damage: [`${toCommitKey(1)} is the first, and names one before it.`],
    },
    {
      what: 'a gap, and a commit that leaves it out',
      commits: [{}, {}, { previous: { number: 1, sha256: '0'.repeat(64) } }],
      lost: [2],
      damage: [`${toCommitKey(2)} is missing, though later commits are there.`],
    },
    {
      what: 'two gaps, one of them at the beginning',
      commits: [{}, {}, {}, {}, {}],
      lost: [1, 3, 4],
      damage: [
        `${toCommitKey(1)} is missing, though later commits are there.`,
        `${toCommitKey(3)} to ${toCommitKey(4)} are missing, though later commits are there.`,
      ],
    },
    {
      what: 'a commit that keeps what an earlier one removed',
      commits: [{}, { keptFrom: second }, {}],
      damage: [`${toCommitKey(3)} keeps runs that were let go before.`],
    },
    {
      what: 'a commit of another store',
      commits: [{}, {}, { store: '1'.repeat(32) }],
      damage: [`${toCommitKey(3)} is of another store.`],
    },
    {
      what: 'two commits that do not follow',
      commits: [{}, { previous: null }, { previous: { number: 2, sha256: '0'.repeat(64) } }],
      damage: [
        `${toCommitKey(2)} does not name the one before it.`,
        `${toCommitKey(2)} is not the one that ${toCommitKey(3)} names.`,
      ],
    },
    { what: 'signatures, without keys', commits: [{ signature }, {}, { signature }], damage: [] },
    {
      what: 'missing signatures since the first of several keys began',
      commits: [{}, {}, {}],
      keys: trust(2, 3),
      damage: [unsigned(2), unsigned(3)],
    },
    {
      what: 'missing and wrong signatures from the first key on',
      commits: [{}, { signature }, {}],
      keys: trust(1, 2),
      damage: [unsigned(1), forged(2), unsigned(3)],
    },
  ];
  test.each(logs)(
    'says what is wrong with it, and nothing else: $what',
    async ({ commits, keys, lost = [], damage }) => {
      const store = makeStore();
      for (const fields of commits) {
        await writeCommit(store, third, fields);
      }
      for (const number of lost) {
        await store.remove(toCommitKey(number));
      }
      expect(await messagesOf(store, { keys })).toEqual(damage);
    },
  );

  test('takes runs that were retracted, accepted and pruned for sound', async () => {
    const { store } = await makeTwoCommits();
    await writeRetraction(store, second, 1);
    await writeCommit(store, first, { accepts: { by: 'ada', why: 'x' }, replaces: 'a', attempt: 'b' });
    await writeCommit(store, first, { prunes: { by: 'ada' }, replaces: 'b', attempt: 'c', keptFrom: first });
    const { commits, damage } = await check(store);
    expect([damage, commits.size]).toEqual([[], 5]);
  });

  test('names what is no commit, a changed one and the one after it, and foreign keys beside them', async () => {
    const { store } = await makeTwoCommits();
    await writeCommit(store, third);
    await put(store, toCommitKey(4));
    for (const key of ['commits/notes.txt', 'commits/1.json', 'commits/99999999999.json']) {
      await put(store, key);
    }
    const { commit } = (await readCommit(store, 2)) as PublishedRun;
    await store.put(toCommitKey(2), serializeRecord({ ...commit, exit: 3 }));
    expect(await messagesOf(store)).toEqual([
      "commits/1.json is no commit's key.",
      "commits/99999999999.json is no commit's key.",
      "commits/notes.txt is no commit's key.",
      `${toCommitKey(2)} is not the one that ${toCommitKey(3)} names.`,
      `${toCommitKey(4)} is not a commit of that number.`,
    ]);
  });

  test('names a latest.json that is ahead, or names another commit, and a trace only where nothing else is wrong', async () => {
    const { store } = await makeTwoCommits();
    await writeLatest(store, 2);
    expect(await messagesOf(store)).toEqual([`${toCommitKey(2)} is not the one that latest.json names.`]);
    await writeLatest(store, 3);
    const ahead = `${toCommitKey(3)} is missing, though latest.json names it.`;
    expect(await messagesOf(store)).toEqual([ahead]);
    await put(store, 'latest/devices.csv');
    await store.remove(toCommitKey(1));
    await store.remove(toCommitKey(2));
    expect(await messagesOf(store)).toEqual([ahead]);
    await put(store, 'latest.json');
    expect(await messagesOf(store)).toEqual(['latest.json is of a run that was published, but there is no commit.']);
  });

  test('names what a lost run left after the newest commit, in the words of the run that refuses it', async () => {
    const store = makeStore();
    const files = { 'reports/devices.csv': 'x' };
    await writeCommit(store, first, { files });
    await writeCommit(store, second, { files });
    const copy = `devices/date=${third}/devices.csv`;
    await put(store, copy);
    const lost = `${copy} is of a run that was published, but no commit names that run.`;
    expect(await messagesOf(store)).toEqual([lost]);
    // A run that was retracted since may have left it.
    await writeCommit(store, third);
    await writeRetraction(store, third, 2);
    expect(await messagesOf(store)).toEqual([]);
  });

  test('names the store that the public keys are for where there is no log at all', async () => {
    const keys = { ...trust(1), store: '0'.repeat(32) };
    const lost = `there is no commit of the store ${'0'.repeat(32)}, which keys.pem is for.`;
    expect(await messagesOf(makeStore(), { keys })).toEqual([lost]);
    expect(await messagesOf(makeStore(), { keys: trust(1) })).toEqual([]);
  });

  test('says by name that the audit lacks a commit, has another, has more, or is away', async () => {
    const { store, audit } = await makeTwoCommits();
    await put(audit, toCommitKey(2));
    const lacking = `${toCommitKey(1)} is missing in ${audit.name}, which has later ones.`;
    const differing = `${toCommitKey(2)} differs from its copy in ${audit.name}: somebody changed one of the two.`;
    expect(await messagesOf(store, { audit })).toEqual([lacking, differing]);
    await audit.copy(toCommitKey(2), toCommitKey(3));
    const more = `${toCommitKey(3)} is in ${audit.name}, so it was published, but the store has none that can be read.`;
    expect(await messagesOf(store, { audit })).toEqual([lacking, differing, more]);
    expect((await check(store, { audit })).damage.map(({ code }) => code)).toEqual([
      ...['audit-missing', 'audit-differs', 'audit-only'],
    ]);
    const unread = `Nothing was compared with ${audit.name}. Away.`;
    expect(await messagesOf(store, { audit: { ...audit, digest: away } })).toEqual([unread]);
    const refused = new MusterError('store-unsuited', 'Refused.');
    const digest = () => Promise.reject(refused);
    await expect(messagesOf(store, { audit: { ...audit, digest } })).rejects.toBe(refused);
  });
});
