/** The tables of a kept night, made again from its facts alone: the same bytes (G13). */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { version } from '../../src/base/version.ts';
import { sourceRules } from '../../src/compose/source-kinds.ts';
import { runNight } from '../../src/night.ts';
import { tables } from '../../src/reports/tables.ts';
import { acceptRun } from '../../src/run/corrections/republish.ts';
import { rebuildRun } from '../../src/run/rebuild.ts';
import { readCurrentRun } from '../../src/storage/commits/log.ts';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import { updateCopies } from '../../src/storage/runs/copies.ts';
import { readFacts } from '../../src/storage/runs/run-files.ts';
import type { Store } from '../../src/storage/store.ts';
import { keysOf, place } from '../night/folder.ts';
import { look } from '../night/reader.ts';
import { companyOfAllTables, slots } from '../night/small.ts';
import { flipped } from '../night/tamper.ts';

const here = place();

test('whole, carried, healed, suspect and accepted nights come out as they were published', async () => {
  const made = companyOfAllTables();
  const published = new Map<string, Readonly<Record<string, string>>>();
  const run = async (slot: string, more: { accept?: boolean } = {}) => {
    if (more.accept) {
      await acceptRun(slot, 'somebody', made.parts(here.store));
    } else {
      await runNight(made.order(slot), made.parts(here.store));
    }
    published.set(slot, (await look(here.path))?.reports ?? {});
  };
  const [one = '', two = '', three = '', four = '', five = '', six = ''] = slots;
  await run(one);
  made.away.add('windows');
  await run(two);
  await run(three);
  made.away.clear();
  await run(three);
  made.shrunk.add('macs');
  await run(four);
  await run(five);
  await run(five, { accept: true });
  await run(six);
  expect(published.size).toBe(6);

  for (const [slot, reports] of published) {
    const target = createFolderStore(join(here.path, '../rebuilt', slot));
    const { by, files } = await rebuildRun(here.store, slot, { target, tables, rules: sourceRules });
    expect(by).toBe(version);
    expect(files.toSorted()).toEqual(Object.keys(reports).toSorted());
    for (const file of files) {
      expect((await target.read(file))?.toString(), `${slot} ${file}`).toBe(reports[file]);
    }
    expect(await keysOf(target)).toEqual(files.toSorted());
  }
});

test('says which version made the night', async () => {
  const made = companyOfAllTables();
  const order = made.order(slots[0] ?? '');
  const older = { ...order, readRunContext: async () => ({ ...(await order.readRunContext()), muster: '0.0.9' }) };
  await runNight(older, made.parts(here.store));
  const target = createFolderStore(join(here.path, '../rebuilt'));
  expect((await rebuildRun(here.store, order.slot, { target, tables, rules: sourceRules })).by).toBe('0.0.9');
});

/** The same contents in other bytes: only the hash shows that nobody published them. */
const repacked = (body: Buffer) => gzipSync(gunzipSync(body), { level: 1 });

async function expectRefused(key: string, change: (body: Buffer) => Buffer, use: () => Promise<unknown>) {
  const path = join(here.path, key);
  const body = await readFile(path);
  await writeFile(path, change(body));
  await expect(use()).rejects.toMatchObject({ code: 'store-damaged', message: expect.stringContaining(key) });
  await writeFile(path, body);
}

