/** Messages on their way: killed anywhere, two finishers at once, a channel that is down, gone, or back (G4, G5). */
import { describe, expect, it, test } from 'vitest';
import { systemClock } from '../../src/http/clock.ts';
import { runNight } from '../../src/night.ts';
import { acceptRun } from '../../src/run/corrections/republish.ts';
import type { Disk } from '../../src/storage/folder/disk.ts';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import { verifyRuns } from '../../src/storage/verify/verify.ts';
import { fakeClock } from '../http/loopback.ts';
import { company, slots } from '../night/small.ts';
import { sample } from '../sampling.ts';
import { around, killing, memoryDisk } from '../storage/disks.ts';
import { counts, type Listener, listener, partsWith } from './listeners.ts';

const [first = '', second = ''] = slots;

function openSetup(...names: readonly string[]) {
  const disk = memoryDisk();
  const made = company();
  const clock = fakeClock(Date.parse(`${first}T05:15:00Z`));
  const listeners = names.map((name) => listener(name, name === 'parts'));
  const night = (slot: string, { on = disk, channels = listeners }: { on?: Disk; channels?: Listener[] } = {}) =>
    runNight(made.order(slot), partsWith(made, createFolderStore('/store', on), channels, clock));
  const store = createFolderStore('/store', disk);
  return { disk, made, clock, listeners, night, store };
}

const texts = ({ taken }: Listener) => taken.map(({ text }) => text);

describe('killed at every effect of a night, and run again', () => {
  test.each([
    ['', false],
    [', with what a channel did not accept the night before', true],
  ])('no message is lost, and each is sent twice at most, under its key%s [C1, L2]', async (name, wasDown) => {
    /** The night before; what was taken then is not looked at. */
    async function begun() {
      const made = openSetup('one', 'parts');
      const [one] = made.listeners as [Listener];
      one.down = wasDown;
      await made.night(first);
      one.down = false;
      for (const { taken } of made.listeners) {
        taken.length = 0;
      }
      return made;
    }
    const whole = await begun();
    let effects = 0;
    const noted = around(whole.disk, (_, run) => {
      effects += 1;
      return run();
    });
    await whole.night(second, { on: noted });
    const messages = whole.listeners.map((one) => texts(one).sort());
    expect(messages.map(({ length }) => length > 0)).toEqual([true, true]);

    let duplicates = 0;
    // What a message does between two effects on the disk has been done before the second of them.
    const points = Array.from({ length: effects }, (_, index) => ({
      at: index + 1,
      kill: 'before' as 'before' | 'after',
    }));
    points.push({ at: effects, kill: 'after' });
    // Nothing is sent before the run is published, which the later half of the effects surrounds.
    const chosen = sample(
      points.filter(({ at }) => at % 5 === 0 || at > effects / 2),
      35,
    );
    for (const { at, kill } of chosen) {
      const { disk, listeners, night, store } = await begun();
      await night(second, { on: killing(disk, at, kill).disk }).catch(() => undefined);
      const where = `killed ${kill} effect ${at} of ${effects}`;
      expect((await night(second)).exit, where).toBe(0);
      for (const [index, one] of listeners.entries()) {
        const distinct = new Map(one.taken.map(({ key, text }) => [key, text]));
        expect([...distinct.values()].sort(), where).toEqual(messages[index]);
        // A message of several parts is sent again as a whole.
        expect(Math.max(...counts(one).values()), where).toBeLessThanOrEqual(2);
        duplicates += one.taken.length - distinct.size;
      }
      const before = listeners.map(({ taken }) => taken.length);
      await night(second);
      expect(
        listeners.map(({ taken }) => taken.length),
        where,
      ).toEqual(before);
      expect((await verifyRuns(store)).damage, where).toEqual([]);
    }
    process.stdout.write(`delivery${name}: ${chosen.length} kills, ${duplicates} duplicates, 0 lost\n`);
    expect(duplicates).toBeGreaterThan(0);
  });
});

