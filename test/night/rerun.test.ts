/** The same slot again, an older one, a partial one, and only looking. */
import { access, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toExitCode } from '../../src/cli/console/failure.ts';
import { sourceRules } from '../../src/compose/source-kinds.ts';
import { systemClock } from '../../src/http/clock.ts';
import { runNight } from '../../src/night.ts';
import { tables } from '../../src/reports/tables.ts';
import type { Parts } from '../../src/run/parts.ts';
import { rebuildRun } from '../../src/run/rebuild.ts';
import { resolveSlot } from '../../src/settings/schedule/schedule.ts';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import { verifyRuns } from '../../src/storage/verify/verify.ts';
import { keysOf, place } from './folder.ts';
import { contentsOf, look, readStandingCommit } from './reader.ts';
import { type Company, company, companyOfAllTables, slots } from './small.ts';

const [first = '', second = '', third = ''] = slots;
const here = place();

test('a published night run again changes nothing, asks nobody and ends as published [C5]', async () => {
  const made = company();
  await runNight(made.order(first), made.parts(here.store));
  expect(await runNight(made.order(second), made.parts(here.store))).toMatchObject({ exit: 0, did: 'published' });
  const before = await contentsOf(here.path, true);
  const asked = made.asked.length;
  made.devices = 5;
  const again = await runNight(made.order(second), made.parts(here.store));
  expect(again).toEqual({ exit: 0, did: 'unchanged', night: undefined });
  expect(await contentsOf(here.path, true)).toEqual(before);
  expect(made.asked.length).toBe(asked);
});

test('nights run twice in a row, as fast as they go, never overtake themselves', async () => {
  const made = company();
  made.devices = 1;
  for (const slot of slots.slice(0, 8)) {
    await runNight(made.order(slot), made.parts(here.store));
    const again = await runNight(made.order(slot), made.parts(here.store));
    expect(again).toMatchObject({ exit: 0, did: 'unchanged' });
  }
});

test('a partial night stands with 3 while the platform is away, and is healed when it is back', async () => {
  const made = company();
  await runNight(made.order(first), made.parts(here.store));
  made.away.add('windows');
  expect(await runNight(made.order(second), made.parts(here.store))).toMatchObject({ exit: 3, did: 'published' });
  const partial = await look(here.path);
  const before = await contentsOf(here.path, true);

  made.asked.length = 0;
  expect(await runNight(made.order(second), made.parts(here.store))).toMatchObject({ exit: 3, did: 'unchanged' });
  // A source that failed for a passing reason is read twice in one run.
  expect(made.asked).toEqual(['windows', 'windows']);
  expect(await contentsOf(here.path, true)).toEqual(before);

  made.away.clear();
  made.asked.length = 0;
  const macs = partial?.reports['devices.csv']?.split('\n').filter((line) => line.includes('macos'));
  expect(await runNight(made.order(second), made.parts(here.store))).toMatchObject({ exit: 0, did: 'published' });
  expect(made.asked).toEqual(['windows']);
  const healed = await look(here.path);
  expect(healed).toMatchObject({ exit: 0, slot: second, replaces: partial?.attempt });
  expect(healed?.reports['devices.csv']?.split('\n').filter((line) => line.includes('macos'))).toEqual(macs);
  expect(await readStandingCommit(here.path)).toMatchObject({ replaces: partial?.attempt, previous: { number: 2 } });
  expect(await verifyRuns(here.store)).toMatchObject({ nights: 2, damage: [] });

  // The same as a night on which nothing had been away.
  const whole = company();
  const other = join(here.path, '../whole');
  for (const slot of [first, second]) {
    await runNight(whole.order(slot), whole.parts(createFolderStore(other)));
  }
  expect(healed?.reports).toEqual((await look(other))?.reports);
});

test('a source missing on the first night becomes a baseline when it is healed, without a change row', async () => {
  const made = companyOfAllTables();
  made.away.add('windows');
  expect(await runNight(made.order(first), made.parts(here.store))).toMatchObject({ exit: 3 });
  expect((await look(here.path))?.reports['coverage.csv']).toContain('windows,windows,missing,0');
  made.away.clear();
  expect(await runNight(made.order(first), made.parts(here.store))).toMatchObject({ exit: 0, did: 'published' });
  expect((await look(here.path))?.reports['changes.csv']?.split('\n')).toHaveLength(2);
});