test('refuses damaged facts by name, and a night that was never published', async () => {
  const made = companyOfAllTables();
  const [first = '', second = '', third = ''] = slots;
  await runNight(made.order(first), made.parts(here.store));
  await runNight(made.order(second), made.parts(here.store));
  const target = createFolderStore(join(here.path, '../rebuilt'));
  const keys = (await keysOf(here.store)).filter((key) => key.startsWith(`runs/${second}/`));
  const facts = keys.filter((key) => key.includes('/facts/'));
  expect(facts).toHaveLength(5);
  const rebuilt = () => rebuildRun(here.store, second, { target, tables, rules: sourceRules });
  for (const key of facts) {
    await expectRefused(key, (body) => flipped(body, body.length - 1), rebuilt);
    await expectRefused(key, repacked, rebuilt);
  }
  const states = keys.filter((key) => /\/(state|ledger)[^/]*$/.test(key) && !facts.includes(key));
  expect(states).toHaveLength(2);
  for (const key of states) {
    await expectRefused(key, repacked, () => runNight(made.order(third), made.parts(here.store)));
  }
  // What was read whole is copied later, piece by piece.
  const spoilt: Store = {
    ...here.store,
    async *stream(key) {
      for await (const piece of here.store.stream(key)) {
        yield key.endsWith('/ledger.ndjson.gz') ? flipped(piece, 4) : piece;
      }
    },
  };
  await expect(runNight(made.order(third), made.parts(spoilt))).rejects.toMatchObject({ code: 'store-damaged' });
  const unknown = rebuildRun(here.store, '2026-12-24', { target, tables, rules: sourceRules });
  await expect(unknown).rejects.toMatchObject({
    code: 'night-unknown',
    message: expect.stringContaining('2026-12-24'),
  });
});

test('copies are made of what was published alone: a damaged report is not copied, and the others are', async () => {
  const made = companyOfAllTables();
  const [first = ''] = slots;
  await runNight(made.order(first), made.parts(here.store));
  const keys = (await keysOf(here.store)).filter((key) => key.includes(first));
  const report = keys.find((key) => key.endsWith('/reports/devices.csv')) ?? '';
  const body = await readFile(join(here.path, report));
  await writeFile(join(here.path, report), flipped(body, 4));
  const copies = ['latest/devices.csv', `devices/date=${first}/devices.csv`, 'latest/coverage.csv'];
  for (const copy of copies) {
    await here.store.remove(copy);
  }
  const current = await readCurrentRun(here.store);
  const copying = current && updateCopies(here.store, current, async () => undefined);
  await expect(copying).rejects.toMatchObject({ code: 'store-damaged', message: expect.stringContaining(report) });
  const found = await Promise.all(copies.map((copy) => here.store.digest(copy)));
  expect(found).toEqual([undefined, undefined, expect.any(String)]);
});

test('lists of machines are facts of the run, and their table comes out as it was', async () => {
  const made = companyOfAllTables();
  const [slot = ''] = slots;
  const order = made.order(slot);
  const moment = `${slot}T05:00:00Z`;
  const file = { name: 'list.csv', rows: 2, columns: ['serial'], maxAgeDays: 7, date: moment };
  const lists = {
    expected: {
      readAt: moment,
      files: [file],
      rows: [{ serial: 'SERIAL-macos-1' }, { serial: 'GONE-1', owner: '=cmd()', note: 'a\r\nb' }],
    },
    reporting: {
      readAt: moment,
      files: [file],
      rows: [
        { name: 'x', seen_at: moment },
        { serial: 'SERIAL-macos-1', seen_at: moment },
      ],
    },
  };
  const readRunContext = async () => ({ ...(await order.readRunContext()), lists });
  await runNight({ ...order, readRunContext }, made.parts(here.store));
  const { reports = {} } = (await look(here.path)) ?? {};
  expect(reports['unenrolled.csv']).toContain(`\n${slot},GONE-1,'=cmd(),,,,a b,list.csv\n`);

  const run = await readCurrentRun(here.store);
  expect(run && (await readFacts(here.store, run)).lists).toEqual(lists);
  expect(run?.commit.files.map(({ key }) => key).filter((key) => key.includes('/facts/lists/'))).toHaveLength(2);
  const target = createFolderStore(join(here.path, '../rebuilt'));
  await rebuildRun(here.store, slot, { target, tables, rules: sourceRules });
  for (const [name, body] of Object.entries(reports)) {
    expect((await target.read(name))?.toString(), name).toBe(body);
  }
});
