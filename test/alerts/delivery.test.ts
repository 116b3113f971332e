/** Messages on their way: killed anywhere, two finishers at once, a channel that is down, gone, or back (G4, G5). */
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it, test } from 'vitest';
import { systemClock } from '../../src/http/clock.ts';
import { runNight } from '../../src/night.ts';
import { acceptRun } from '../../src/run/corrections/republish.ts';
import type { Disk } from '../../src/storage/folder/disk.ts';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import type { Store } from '../../src/storage/store.ts';
import { verifyRuns } from '../../src/storage/verify/verify.ts';
import { fakeClock } from '../http/loopback.ts';
import { keysOf } from '../night/folder.ts';
import { company, slots } from '../night/small.ts';
import { sample } from '../sampling.ts';
import { around, killing, memoryDisk } from '../storage/disks.ts';
import { counts, type Listener, listener, partsWith } from './listeners.ts';

const [first = '', second = '', third = '', fourth = ''] = slots;

function world(...names: readonly string[]) {
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
    ['', false, [1, 4]],
    [', which carries on what a channel did not take the night before', true, [2, 4]],
  ])(
    'no message is lost, and at most one a channel is sent twice, under its key%s [C1, L2]',
    async (name, isCarrying, wanted) => {
      /** The night before; what was taken then is not looked at. */
      async function begun() {
        const made = world('one', 'parts');
        const [one] = made.listeners as [Listener];
        one.down = isCarrying;
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
      expect(messages.map(({ length }) => length)).toEqual(wanted);

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
          const twice = one.taken.length - distinct.size;
          expect(twice, where).toBeLessThanOrEqual(1);
          duplicates += twice;
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
    },
  );
});

test('two finishers at once send each message once', async () => {
  const { made, listeners, night, store } = world('one', 'parts');
  await night(first);
  for (const one of listeners) {
    one.down = true;
  }
  expect(await night(second)).toMatchObject({ exit: 3 });
  for (const one of listeners) {
    one.down = false;
    one.taken.length = 0;
  }
  // A clock that lets the others do their work, while claims live on.
  const clock = { ...systemClock, sleep: () => turn() };
  const finish = () => runNight(made.order(second), partsWith(made, store, listeners, clock));
  const outcomes = await Promise.all([finish(), finish(), finish()]);
  expect(outcomes.map(({ exit, did }) => `${exit} ${did}`)).toEqual(['0 unchanged', '0 unchanged', '0 unchanged']);
  for (const one of listeners) {
    expect([...counts(one).values()].filter((count) => count !== 1)).toEqual([]);
  }
  expect(listeners.map(({ taken }) => taken.length)).toEqual([1, 4]);
});

test('a claim whose holder is gone is waited for, then taken over; what was delivered meanwhile is not sent again [S16]', async () => {
  const { made, listeners, night, store, clock } = world('one');
  const [one] = listeners as [Listener];
  one.down = true;
  await night(first);
  one.down = false;
  const folder = (await keysOf(store)).find((key) => key.endsWith('/outbox.json'))?.replace('outbox.json', '') ?? '';
  const claim = (number: number) => `${folder}claims/one-1-${number}.json`;
  await store.create(claim(1), Buffer.from(JSON.stringify({ at: clock.now().toISOString() })));
  // The holder was only slow: it marks the message just before its claim is taken over.
  const slow: Store = {
    ...store,
    async create(key, body) {
      const stored = await store.create(key, body);
      if (key === claim(2)) {
        await store.create(`${folder}delivered/one-1.json`, Buffer.from('{}'));
      }
      return stored;
    },
  };
  expect(await runNight(made.order(first), partsWith(made, slow, listeners, clock))).toMatchObject({ exit: 0 });
  expect(clock.waits.reduce((sum, wait) => sum + wait, 0)).toBe(90_000);
  expect(await keysOf(store)).toContain(claim(2));
  expect(one.taken).toEqual([]);
});

