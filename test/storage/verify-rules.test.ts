/** What verification takes for damage and in which words, each rule alone. */
import { expect, test } from 'vitest';
import { toCommitKey } from '../../src/storage/keys.ts';
import { updateCopies } from '../../src/storage/runs/copies.ts';
import type { Store } from '../../src/storage/store.ts';
import { checkFiles, listDatedCopies } from '../../src/storage/verify/check-files.ts';
import { findForeignFiles } from '../../src/storage/verify/foreign-files.ts';
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
const shown = 'people would take it for a report. Find out who put it there, and remove it';
test.each([
  ['devices/date=2026-11-02/devices.csv', undefined],
  ['devices/date=2026-11-02/other.csv', counted],
  ['devices/beside.csv', counted],
  ['devices/_files/beside.csv', counted],
  ['devices/date=2026-11-02/_SUCCESS', undefined],
  ['report/date=2026-11-02/other.html', shown],
  ['report/date=2026-11-02/_other.html', shown],
  ['latest/other.html', shown],
  ['latest/index.html', shown],
  // One that only an earlier run had.
  ['latest/devices.csv', undefined],
  ['elsewhere/date=2026-11-02/devices.csv', undefined],
  ['devices', undefined],
  // A copy that retention has not removed yet, one of these that is not what it was, and one of another table.
  ['devices/date=2026-10-01/devices.csv', undefined],
  ['devices/date=2026-10-02/devices.csv', counted],
  ['coverage/date=2026-10-02/coverage.csv', counted],
  ['devices/date=2026-11-03/devices.csv', counted],
])('%s is named as foreign: %s', async (key, why) => {
  const store = makeStore();
  const write = (slot: string, ...names: string[]) =>
    writeCommit(store, slot, { files: Object.fromEntries(names.map((name) => [`reports/${name}`, name])) });
  const removed = [await write('2026-10-01', 'devices.csv'), await write('2026-10-02', 'devices.csv', 'coverage.csv')];
  const expected = listDatedCopies(await write(second, 'devices.csv', 'index.html'));
  await put(store, key, key.includes('2026-10-02') ? 'changed' : 'devices.csv');
  const { damage } = await findForeignFiles(store, [key], { expected, letGo: removed, takenBack: [] });
  const message = `${key} is named by no commit that counts: ${why}.`;
  expect(damage).toEqual(why === undefined ? [] : [{ code: 'foreign-file', message }]);
});

test('a verification that a run overtakes begins anew where it found damage, and never for nothing', async () => {
  let tries = 0;
  /** So many runs are published while a file is looked at; whether it is sound before, and after the first. */
  const verify = async (overtaking: number, [isSound, isRepaired]: readonly [boolean, boolean]) => {
    tries = 0;
    const store = makeStore();
    const { commit } = await writeCommit(store, first, { files: { 'reports/devices.csv': 'slot\n' } });
    const [{ key: file } = { key: '' }] = commit.files;
    await put(store, `devices/date=${first}/devices.csv`, 'slot\n');
    await (isSound || store.remove(file));
    const racing: Store = {
      ...store,
      async *stream(key, bytes) {
        if (key === file) {
          tries += 1;
          if (tries <= overtaking) {
            await writeCommit(store, [second, third, fourth][tries - 1] ?? '');
          }
          await (isRepaired && tries === 2 && put(store, file, 'slot\n'));
        }
        yield* store.stream(key, bytes);
      },
    };
    const { nights, damage, head } = await verifyRuns(racing);
    return { tries, nights, head: head?.number, damage: damage.map(({ code }) => code) };
  };
  const missing = ['file-missing'];
  expect(await verify(0, [false, false])).toEqual({ tries: 1, nights: 1, head: 1, damage: missing });
  expect(await verify(1, [true, false])).toEqual({ tries: 1, nights: 1, head: 1, damage: [] });
  expect(await verify(1, [false, true])).toEqual({ tries: 2, nights: 2, head: 2, damage: [] });
  expect(await verify(3, [false, false])).toEqual({ tries: 4, nights: 4, head: 4, damage: missing });
  expect(await verifyRuns(makeStore())).toEqual({ nights: 0, files: 0, damage: [], behind: [], retracted: [] });
});

/** A run with a report, and the slot from which on runs are kept. */
function writeRun(store: Store, slot: string, { attempt = 'a', keptFrom = '' } = {}) {
  const files = { 'state.json.gz': packStateHead(), 'reports/devices.csv': slot };
  return writeCommit(store, slot, { attempt, files, ...(keptFrom !== '' && { keptFrom }) });
}

const update = async (store: Store) => updateCopies(store, await readRunThatStands(store), async () => undefined);

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
  await update(store);
  // Retention was cut short: this copy is left.
  await put(store, `devices/date=${second}/devices.csv`, second);
  expect(await damageOf(store)).toEqual([third, fourth].map((slot) => `copy-missing devices/date=${slot}/devices.csv`));
  expect(await verifyRuns(store)).toMatchObject({ nights: 3, files: 12 });
});

test('of one slot its files and copies are checked alone, and of all what is there beside them', async () => {
  const store = makeStore();
  await writeRun(store, first);
  await update(store);
  await writeRun(store, second);
  await writeRun(store, third);
  const files = { 'reports/devices.csv': `${second} again` };
  const { commit } = await writeRetraction(store, third, 2, { files });
  await update(store);
  const copy = `devices/date=${third}/devices.csv`;
  const reports = ['a', commit.attempt].map((attempt) => `runs/${second}/${attempt}/reports/devices.csv`);
  await put(store, copy, third);
  for (const key of [...reports, 'latest/devices.csv']) {
    await put(store, key, 'changed');
  }
  // The attempt that was replaced is kept, too.
  const ofSecond = [...reports.map((key) => `file-damaged ${key}`), 'copy-differs latest/devices.csv'];
  expect(await damageOf(store)).toEqual([...ofSecond, `foreign-file ${copy}`]);
  expect(await damageOf(store, first)).toEqual([]);
  expect(await damageOf(store, second)).toEqual(ofSecond);
  expect(await damageOf(store, third)).toEqual([]);
  expect(await damageOf(store, fourth)).toEqual(['night-unknown No run']);
  const retracted = [{ slot: third, by: 'ada', why: 'wrong clock', at: commit.at }];
  expect(await verifyRuns(store, { slot: third })).toMatchObject({ nights: 0, files: 3, retracted });
  expect(await verifyRuns(store, { slot: second })).toMatchObject({ nights: 1, files: 5, retracted: [] });
  // Where the log is damaged, nobody knows what is a stranger's.
  await put(store, toCommitKey(5), 'x');
  expect(await damageOf(store)).toEqual([`log-damaged ${toCommitKey(5)}`, ...ofSecond]);
  expect((await verifyRuns(store)).nights).toBe(2);
  const unreadable = makeStore();
  await put(unreadable, toCommitKey(1), 'x');
  expect(await damageOf(unreadable)).toEqual([`log-damaged ${toCommitKey(1)}`]);
});
