/** The rules of the log, each alone: which commit stands, what is damage and by which sentence, and what is read for it. */
import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { MusterError } from '../../src/base/errors.ts';
import { keepCommits } from '../../src/storage/commits/audit.ts';
import { checkLog, requireCurrentRun } from '../../src/storage/commits/check-log.ts';
import {
  findRetraction,
  findRun,
  findTrace,
  readCommit,
  readCurrentRun,
  readPublishedRuns,
} from '../../src/storage/commits/log.ts';
import { toCommitKey } from '../../src/storage/keys.ts';
import type { DatedKey } from '../../src/storage/signing/signer.ts';
import type { Store } from '../../src/storage/store.ts';
import { serializeRecord } from '../../src/storage/stored-json.ts';
import {
  first,
  fourth,
  makeStore,
  makeTwoCommits,
  readRunThatStands,
  second,
  third,
  writeCommit,
  writeRetraction,
} from './written-runs.ts';

/** The same store, and what was asked of it. */
function noteRequests(store: Store): { noting: Store; asked: string[] } {
  const asked: string[] = [];
  const noting: Store = {
    ...store,
    read: (key) => {
      asked.push(key);
      return store.read(key);
    },
    list: (prefix, after = '') => {
      asked.push(`${prefix}* after ${after}`);
      return store.list(prefix, after);
    },
  };
  return { noting, asked };
}

function writeLatest(store: Store, number: number) {
  const rest = { slot: first, attempt: 'a', manifest: toCommitKey(number), sha256: '0'.repeat(64) };
  return store.put('latest.json', serializeRecord({ schema: 2, number, ...rest }));
}

const put = (store: Store, key: string) => store.put(key, Buffer.from('x'));
const away = () => Promise.reject(new MusterError('store-unreachable', 'Away.'));

describe('the run that stands', () => {
  const lost: readonly (readonly [what: string, lose: (store: Store) => Promise<unknown>, reason: string])[] = [
    [
      'its newest commit',
      (store) => store.remove(toCommitKey(2)),
      `${toCommitKey(2)} is missing, though latest.json names it`,
    ],
    [
      'the commit that latest.json names, but not the next one',
      async (store) => {
        await writeCommit(store, third);
        await store.remove(toCommitKey(2));
      },
      `${toCommitKey(2)} is missing, though latest.json names it`,
    ],
    [
      'all of its log',
      async (store) => {
        await put(store, `runs/${second}/a/delivered/soc-1.json`);
        for (const key of [toCommitKey(1), toCommitKey(2), 'latest.json']) {
          await store.remove(key);
        }
      },
      `runs/${second}/a/delivered/soc-1.json is of a run that was published, but no commit names that run`,
    ],
  ];
  test.each(lost)('is not guessed by a reader where a store lost %s', async (_, lose, reason) => {
    const store = makeStore();
    await writeCommit(store, first);
    await writeCommit(store, second);
    await writeLatest(store, 2);
    await lose(store);
    await expect(readCurrentRun(store)).rejects.toMatchObject({
      code: 'log-damaged',
      message: expect.stringContaining(`${reason}. `),
    });
  });

  test('is the first one that another run published while a reader looked', async () => {
    const store = makeStore();
    let lists = 0;
    const racing: Store = {
      ...store,
      async *list(prefix, after) {
        lists += 1;
        if (lists === 2) {
          await writeCommit(store, first);
          await put(store, `runs/${first}/a/delivered/soc-1.json`);
        }
        yield* store.list(prefix, after);
      },
    };
    expect((await readCurrentRun(racing))?.commit.slot).toBe(first);
  });

  test('is found without reading a commit twice', async () => {
    const store = makeStore();
    for (const slot of [first, second, third, fourth]) {
      await writeCommit(store, slot);
    }
    await writeRetraction(store, fourth, 3);
    const { noting, asked } = noteRequests(store);
    const runs = await Array.fromAsync(readPublishedRuns(noting, await readRunThatStands(noting)));
    expect(runs.map(({ commit }) => commit.number)).toEqual([3, 2, 1]);
    expect(asked.filter((key) => /^commits\/\d/.test(key))).toEqual([5, 3, 4, 2, 1].map(toCommitKey));
  });

  test('is not read where its commit is gone', async () => {
    const message = expect.stringContaining(`${toCommitKey(9)} is missing`);
    await expect(readCommit(makeStore(), 9)).rejects.toMatchObject({ code: 'log-damaged', message });
  });
});