describe('a channel that is down', () => {
  it('is tried first by the next run, misses nothing, and is reported through the others, once [L1]', async () => {
    const { listeners, night, clock } = world('one', 'other');
    const [one, other] = listeners as [Listener, Listener];
    expect(await night(first)).toMatchObject({ exit: 0, delivery: { undelivered: [] } });
    one.down = true;
    const down = { channel: 'one', since: second, why: { code: 'channel-refused' } };
    expect(await night(second)).toMatchObject({ exit: 3, delivery: { undelivered: [{ ...down, messages: 1 }] } });
    expect(await night(third)).toMatchObject({ exit: 3, delivery: { undelivered: [{ ...down, messages: 2 }] } });
    expect(await night(third)).toMatchObject({ exit: 3, did: 'unchanged' });
    expect(texts(other).map((text) => text.includes('The channel one has accepted no message'))).toEqual([
      false,
      false,
      true,
    ]);
    // Nobody waits for a claim that was given back.
    expect(clock.waits).toEqual([]);
    one.down = false;
    expect(await night(fourth)).toMatchObject({
      exit: 0,
      delivery: { delivered: [{ channel: 'one', messages: 3 }, { channel: 'other' }] },
    });
    expect(one.taken.map(({ key }) => key.split('/')[1])).toEqual([first, second, third, fourth]);
    // Its own silence is no news to it.
    for (const text of texts(one)) {
      expect(text).not.toContain('The channel one');
    }
    expect([...counts(one).values(), ...counts(other).values()].every((count) => count === 1)).toBe(true);
  });

  it('gets what it missed once it is back, in order and once, also where only one night is kept [L7]', async () => {
    const { made, listeners, night, store } = world('one');
    const [one] = listeners as [Listener];
    made.keptNights = 1;
    await night(first);
    one.down = true;
    await night(second);
    await night(third);
    one.down = false;
    for (const slot of [...slots.slice(3, 7), slots[6] ?? '']) {
      expect(await night(slot)).toMatchObject({ exit: 0 });
    }
    expect(one.taken.map(({ key }) => key.split('/')[1])).toEqual(slots.slice(0, 7));
    expect((await verifyRuns(store)).damage).toEqual([]);
  });

  it('for longer than nights are kept gives up the oldest messages, and says so', async () => {
    const { made, listeners, night } = world('one', 'other');
    const [one] = listeners as [Listener];
    // People get one message instead of many: see below.
    Object.assign(one, { audience: 'programs' });
    made.keptNights = 2;
    await night(first);
    one.down = true;
    // A week to repair it, even where fewer nights are kept.
    for (const slot of slots.slice(1, 9)) {
      expect((await night(slot)).delivery?.dropped).toBeUndefined();
    }
    const outcome = await night(slots[9] ?? '');
    expect(outcome.delivery).toMatchObject({
      dropped: [{ channel: 'one', messages: 1 }],
      undelivered: [{ messages: 8 }],
    });
    one.down = false;
    expect((await night(slots[9] ?? '')).exit).toBe(0);
    expect(one.taken.map(({ key }) => key.split('/')[1])).toEqual([first, ...slots.slice(2, 10)]);
  });

  it('and then removed from the settings is said, and given up with the next night [L8]', async () => {
    const { listeners, night } = world('one', 'other');
    const [one, other] = listeners as [Listener, Listener];
    await night(first);
    one.down = true;
    await night(second);
    const channels = [other];
    const gone = { channel: 'one', why: { code: 'channel-gone' } };
    expect(await night(second, { channels })).toMatchObject({
      exit: 3,
      did: 'unchanged',
      delivery: { undelivered: [gone] },
    });
    const outcome = await night(third, { channels });
    expect(outcome).toMatchObject({
      exit: 0,
      delivery: { undelivered: [], dropped: [{ channel: 'one', messages: 1 }] },
    });
    expect(await night(fourth, { channels })).toMatchObject({ exit: 0 });
    expect(texts(other).join()).not.toContain('The channel one');
  });
});