test('a suspect source is asked again, and replaced only when it is no longer suspect', async () => {
  const made = company();
  await runNight(made.order(first), made.parts(here.store));
  made.shrunk.add('macs');
  expect(await runNight(made.order(second), made.parts(here.store))).toMatchObject({ exit: 3 });
  expect((await look(here.path))?.reports['coverage.csv']).toContain('macs,macos,suspect');
  made.asked.length = 0;
  expect(await runNight(made.order(second), made.parts(here.store))).toMatchObject({ exit: 3, did: 'unchanged' });
  expect(made.asked).toEqual(['macs']);
  made.shrunk.clear();
  expect(await runNight(made.order(second), made.parts(here.store))).toMatchObject({ exit: 0, did: 'published' });
});

test.each<[string, () => () => void, Parts['clock']]>([
  ['in a process whose Object.prototype was changed [K5]', pollute, systemClock],
  ['while the clock is set back an hour and ahead a day [C10]', () => () => undefined, jumpingClock()],
])('a night is the same %s', async (_what, begin, clock) => {
  const reports: unknown[] = [];
  for (const isStruck of [false, true]) {
    const made = company();
    const store = createFolderStore(join(here.path, `../struck-${isStruck}`));
    const end = isStruck ? begin() : () => undefined;
    try {
      for (const slot of [first, second]) {
        const parts = { ...made.parts(store), ...(isStruck ? { clock } : {}) };
        expect(await runNight(made.order(slot), parts)).toMatchObject({ exit: 0, did: 'published' });
      }
    } finally {
      end();
    }
    expect(await verifyRuns(store)).toMatchObject({ nights: 2, damage: [] });
    reports.push((await look(join(here.path, `../struck-${isStruck}`)))?.reports);
  }
  expect(reports[1]).toEqual(reports[0]);
});

function pollute(): () => void {
  const names = ['status', 'reason', 'id', 'exempt', 'source', 'polluted'];
  for (const name of names) {
    Object.defineProperty(Object.prototype, name, { value: 'polluted', configurable: true, writable: true });
  }
  return () => {
    for (const name of names) {
      Reflect.deleteProperty(Object.prototype, name);
    }
  };
}

function jumpingClock(): Parts['clock'] {
  let asked = 0;
  return {
    ...systemClock,
    now() {
      asked += 1;
      return new Date(Date.now() + (asked % 2 === 0 ? -3_600_000 : 86_400_000));
    },
  };
}

test.each([
  ['no instrument wrong', [{}], 5],
  ['an instrument that could not be read', [{ result: 'unknown' as const }], 5],
  ['a wrong instrument', [{ result: 'fail' as const }], 0],
])(
  'an attempt that is not published and showed %s: it counts, and nothing else changes [C23]',
  async (_, findings, proven) => {
    const made = company();
    await runNight(made.order(first), made.parts(here.store));
    made.shrunk.add('macs');
    await runNight(made.order(second), made.parts(here.store));
    const before = await look(here.path);
    made.instruments.set('macs', findings);
    for (const _again of ['once', 'twice']) {
      expect(await runNight(made.order(second), made.parts(here.store))).toMatchObject({ exit: 3, did: 'unchanged' });
    }
    expect(await look(here.path)).toEqual(before);
    const kept = (await keysOf(here.store)).filter((key) => key.includes('/readings-'));
    expect(kept).toHaveLength(proven === 0 ? 1 : 0);

    // Another machine, which has the store alone.
    const other = company();
    expect(await runNight(other.order(third), other.parts(here.store))).toMatchObject({ exit: 0 });
    const reports = (await look(here.path))?.reports ?? {};
    const installed = reports['devices.csv']
      ?.split('\n')
      .filter((line) => line.includes('macos') && line.includes(',true,false,true,'));
    expect(installed?.filter((line) => line.includes(',Installed,'))).toHaveLength(proven);
    expect(await verifyRuns(here.store)).toMatchObject({ nights: 3, damage: [] });
    const target = createFolderStore(join(here.path, '../rebuilt'));
    await rebuildRun(here.store, third, { target, tables, rules: sourceRules });
    expect((await target.read('devices.csv'))?.toString()).toBe(reports['devices.csv']);
  },
);