describe('the run of a slot', () => {
  const files = { 'a.csv': 'a' };
  test.each([
    ['after the first slot that is kept, even without its files', third, true],
    ['of the first slot that is kept, even without its files', second, true],
    ['before it, where its files are left', '2026-10-31', false],
    ['before it, where its files were removed', first, false],
    ['that nobody ran', '2026-10-30', false],
  ])('%s', async (_, slot, isFound) => {
    const store = makeStore();
    for (const each of ['2026-10-31', first, second, third, fourth]) {
      const { commit } = await writeCommit(store, each, { files, ...(each > third && { keptFrom: second }) });
      if (each !== '2026-10-31') {
        await store.remove(commit.files[0]?.key ?? '');
      }
    }
    const found = await findRun(store, await readRunThatStands(store), slot);
    expect(found?.commit.slot).toBe(isFound ? slot : undefined);
  });

  test('is found without its files where no run was ever removed', async () => {
    const store = makeStore();
    const { commit } = await writeCommit(store, first, { files });
    await store.remove(commit.files[0]?.key ?? '');
    expect(await findRun(store, await readRunThatStands(store), first)).toBeDefined();
  });

  test('is known to be taken back when others follow, and is not when it never ran', async () => {
    const store = makeStore();
    await writeCommit(store, first);
    await writeCommit(store, second);
    await writeRetraction(store, second, 1);
    await writeCommit(store, third);
    const current = await readRunThatStands(store);
    const numbers = [first, second, third, '2026-10-01'].map(
      async (slot) => (await findRetraction(store, current, slot))?.commit.number,
    );
    expect(await Promise.all(numbers)).toEqual([undefined, 3, undefined, undefined]);
  });
});

describe('a trace of a run whose commit is gone', () => {
  /** In a store without commits, and in one with commits of the second slot and, after it, of earlier ones. */
  test.each([
    [`runs/${third}/attempt/delivered/soc-1.json`, true, true],
    [`runs/${third}/attempt/claims/soc-1-1.json`, true, true],
    [`runs/${second}/attempt/delivered/soc-1.json`, true, false],
    [`runs/${third}/attempt/facts/before.json.gz`, true, false],
    [`runs/${third}/attempt/facts/before.json.gz.part`, false, false],
    [`runs/${third}/attempt/facts/night.json.gz`, false, false],
    [`runs/${third}/attempt/reports/delivered/a`, false, false],
    [`old/runs/${third}/attempt/delivered/a`, false, false],
    [`old/runs/${third}/attempt/facts/before.json.gz`, false, false],
    ['latest/devices.csv', true, false],
    ['old/latest/devices.csv', false, false],
    [`devices/date=${third}/devices.csv`, true, true],
    [`devices/date=${second}/devices.csv`, true, false],
    [`devices/date=${first}/devices.csv`, true, false],
    ['notes.txt', false, false],
  ])('%s: %s without any commit, otherwise %s', async (key, isWithout, isWith) => {
    const store = makeStore();
    const commits = [
      await writeCommit(store, second, { attempt: 'attempt' }),
      await writeCommit(store, first),
      await writeCommit(store, '2026-10-31'),
    ];
    const reason = `${key} is of a run that was published, but no commit names that run`;
    expect(await findTrace([key], [])).toBe(isWithout ? reason : undefined);
    expect(await findTrace([key], commits)).toBe(isWith ? reason : undefined);
  });
});

