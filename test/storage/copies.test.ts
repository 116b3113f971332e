/** The rules of copies, each alone: what is copied, what goes, and what an alert about copies makes again. */
import { expect, test } from 'vitest';
import { listReports } from '../../src/storage/commits/commit.ts';
import { formatLatest } from '../../src/storage/commits/latest.ts';
import { updateCopies } from '../../src/storage/runs/copies.ts';
import type { Store } from '../../src/storage/store.ts';
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

const toCopy = (slot: string) => `devices/date=${slot}/devices.csv`;

/** A run with one report, whose text says the run, and with an alert that copies could not be made since a slot. */
function writeRun(store: Store, slot: string, { attempt = 'a', since = '' } = {}) {
  const alert = { key: 'housekeeping:copies', kind: 'housekeeping.unfinished', since, last: slot } as const;
  const state = packStateHead(
    since === '' ? {} : { told: [{ ...alert, key: 'housekeeping:audit', since: first }, alert] },
  );
  return writeCommit(store, slot, {
    attempt,
    files: { 'reports/devices.csv': `${slot} ${attempt}`, 'state.json.gz': state },
  });
}

/** What each copy by date says. */
async function readCopies(store: Store): Promise<string[]> {
  const keys = await Array.fromAsync(store.list('devices/'));
  return Promise.all(keys.map(async (key) => `${(await store.read(key))?.toString()}`));
}

async function update(store: Store, on: Store = store) {
  return updateCopies(on, await readRunThatStands(store));
}

const putCopies = (store: Store, ...slots: string[]) =>
  Promise.all(slots.map((slot) => store.put(toCopy(slot), Buffer.from(`old ${slot}`))));

test('copies are made of the run that stands, and not again where they are sound', async () => {
  const store = makeStore();
  await writeRun(store, first);
  await writeRun(store, second);
  const current = await update(store);
  expect(await readCopies(store)).toEqual([`${second} a`]);
  expect((await store.read('latest/devices.csv'))?.toString()).toBe(`${second} a`);
  expect(await store.read('latest.json')).toEqual(formatLatest(current));
  const never = () => Promise.reject(new Error('written again'));
  expect(await update(store, { ...store, put: never, copy: never, remove: never })).toEqual(current);
});

test('copies of whoever published meanwhile win over ours: of the same night, and in latest', async () => {
  const store = makeStore();
  await writeRun(store, second);
  let isOvertaken = false;
  const racing: Store = {
    ...store,
    async copy(from, to) {
      if (!isOvertaken) {
        isOvertaken = true;
        await writeRun(store, second, { attempt: 'b' });
        await writeRun(store, third);
      }
      await store.copy(from, to);
    },
  };
  expect((await update(store, racing)).commit.number).toBe(3);
  expect(await readCopies(store)).toEqual([`${second} b`, `${third} a`]);
  expect((await store.read('latest/devices.csv'))?.toString()).toBe(`${third} a`);
  expect(JSON.parse(`${await store.read('latest.json')}`)).toMatchObject({ number: 3, slot: third });
});

test('copies are made of every run since an alert says that they could not be, and of the one before', async () => {
  const store = makeStore();
  for (const slot of [first, second, third]) {
    await writeRun(store, slot);
  }
  await writeRun(store, fourth, { attempt: 'b' });
  await writeRun(store, fourth);
  await writeRun(store, fifth, { since: third });
  await putCopies(store, third);
  await update(store);
  expect(await readCopies(store)).toEqual([second, third, fourth, fifth].map((slot) => `${slot} a`));
});

test('copies go, while an alert says so, of slots that were taken back since, and of the one before, where none stands', async () => {
  const store = makeStore();
  await writeRun(store, '2026-10-30');
  for (const slot of ['2026-10-31', second, third]) {
    await writeRun(store, slot);
    await writeRetraction(store, slot, 1);
    await putCopies(store, slot);
  }
  await writeRun(store, third, { attempt: 'b' });
  await writeRetraction(store, third, 1);
  await writeRun(store, fourth, { since: third });
  await update(store);
  expect(await readCopies(store)).toEqual(['2026-10-30 a', 'old 2026-10-31', `${fourth} a`]);
});

test('copies are made of other runs where the report of one is damaged, which is said at the end', async () => {
  const store = makeStore();
  await writeRun(store, first);
  const [report] = listReports(await writeRun(store, second));
  await writeRun(store, third, { since: first });
  await store.put(report?.key ?? '', Buffer.from('x'));
  const message = expect.stringContaining(`${report?.key} is damaged: its SHA-256 is not the one that was published`);
  await expect(update(store)).rejects.toMatchObject({ code: 'store-damaged', message });
  expect(await readCopies(store)).toEqual([`${first} a`, `${third} a`]);
});