type Troubles = Partial<Record<'macs' | 'windows', 'away' | 'shrunk' | number>>;

/** What each source's platform has from now on; a number says how many devices cannot be read. */
function change(made: Company, troubles: Troubles): void {
  for (const name of ['macs', 'windows'] as const) {
    const trouble = troubles[name] ?? 0;
    for (const what of ['away', 'shrunk'] as const) {
      made[what].delete(name);
    }
    made.unread.set(name, typeof trouble === 'number' ? trouble : 0);
    if (typeof trouble !== 'number') {
      made[trouble].add(name);
    }
  }
}

test.each<[string, before: Troubles, published: Troubles, again: Troubles, 'published' | 'unchanged']>([
  ['has fewer unread devices', {}, { macs: 2 }, { macs: 1 }, 'published'],
  ['has as many unread devices', {}, { macs: 1 }, { macs: 1 }, 'unchanged'],
  ['has more unread devices', {}, { macs: 1 }, { macs: 2 }, 'unchanged'],
  ['has fewer unread devices in all', {}, { macs: 3, windows: 1 }, { macs: 1, windows: 2 }, 'published'],
  ['has fewer unread devices and one source without an answer', {}, { macs: 3 }, { macs: 'away' }, 'unchanged'],
  ['has fewer partial sources', {}, { macs: 1, windows: 1 }, { macs: 5 }, 'published'],
  ['has fewer carried sources', {}, { macs: 1, windows: 'away' }, { macs: 'shrunk' }, 'published'],
  ['has fewer missing sources', { windows: 'away' }, { macs: 1, windows: 'away' }, { macs: 'away' }, 'published'],
  ['lost one source and got another', {}, { macs: 'shrunk', windows: 'away' }, { macs: 'away' }, 'unchanged'],
])('an attempt at the published slot that %s', async (_, before, published, again, did) => {
  const made = company();
  change(made, before);
  await runNight(made.order(first), made.parts(here.store));
  change(made, published);
  await runNight(made.order(second), made.parts(here.store));
  const contents = await contentsOf(here.path, true);
  change(made, again);
  expect(await runNight(made.order(second), made.parts(here.store))).toMatchObject({ exit: 3, did });
  const isChanged = JSON.stringify(await contentsOf(here.path, true)) !== JSON.stringify(contents);
  expect(isChanged).toBe(did === 'published');
});

test('an older night is refused as a wrong command, and a later one has not come yet [C16]', async () => {
  const made = company();
  await runNight(made.order(second), made.parts(here.store));
  const before = await contentsOf(here.path, true);
  const refused = runNight(made.order(first), made.parts(here.store));
  await expect(refused).rejects.toMatchObject({ code: 'slot-refused', message: expect.stringContaining(second) });
  expect(toExitCode(await refused.catch((error: unknown) => error))).toBe(2);
  expect(await contentsOf(here.path, true)).toEqual(before);

  const schedule = { cron: '15 5 * * *', timezone: 'UTC' };
  const now = new Date(`${second}T12:00:00Z`);
  expect(() => resolveSlot(schedule, third, now)).toThrow(expect.objectContaining({ code: 'slot-refused' }));
  expect(resolveSlot(schedule, first, now).slot).toBe(first);
});

test('a dry run writes nothing at all, and asks every platform [K4]', async () => {
  const made = company();
  const dry = { dryRun: true };
  expect(await runNight(made.order(first, dry), made.parts(here.store))).toMatchObject({ exit: 0, did: 'dryRun' });
  await expect(access(here.path)).rejects.toThrow();

  made.away.add('windows');
  await runNight(made.order(first), made.parts(here.store));
  // Not even what a real run would finish first.
  await rm(join(here.path, 'latest/devices.csv'));
  const before = await contentsOf(here.path, true);
  made.away.clear();
  for (const slot of [first, second]) {
    made.asked.length = 0;
    const outcome = await runNight(made.order(slot, dry), made.parts(here.store));
    expect(outcome).toMatchObject({ exit: 0, did: 'dryRun' });
    expect(made.asked).toEqual(['macs', 'windows']);
  }
  expect(await contentsOf(here.path, true)).toEqual(before);
});
