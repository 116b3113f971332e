/** What verification takes for damage and in which words, each rule alone. */
import { expect, test } from 'vitest';
import { formatLatest } from '../../src/storage/commits/latest.ts';
import { toCommitKey } from '../../src/storage/keys.ts';
import { updateCopies } from '../../src/storage/runs/copies.ts';
import type { Store } from '../../src/storage/store.ts';
import { checkFiles, findForeignFiles, listDatedCopies } from '../../src/storage/verify/check-files.ts';
import { verifyRuns } from '../../src/storage/verify/verify.ts';
import {
  fifth,
  first,
  fourth,
  makeStore,
  packStateHead,
  readRunThatStands,
  second,
  third,
  writeCommit,
  writeRetraction,
} from './written-runs.ts';

const put = (store: Store, key: string, text: string) => store.put(key, Buffer.from(text));

test('a file is damaged where it is gone, or its SHA-256, its size or its rows differ', async () => {
  const store = makeStore();
  const many = { key: 'many', sha256: (await put(store, 'many', 'slot\n1\n\n')).sha256 };
  const one = { key: 'one', sha256: (await put(store, 'one', 'slot\n1\n')).sha256 };
  expect(await checkFiles(store, [many, { ...many, bytes: 8, rows: 2 }, { ...one, rows: 1 }])).toEqual([]);
  const damaged = [
    { ...many, bytes: 9 },
    { ...many, sha256: one.sha256 },
    { ...many, rows: 1 },
    { ...one, rows: 2 },
  ];
  const found = await checkFiles(store, [...damaged, { ...one, key: 'none' }]);
  expect(found.map(({ code, message }) => `${code}: ${message}`)).toEqual([
    'file-damaged: many is damaged: its SHA-256 or size differs.',
    'file-damaged: many is damaged: its SHA-256 or size differs.',
    'file-damaged: many is damaged: 2 rows where 1 was published.',
    'file-damaged: one is damaged: 1 row where 2 were published.',
    'file-missing: none is missing.',
  ]);
});

const counted = 'query engines would count it. Find out who put it there, and remove it';
test.each([
  ['devices/date=2026-11-02/devices.csv', undefined],
  ['devices/date=2026-11-02/other.csv', counted],
  ['devices/beside.csv', counted],
  ['devices/_files/beside.csv', counted],
  ['devices/date=2026-11-02/_SUCCESS', undefined],
  ['report/date=2026-11-02/other.html', undefined],
  ['elsewhere/date=2026-11-02/devices.csv', undefined],
  ['devices', undefined],
  // A copy that retention has not removed yet, one of these that is not what it was, and one of another table.
  ['devices/date=2026-10-01/devices.csv', undefined],
  ['devices/date=2026-10-02/devices.csv', counted],
  ['coverage/date=2026-10-02/coverage.csv', counted],
  ['devices/date=2026-11-03/devices.csv', 'its run was retracted; the next run removes it'],
])('%s is named as foreign: %s', async (key, why) => {
  const store = makeStore();
  const write = (slot: string, ...names: string[]) =>
    writeCommit(store, slot, { files: Object.fromEntries(names.map((name) => [`reports/${name}`, name])) });
  const removed = [await write('2026-10-01', 'devices.csv'), await write('2026-10-02', 'devices.csv', 'coverage.csv')];
  const expected = listDatedCopies(await write(second, 'devices.csv', 'index.html'));
  await put(store, key, key.includes('2026-10-02') ? 'changed' : 'devices.csv');
  const found = await findForeignFiles(store, [key], { expected, removed, retracted: new Set([third]) });
  const message = `${key} is named by no commit that stands: ${why}.`;
  expect(found).toEqual(why === undefined ? [] : [{ code: 'foreign-file', message }]);
});