describe('checking the log', () => {
  test('lists what a lost run would have left, and not the whole store', async () => {
    const store = makeStore();
    await writeCommit(store, first, { files: { 'reports/devices.csv': 'a' } });
    const lists = async () => {
      const { noting, asked } = noteRequests(store);
      const { damage } = await checkLog(noting);
      return { lists: asked.filter((key) => key.includes('*')), damage: damage.map(({ message }) => message) };
    };
    const expected = [
      `commits/* after ${toCommitKey(0)}`,
      `runs/* after runs/${first}/`,
      `devices/* after devices/date=${first}/~`,
    ];
    expect(await lists()).toEqual({ lists: expected, damage: [] });
    const later = `devices/date=${second}/devices.csv`;
    await put(store, later);
    expect((await lists()).damage).toEqual([`${later} is of a run that was published, but no commit names that run.`]);
  });

  const signature = { algorithm: 'Ed25519', value: '' } as const;
  const key = (from: number, isDated: boolean): DatedKey => ({
    ...{ from, isDated },
    key: generateKeyPairSync('ed25519').publicKey,
  });
  const unsigned = (number: number) => `${toCommitKey(number)} carries no signature, so nobody vouches for it.`;
  const advice = ' If signing begins only now, write "from 4" above the public key in the file that publicKeys names.';
  type Fields = Parameters<typeof writeCommit>[2];
  const logs: readonly {
    readonly what: string;
    readonly commits: readonly [Fields, Fields, Fields];
    readonly keys?: readonly DatedKey[];
    readonly lost?: readonly string[];
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
      lost: [toCommitKey(2)],
      damage: [
        `${toCommitKey(2)} is missing, though later commits are there.`,
        `${toCommitKey(3)} does not name the one before it.`,
      ],
    },
    {
      what: 'a commit that keeps what an earlier one removed',
      commits: [{}, { keptFrom: second }, {}],
      damage: [`${toCommitKey(3)} keeps runs that were removed before.`],
    },
    {
      what: 'one that ends with a retraction',
      commits: [{}, {}, { kind: 'retraction', stands: 1 }],
      damage: [],
    },
    {
      what: 'a retraction for a run that is not there yet',
      commits: [{}, {}, { kind: 'retraction', stands: 9 }],
      damage: [`${toCommitKey(3)} names a run that cannot stand.`],
    },
    {
      what: 'a signature that does not say since when',
      commits: [{ signature }, { signature, signedSince: 1 }, { signature, signedSince: 1 }],
      damage: [`${toCommitKey(1)} does not say since when commits are signed.`],
    },
    {
      what: 'a signature that says that signing began later',
      commits: [
        { signature, signedSince: 2 },
        { signature, signedSince: 1 },
        { signature, signedSince: 1 },
      ],
      damage: [`${toCommitKey(1)} does not say since when commits are signed.`],
    },
    {
      what: 'a missing signature, without keys',
      commits: [{ signature, signedSince: 1 }, {}, { signature, signedSince: 1 }],
      damage: [unsigned(2)],
    },
    {
      what: 'missing signatures since the first of several keys began',
      commits: [{}, {}, {}],
      keys: [key(2, true), key(3, true)],
      damage: [unsigned(2), unsigned(3)],
    },
    {
      what: 'a missing signature where one key has no number',
      commits: [{}, {}, {}],
      keys: [key(2, true), key(1, false)],
      damage: [`${unsigned(3)}${advice}`],
    },
  ];
  test.each(logs)(
    'says what is wrong with it, and nothing else: $what',
    async ({ commits, keys, lost = [], damage }) => {
      const store = makeStore();
      for (const [index, fields] of commits.entries()) {
        await writeCommit(store, [first, second, third][index] ?? '', fields);
      }
      for (const each of lost) {
        await store.remove(each);
      }
      expect((await checkLog(store, { keys })).damage.map(({ message }) => message)).toEqual(damage);
    },
  );

  test('names no trace beside another fault, which it may come of, and refuses with the sentence of the fault', async () => {
    const store = makeStore();
    await writeCommit(store, first);
    await writeLatest(store, 2);
    await put(store, `runs/${second}/a/delivered/soc-1.json`);
    const reason = `${toCommitKey(2)} is missing, though latest.json names it`;
    expect((await checkLog(store)).damage).toEqual([{ code: 'log-damaged', message: `${reason}.` }]);
    await expect(requireCurrentRun(store, {})).rejects.toMatchObject({
      message: expect.stringContaining(`The log of ${store.name} cannot be trusted: ${reason}. Nothing is published`),
    });
  });
});

describe('an audit store', () => {
  test('is tried once where it is away, and its error is the one that is told', async () => {
    const { store, audit } = await makeTwoCommits();
    let tries = 0;
    const create = () => {
      tries += 1;
      return away();
    };
    await expect(keepCommits(store, { ...audit, create }, 2)).rejects.toMatchObject({ code: 'store-unreachable' });
    expect(tries).toBe(1);
  });

  test('keeps what it has where it got another commit meanwhile', async () => {
    const { store, audit } = await makeTwoCommits();
    await audit.put(toCommitKey(1), Buffer.from('{}'));
    const late: Store = { ...audit, list: () => store.list('none/') };
    await expect(keepCommits(store, late, 1)).rejects.toMatchObject({
      code: 'log-damaged',
      message: expect.stringContaining(
        `${toCommitKey(1)} differs from its copy in /audit: somebody changed one of the`,
      ),
    });
  });

  test('is said by name to lack a commit, to have another, to be away, or to be left out for a lost one', async () => {
    const { store, audit } = await makeTwoCommits();
    await audit.put(toCommitKey(2), Buffer.from('{}'));
    const messages = async (by: Store) => (await checkLog(store, { audit: by })).damage.map(({ message }) => message);
    expect(await messages(audit)).toEqual([
      `${toCommitKey(1)} is missing in ${audit.name}; the next run copies it.`,
      `${toCommitKey(2)} differs from its copy in ${audit.name}: somebody changed one of the two.`,
    ]);
    expect(await messages({ ...audit, digest: away })).toEqual([`Nothing was compared with ${audit.name}. Away.`]);
    const refused = new MusterError('store-unsuited', 'Refused.');
    await expect(messages({ ...audit, digest: () => Promise.reject(refused) })).rejects.toBe(refused);
    await store.remove(toCommitKey(1));
    await expect(keepCommits(store, audit, 1)).rejects.toMatchObject({
      message: expect.stringContaining(`it is missing from ${store.name}`),
    });
  });
});
