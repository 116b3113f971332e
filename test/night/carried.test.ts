/** What a run needs of the runs before it: its state alone, and the facts of the run before where a source was not read. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { sourceRules } from '../../src/compose/source-kinds.ts';
import { runNight } from '../../src/night.ts';
import { tables } from '../../src/reports/tables.ts';
import { acceptRun } from '../../src/run/corrections/republish.ts';
import { rebuildRun } from '../../src/run/rebuild.ts';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import type { Store } from '../../src/storage/store.ts';
import { keysOf, place } from './folder.ts';
import { look } from './reader.ts';
import { company, slots } from './small.ts';

const [first = '', second = '', third = '', fourth = '', fifth = ''] = slots;
const here = place();

/** Files of facts that are opened, by their names in the folders of runs before that slot. */
function watchFacts(slot: string) {
  const opened: string[] = [];
  const note = (key: string) => {
    const [, of = '', name = ''] = /^runs\/([^/]+)\/[^/]+\/(facts\/.*)$/.exec(key) ?? [];
    if (name !== '' && of < slot) {
      opened.push(`${of} ${name}`);
    }
  };
  const store: Store = {
    ...here.store,
    async read(key, ...rest) {
      note(key);
      return here.store.read(key, ...rest);
    },
    async *stream(key) {
      note(key);
      yield* here.store.stream(key);
    },
  };
  return { store, opened };
}

describe('facts of older runs', () => {
  test('are not opened by a run whose sources are all whole, whatever the run before was', async () => {
    const made = company();
    await runNight(made.order(first), made.parts(here.store));
    made.away.add('windows');
    made.shrunk.add('macs');
    await runNight(made.order(second), made.parts(here.store));
    made.away.clear();
    made.shrunk.clear();
    for (const slot of [third, fourth]) {
      const { store, opened } = watchFacts(slot);
      expect(await runNight(made.order(slot), made.parts(store))).toMatchObject({ exit: 0, did: 'published' });
      expect(opened).toEqual([]);
    }
  });

  test('are opened for a source that was not read, of the run before alone', async () => {
    const made = company();
    await runNight(made.order(first), made.parts(here.store));
    await runNight(made.order(second), made.parts(here.store));
    made.away.add('windows');
    const { store, opened } = watchFacts(third);
    await runNight(made.order(third), made.parts(store));
    expect([...new Set(opened)]).toEqual([`${second} facts/night.json.gz`, `${second} facts/windows.ndjson.gz`]);
  });

  test('are opened for a device that was not read', async () => {
    const made = company();
    await runNight(made.order(first), made.parts(here.store));
    made.unread.set('macs', 1);
    const { store, opened } = watchFacts(second);
    await runNight(made.order(second), made.parts(store));
    expect([...new Set(opened)]).toEqual([`${first} facts/night.json.gz`, `${first} facts/macs.ndjson.gz`]);
  });
});

/** Nothing of the facts of these runs is left. */
async function loseFacts(...lost: readonly string[]): Promise<void> {
  const keys = (await keysOf(here.store)).filter((key) => lost.some((slot) => key.startsWith(`runs/${slot}/`)));
  const facts = keys.filter((key) => key.includes('/facts/'));
  expect(facts.length).toBeGreaterThan(2 * lost.length);
  for (const key of facts) {
    await rm(join(here.path, key));
  }
}

/** The rows about Windows of the run that stands. */
async function readWindows(): Promise<string[][]> {
  const { reports } = (await look(here.path)) ?? {};
  const rows = parse(reports?.['devices.csv'] ?? '', { columns: true }) as Record<string, string>[];
  return rows
    .filter(({ source }) => source === 'windows')
    .map(({ device_id = '', status = '', answered_on = '' }) => [device_id, status, answered_on]);
}

describe('a carried run after a carried run after a suspect run', () => {
  /** The first run is the last whole one of Windows; each later run has only the facts of the run before it. */
  async function judgeInARow() {
    const made = company();
    await runNight(made.order(first), made.parts(here.store));
    const whole = await readWindows();
    made.shrunk.add('windows');
    expect(await runNight(made.order(second), made.parts(here.store))).toMatchObject({ exit: 3 });
    expect((await readWindows()).length).toBeLessThan(whole.length);
    made.shrunk.clear();
    made.away.add('windows');
    await loseFacts(first);
    expect(await runNight(made.order(third), made.parts(here.store))).toMatchObject({ exit: 3, did: 'published' });
    await loseFacts(second);
    expect(await runNight(made.order(fourth), made.parts(here.store))).toMatchObject({ exit: 3, did: 'published' });
    return { made, whole };
  }

  test('shows the rows of the last whole run, and needs no run but the one before', async () => {
    const { whole } = await judgeInARow();
    expect(await readWindows()).toEqual(whole);
    expect(new Set(whole.map(([, , answeredOn]) => answeredOn))).toEqual(new Set([first]));
  });

  test('is judged again from its own facts alone', async () => {
    await judgeInARow();
    const { reports = {} } = (await look(here.path)) ?? {};
    await loseFacts(third);
    const target = createFolderStore(join(here.path, '../rebuilt'));
    await rebuildRun(here.store, fourth, { target, tables, rules: sourceRules });
    for (const [name, body] of Object.entries(reports)) {
      expect((await target.read(name))?.toString(), name).toBe(body);
    }
  });

  test('is healed, and the run after it is compared with the last whole run', async () => {
    const { made } = await judgeInARow();
    await loseFacts(third);
    made.away.clear();
    expect(await runNight(made.order(fourth), made.parts(here.store))).toMatchObject({ exit: 0, did: 'published' });
    expect(await runNight(made.order(fifth), made.parts(here.store))).toMatchObject({ exit: 0, did: 'published' });
  });
});

test('a suspect run that follows a carried one is accepted with the facts of its own slot alone', async () => {
  const made = company();
  await runNight(made.order(first), made.parts(here.store));
  made.away.add('windows');
  await runNight(made.order(second), made.parts(here.store));
  made.away.clear();
  made.shrunk.add('windows');
  await runNight(made.order(third), made.parts(here.store));
  await loseFacts(first, second);
  expect(await acceptRun(third, 'somebody', made.parts(here.store))).toMatchObject({ exit: 0, did: 'published' });
  made.away.add('windows');
  await runNight(made.order(fourth), made.parts(here.store));
  expect(new Set((await readWindows()).map(([, , answeredOn]) => answeredOn))).toEqual(new Set([third]));
});