test('finishers at once send the same bytes under the same keys, at most once each [S16]', async () => {
  const { made, listeners, night, store } = openSetup('one', 'parts');
  await night(first);
  for (const one of listeners) {
    one.down = true;
  }
  expect(await night(second)).toMatchObject({ exit: 3 });
  for (const one of listeners) {
    one.down = false;
    one.taken.length = 0;
  }
  const finish = () => runNight(made.order(second), partsWith(made, store, listeners, systemClock));
  const outcomes = await Promise.all([finish(), finish(), finish()]);
  expect(outcomes.map(({ exit, did }) => `${exit} ${did}`)).toEqual(['0 unchanged', '0 unchanged', '0 unchanged']);
  for (const one of listeners) {
    expect(new Set(one.taken.map(({ key, text }) => `${key} ${text}`)).size).toBe(counts(one).size);
    expect(Math.max(...counts(one).values())).toBeLessThanOrEqual(3);
  }
  const before = listeners.map(({ taken }) => taken.length);
  await finish();
  expect(listeners.map(({ taken }) => taken.length)).toEqual(before);
});

test.each([
  ['a report that it attaches, as the run has it', 7_000_000, 7_000_000],
  ['word of one that is too large', 7_000_001, 'too large'],
])('a channel is handed %s', async (_, bytes, expected) => {
  const { made, clock, store } = openSetup();
  const seen: unknown[] = [];
  const send: Listener['send'] = async (_payload, { attachment }) => {
    seen.push(attachment instanceof Buffer ? attachment.length : attachment);
  };
  const channels = ['muster.xlsx', 'gone.html'].map((file) => ({
    ...listener(file),
    attaches: { file, maximumBytes: 7_000_000 },
    send,
  }));
  const report = {
    file: 'muster.xlsx',
    async *render() {
      yield Buffer.alloc(bytes);
    },
  };
  const parts = partsWith(made, store, channels, clock);
  expect(await runNight(made.order(first), { ...parts, reports: [report] })).toMatchObject({ exit: 0 });
  expect(seen.sort()).toEqual([expected, undefined]);
});

describe('a night that takes another’s place', () => {
  it('healed: tells nothing twice, ends what was told, and takes over what was not delivered', async () => {
    const { made, listeners, night } = openSetup('one', 'parts');
    const [one, parts] = listeners as [Listener, Listener];
    await night(first);
    made.away.add('windows');
    one.down = true;
    expect(await night(second)).toMatchObject({ exit: 3 });
    const told = texts(parts).slice(2);
    expect(told).toContain('source.carried source:windows');
    made.away.clear();
    one.down = false;
    expect(await night(second)).toMatchObject({ exit: 0, did: 'published' });
    const healed = texts(parts).slice(2 + told.length);
    expect(healed).toContain('source.sound-again source:windows');
    expect(healed.filter((text) => told.includes(text))).toEqual([]);
    expect(one.taken.map(({ key }) => key.split('/')[1])).toEqual([first, second, second]);
    expect([...counts(one).values()]).toEqual([1, 1, 1]);
  });

  it('accepted: says that the source is sound again, and repeats nothing', async () => {
    const { made, listeners, night, store, clock } = openSetup('parts');
    const [parts] = listeners as [Listener];
    await night(first);
    made.shrunk.add('macs');
    await night(second);
    const told = texts(parts).length;
    expect(texts(parts)).toContain('source.suspect source:macs');
    const outcome = await acceptRun(second, 'ada', partsWith(made, store, listeners, clock));
    expect(outcome).toMatchObject({ exit: 0, did: 'published' });
    const after = texts(parts).slice(told);
    expect(after).toEqual(['source.sound-again source:macs']);
  });
});

test('a dry run makes no message and sends none [K4]', async () => {
  const { made, listeners, store, clock } = openSetup('one');
  await runNight(made.order(first, { dryRun: true }), partsWith(made, store, listeners, clock));
  expect(listeners.map(({ taken }) => taken)).toEqual([[]]);
});
