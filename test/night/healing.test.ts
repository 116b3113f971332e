/** A later start for a slot (`schedule.healAfterHours`): it repeats only what was not read. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CheckResult } from '../../src/core/facts/facts.ts';
import { systemClock } from '../../src/http/clock.ts';
import { runNight } from '../../src/night.ts';
import { alertsWith, listener } from '../alerts/listeners.ts';
import { place } from './folder.ts';
import { contentsOf, look } from './reader.ts';
import { company, slots } from './small.ts';

const [first = '', second = ''] = slots;
const here = place();
const unread: Partial<CheckResult> = { result: 'unknown', unread: true };
const heals = { heals: true } as const;

/** A first night that is sound, and a second one as the change makes it. */
async function nightAfter(change: (made: ReturnType<typeof company>) => void) {
  const made = company();
  await runNight(made.order(first), made.parts(here.store));
  change(made);
  await runNight(made.order(second), made.parts(here.store));
  made.away.clear();
  made.shrunk.clear();
  made.instruments.clear();
  made.asked.length = 0;
  return made;
}

test.each<[string, (made: ReturnType<typeof company>) => void]>([
  ['carried', (made) => made.away.add('windows')],
  ['untrusted, since a check could not be made', (made) => made.instruments.set('windows', [{}, unread])],
])('a source that is %s is asked again, and no other', async (_, change) => {
  const made = await nightAfter(change);
  const before = await look(here.path);
  expect(before?.exit).toBe(3);
  const healed = await runNight(made.order(second, heals), made.parts(here.store));
  expect(healed).toMatchObject({ exit: 0, did: 'published' });
  expect(made.asked).toEqual(['windows']);
  expect(await look(here.path)).toMatchObject({ exit: 0, slot: second, replaces: before?.attempt });
});

test('a source that is missing is asked again', async () => {
  const made = company();
  made.away.add('windows');
  await runNight(made.order(first), made.parts(here.store));
  made.away.clear();
  made.asked.length = 0;
  expect(await runNight(made.order(first, heals), made.parts(here.store))).toMatchObject({ exit: 0 });
  expect(made.asked).toEqual(['windows']);
});

test.each<[string, (made: ReturnType<typeof company>) => void]>([
  ['suspect', (made) => made.shrunk.add('windows')],
  ['untrusted by a wrong instrument', (made) => made.instruments.set('windows', [{ result: 'fail' }])],
  ['untrusted by one that nobody has accepted', (made) => made.instruments.set('windows', [{ result: 'unknown' }])],
  [
    'untrusted by a wrong instrument of which something could not be read',
    (made) => made.instruments.set('windows', [{ result: 'fail' }, unread]),
  ],
])('a source that is %s is left to people', async (_, change) => {
  const made = await nightAfter(change);
  const before = await contentsOf(here.path, true);
  const outcome = await runNight(made.order(second, heals), made.parts(here.store));
  expect(outcome).toMatchObject({ exit: 3, did: 'unchanged' });
  expect(made.asked).toEqual([]);
  expect(await contentsOf(here.path, true)).toEqual(before);
});

test('beside a suspect source, a carried one is healed, and the suspect answer stays as it is', async () => {
  const made = await nightAfter((one) => {
    one.shrunk.add('macs');
    one.away.add('windows');
  });
  const healed = await runNight(made.order(second, heals), made.parts(here.store));
  expect(healed).toMatchObject({ exit: 3, did: 'published' });
  expect(made.asked).toEqual(['windows']);
  const coverage = (await look(here.path))?.reports['coverage.csv'];
  expect(coverage).toContain('macs,macos,suspect');
  expect(coverage).toContain('windows,windows,complete');
});

test('a source that is away again leaves the night as it stands', async () => {
  const made = await nightAfter((one) => one.away.add('windows'));
  made.away.add('windows');
  const before = await contentsOf(here.path, true);
  expect(await runNight(made.order(second, heals), made.parts(here.store))).toMatchObject({
    exit: 3,
    did: 'unchanged',
  });
  expect(await contentsOf(here.path, true)).toEqual(before);
});

test('where nothing is to be asked, what was left undone is finished all the same', async () => {
  const channel = listener('one');
  channel.down = true;
  const made = company();
  const parts = () => ({ ...made.parts(here.store), alerts: alertsWith([channel], systemClock) });
  await runNight(made.order(first), parts());
  await rm(join(here.path, 'latest/devices.csv'));
  channel.down = false;
  made.asked.length = 0;
  const outcome = await runNight(made.order(first, heals), parts());
  expect(outcome).toMatchObject({ exit: 0, did: 'unchanged', delivery: { delivered: [{ channel: 'one' }] } });
  expect(made.asked).toEqual([]);
  expect(await contentsOf(here.path, true)).toHaveProperty(['latest/devices.csv']);
});

test('where nothing was published for the slot, it is the night itself', async () => {
  const made = company();
  await runNight(made.order(first), made.parts(here.store));
  made.asked.length = 0;
  const outcome = await runNight(made.order(second, heals), made.parts(here.store));
  expect(outcome).toMatchObject({ exit: 0, did: 'published' });
  expect(made.asked.sort()).toEqual(['macs', 'windows']);
  expect(await look(here.path)).toMatchObject({ slot: second });
});