test('a verification that a run overtakes begins anew, three times at most, and never for nothing', async () => {
  let tries = 0;
  /** So many runs are published while copies are looked at; whether these are sound before, and after the first. */
  const verify = async (overtaking: number, [isSound, isRepaired]: readonly [boolean, boolean]) => {
    tries = 0;
    const store = makeStore();
    await writeCommit(store, first);
    const repair = async () => store.put('latest.json', formatLatest(await readRunThatStands(store)));
    await (isSound && repair());
    const racing: Store = {
      ...store,
      async *stream(key) {
        tries += 1;
        if (tries <= overtaking) {
          await writeCommit(store, [second, third, fourth][tries - 1] ?? '');
        }
        await (isRepaired && tries === 2 && repair());
        yield* store.stream(key);
      },
    };
    const { nights, damage, head } = await verifyRuns(racing);
    return { tries, nights, head: head?.number, damage: damage.map(({ message }) => message) };
  };
  const missing = (number: number) => [`latest.json is missing: it is a copy of ${toCommitKey(number)}.`];
  expect(await verify(0, [false, false])).toEqual({ tries: 1, nights: 1, head: 1, damage: missing(1) });
  expect(await verify(1, [true, false])).toEqual({ tries: 1, nights: 1, head: 1, damage: [] });
  expect(await verify(1, [false, true])).toEqual({ tries: 2, nights: 2, head: 2, damage: [] });
  expect(await verify(3, [false, false])).toEqual({ tries: 3, nights: 3, head: 3, damage: missing(3) });
  expect(await verifyRuns(makeStore())).toEqual({ nights: 0, files: 0, damage: [], retracted: [] });
});

/** A run with a report, and the slot from which on runs are kept. */
function writeRun(store: Store, slot: string, { attempt = 'a', keptFrom = '' } = {}) {
  const files = { 'state.json.gz': packStateHead(), 'reports/devices.csv': slot };
  return writeCommit(store, slot, { attempt, files, ...(keptFrom !== '' && { keptFrom }) });
}

async function damageOf(store: Store, slot?: string) {
  return (await verifyRuns(store, { slot })).damage.map(({ code, message }) => `${code} ${message.split(' is ')[0]}`);
}

test('of runs that retention removed none is checked, and what is left of one is none of a stranger’s', async () => {
  const store = makeStore();
  await writeRun(store, first);
  await writeRun(store, second, { keptFrom: first });
  await writeRun(store, third, { keptFrom: first });
  await writeRun(store, third, { attempt: 'b', keptFrom: second });
  await writeRun(store, fourth, { keptFrom: third });
  await writeRun(store, fifth, { keptFrom: third });
  await updateCopies(store, await readRunThatStands(store));
  // Retention was cut short: this copy is left.
  await put(store, `devices/date=${second}/devices.csv`, second);
  expect(await damageOf(store)).toEqual([third, fourth].map((slot) => `copy-missing devices/date=${slot}/devices.csv`));
  expect(await verifyRuns(store)).toMatchObject({ nights: 3, files: 12 });
});

test('of one slot its files and copies are checked alone, and of all what is there beside them', async () => {
  const store = makeStore();
  await writeRun(store, first);
  await updateCopies(store, await readRunThatStands(store));
  await writeRun(store, second);
  await writeRun(store, third);
  const { commit } = await writeRetraction(store, third, 2);
  await updateCopies(store, await readRunThatStands(store));
  const [copy, record] = [`devices/date=${third}/devices.csv`, `runs/${third}/${commit.attempt}/outbox.json`];
  await put(store, copy, third);
  await put(store, record, 'changed');
  await put(store, `runs/${second}/a/reports/devices.csv`, 'changed');
  await put(store, 'latest/devices.csv', 'changed');
  const ofSecond = [`file-damaged runs/${second}/a/reports/devices.csv`, 'copy-differs latest/devices.csv'] as const;
  const ofThird = `file-damaged ${record}`;
  expect(await damageOf(store)).toEqual([ofSecond[0], ofThird, ofSecond[1], `foreign-file ${copy}`]);
  expect(await damageOf(store, first)).toEqual([]);
  expect(await damageOf(store, second)).toEqual(ofSecond);
  expect(await damageOf(store, third)).toEqual([ofThird]);
  expect(await damageOf(store, fourth)).toEqual(['night-unknown No run']);
  expect(await verifyRuns(store, { slot: third })).toMatchObject({ nights: 0, files: 3, retracted: [{ number: 4 }] });
  // Where the log is damaged, nobody knows what is a stranger's.
  await put(store, toCommitKey(5), 'x');
  expect(await damageOf(store)).toEqual([`log-damaged ${toCommitKey(5)}`, ofSecond[0], ofThird]);
  expect((await verifyRuns(store)).nights).toBe(2);
  const unreadable = makeStore();
  await put(unreadable, toCommitKey(1), 'x');
  expect(await damageOf(unreadable)).toEqual([`log-damaged ${toCommitKey(1)}`]);
});