describe('what people missed', () => {
  it('for long is one message, which says what still stands and how much came and went', async () => {
    const { made, listeners, night } = world('one', 'parts');
    const [one] = listeners as [Listener];
    await night(first);
    one.down = true;
    for (const [index, slot] of slots.slice(1, 8).entries()) {
      made.away[index % 2 === 0 ? 'add' : 'delete']('windows');
      await night(slot);
    }
    one.down = false;
    made.away.clear();
    const outcome = await night(slots[8] ?? '');
    // What was pending when the run began is tried first; the rest is one message.
    expect(outcome).toMatchObject({ exit: 0, delivery: { undelivered: [] } });
    const received = texts(one).slice(1);
    expect(received.length).toBeLessThanOrEqual(2);
    expect(received.join('\n')).toContain(`Since ${second}`);
    expect(received.join('\n')).toMatch(/opened and ended meanwhile/);
  });

  it('with alerts.quiet comes once a week, but errors come at once; programs get everything', async () => {
    const { made, listeners, clock, store } = world('one', 'parts');
    const [one, parts] = listeners as [Listener, Listener];
    const run = (slot: string) => {
      const all = partsWith(made, store, listeners, clock);
      return runNight(made.order(slot), { ...all, ...(all.alerts && { alerts: { ...all.alerts, quiet: true } }) });
    };
    for (const [index, slot] of slots.slice(0, 9).entries()) {
      made.away[index === 3 ? 'add' : 'delete']('windows');
      await run(slot);
    }
    expect(one.taken.map(({ key }) => key.split('/')[1])).toEqual([slots[3], slots[4], slots[6]]);
    expect(texts(one)[0]).toContain('Coverage is incomplete');
    expect(texts(one)[1]).toContain('complete and sound again');
    expect(texts(one)[2]).toContain(`Since ${first}: `);
    expect(texts(one)[2]).toContain('First run');
    expect(parts.taken.length).toBeGreaterThan(9);
  });
});

test('what was held for the weekly summary of a channel that is taken out is said when it is dropped', async () => {
  const { made, clock, store } = world();
  const run = (slot: string, channels: Listener[]) => {
    const all = partsWith(made, store, channels, clock);
    return runNight(made.order(slot), { ...all, ...(all.alerts && { alerts: { ...all.alerts, quiet: true } }) });
  };
  await run(first, [listener('one')]);
  expect((await run(second, [])).delivery).toMatchObject({
    undelivered: [],
    dropped: [{ channel: 'one', messages: 0, heldEvents: 2 }],
  });
  expect((await run(third, [])).delivery).not.toHaveProperty('dropped');
});

test.each([
  ['a report that it attaches, as the run has it', 7_000_000, 7_000_000],
  ['word of one that is too large', 7_000_001, 'too large'],
])('a channel is handed %s', async (_, bytes, expected) => {
  const { made, clock, store } = world();
  const seen: unknown[] = [];
  const send: Listener['send'] = async (_payload, { attachment }) => {
    seen.push(attachment instanceof Buffer ? attachment.length : attachment);
  };
  const channels = ['muster.xlsx', 'gone.html'].map((attaches) => ({ ...listener(attaches), attaches, send }));
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
    const { made, listeners, night } = world('one', 'parts');
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
    const { made, listeners, night, store, clock } = world('parts');
    const [parts] = listeners as [Listener];
    await night(first);
    made.shrunk.add('macs');
    await night(second);
    const told = texts(parts).length;
    expect(texts(parts)).toContain('source.suspect source:macs');
    const outcome = await acceptRun(second, 'ada', partsWith(made, store, listeners, clock));
    expect(outcome).toMatchObject({ exit: 0, did: 'published' });
    const after = texts(parts).slice(told);
    expect(after).toEqual(['source.sound-again source:macs', 'baseline baseline:macs']);
    const others = after.filter((text) => !text.startsWith('baseline'));
    expect(others.filter((text) => texts(parts).slice(0, told).includes(text))).toEqual([]);
  });
});

test('a dry run makes no message and sends none [K4]', async () => {
  const { made, listeners, store, clock } = world('one');
  await runNight(made.order(first, { dryRun: true }), partsWith(made, store, listeners, clock));
  expect(listeners.map(({ taken }) => taken)).toEqual([[]]);
});
