/** A channel that is down, for some runs or for longer than runs are kept, and one that comes and goes (G4, G17). */
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/http/clock.ts';
import { runNight } from '../../src/night.ts';
import { readCurrentRun } from '../../src/storage/commits/log.ts';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import { readRunEvents } from '../../src/storage/runs/events-record.ts';
import { verifyRuns } from '../../src/storage/verify/verify.ts';
import { keysOf } from '../night/folder.ts';
import { company, slots } from '../night/small.ts';
import { memoryDisk } from '../storage/disks.ts';
import { counts, type Listener, listener, partsWith } from './listeners.ts';

const [first = '', second = '', third = '', fourth = ''] = slots;

function openSetup(...names: readonly string[]) {
  const store = createFolderStore('/store', memoryDisk());
  const made = company();
  const listeners = names.map((name) => listener(name, name === 'parts'));
  const night = (slot: string, channels = listeners, quiet = false) => {
    const { alerts, ...parts } = partsWith(made, store, channels, systemClock);
    return runNight(made.order(slot), { ...parts, ...(alerts && { alerts: { ...alerts, quiet } }) });
  };
  return { made, listeners, night, store };
}

const texts = ({ taken }: Listener) => taken.map(({ text }) => text);
const slotsOf = ({ taken }: Listener) => [...new Set(taken.map(({ key }) => key.split('/')[1]))];

describe('a channel that is down', () => {
  it('is reported through the others, once, and misses nothing [L1]', async () => {
    const { listeners, night } = openSetup('one', 'other');
    const [one, other] = listeners as [Listener, Listener];
    expect(await night(first)).toMatchObject({ exit: 0, delivery: { undelivered: [] } });
    one.down = true;
    const down = { channel: 'one', since: second, messages: 1, why: { code: 'channel-refused' } };
    expect(await night(second)).toMatchObject({ exit: 3, delivery: { undelivered: [down] } });
    expect(await night(third)).toMatchObject({ exit: 3, delivery: { undelivered: [down] } });
    expect(await night(third)).toMatchObject({ exit: 3, did: 'unchanged' });
    expect(texts(other).map((text) => text.includes('The channel one has accepted no message'))).toEqual([
      false,
      false,
      true,
    ]);
    one.down = false;
    expect(await night(fourth)).toMatchObject({ exit: 0, delivery: { undelivered: [] } });
    // Its own silence is no news to it.
    expect(texts(one).join()).not.toContain('The channel one');
    expect([...counts(one).values(), ...counts(other).values()].every((count) => count === 1)).toBe(true);
  });

  it('for five runs gets one message about all of them; a program gets the five [L7]', async () => {
    const { made, listeners, night } = openSetup('one', 'parts');
    const [one, parts] = listeners as [Listener, Listener];
    await night(first);
    for (const channel of listeners) {
      channel.down = true;
      channel.taken.length = 0;
    }
    for (const [index, slot] of slots.slice(1, 6).entries()) {
      // Away for two runs, sound again, and away at the end.
      made.away[[0, 1, 4].includes(index) ? 'add' : 'delete']('windows');
      expect(await night(slot)).toMatchObject({ exit: 3 });
    }
    for (const channel of listeners) {
      channel.down = false;
    }
    expect(await night(slots[5] ?? '')).toMatchObject({ delivery: { undelivered: [] } });
    expect(one.taken).toHaveLength(1);
    const [text = ''] = texts(one);
    expect(text).toContain(`Since ${second}: `);
    expect(text).toContain('windows not complete');
    expect(text).toMatch(/alerts? opened and ended meanwhile\./);
    expect(slotsOf(parts)).toEqual(slots.slice(1, 6));
    expect(texts(parts).filter((event) => event.includes('source:windows'))).toEqual([
      'source.carried source:windows',
      'source.carried source:windows',
      'source.sound-again source:windows',
      'source.carried source:windows',
    ]);
  });

  it('for longer than runs are kept is told what is open, and how many runs it missed', async () => {
    const { made, listeners, night, store } = openSetup('one', 'parts');
    const [one, parts] = listeners as [Listener, Listener];
    made.keptNights = 2;
    await night(first);
    for (const channel of listeners) {
      channel.down = true;
      channel.taken.length = 0;
    }
    made.away.add('windows');
    for (const slot of slots.slice(1, 8)) {
      await night(slot);
    }
    for (const channel of listeners) {
      channel.down = false;
    }
    expect(await night(slots[7] ?? '')).toMatchObject({ delivery: { undelivered: [] } });
    expect(texts(one)).toHaveLength(1);
    expect(texts(one)[0]).toMatch(/[45] earlier runs are no longer kept/);
    expect(texts(one)[0]).toContain('windows');
    const [word, ...events] = texts(parts);
    expect(word).toBe('runs.missed missed:parts');
    expect(events).toContain('source.carried source:windows');
    expect((await verifyRuns(store)).damage).toEqual([]);
    // Claims and marks go, but for the last mark.
    for (const slot of slots.slice(8, 12)) {
      await night(slot);
    }
    const keys = (await keysOf(store)).filter((key) => key.startsWith('deliveries/one/'));
    expect(keys).toEqual(['deliveries/one/0000000012.mark.json']);
  });
});

describe('a channel of the settings', () => {
  it('begins with the run that lists it first; taken out it is not listed, and added again it begins anew [L8]', async () => {
    const { made, listeners, night, store } = openSetup('one', 'other');
    const [one, other] = listeners as [Listener, Listener];
    const listed = async () => {
      const run = await readCurrentRun(store);
      return run && (await readRunEvents(store, run)).channels.map(({ name, from }) => `${name} ${from}`);
    };
    await night(first, [other]);
    await night(second);
    expect(await listed()).toEqual(['one 2', 'other 1']);
    expect(slotsOf(one)).toEqual([second]);
    one.down = true;
    made.away.add('windows');
    await night(third);
    // What it did not accept is owed to nobody, and no run speaks of it.
    expect(await night(third, [other])).toMatchObject({ exit: 3, delivery: { undelivered: [] } });
    await night(fourth, [other]);
    expect(await listed()).toEqual(['other 1']);
    one.down = false;
    made.away.clear();
    await night(slots[4] ?? '');
    expect(await listed()).toEqual(['one 5', 'other 1']);
    expect(slotsOf(one)).toEqual([second, slots[4]]);
    expect(texts(one).at(-1)).toContain('complete and sound again');
    expect(texts(one).at(-1)).not.toContain('Since');
  });

  it('at another address gets nothing that was meant for the address before', async () => {
    const { made, listeners, night } = openSetup('one');
    const [one] = listeners as [Listener];
    await night(first);
    one.down = true;
    made.away.add('windows');
    await night(second);
    made.away.clear();
    const moved = Object.assign(listener('one'), { address: 'elsewhere' });
    await night(third, [moved]);
    expect(slotsOf(moved)).toEqual([third]);
    expect(texts(moved).join()).not.toContain('opened and ended');
  });
});

it('with alerts.quiet a device that lost the agent waits for the week’s summary, and a source does not', async () => {
  const { made, listeners, night } = openSetup('one', 'parts');
  const [one, parts] = listeners as [Listener, Listener];
  for (const [index, slot] of slots.slice(0, 9).entries()) {
    made.away[index === 3 ? 'add' : 'delete']('windows');
    await night(slot, listeners, true);
  }
  expect(slotsOf(one)).toEqual([first, slots[3], slots[4]]);
  expect(texts(one)[1]).toContain('not complete');
  expect(texts(one)[2]).toContain('complete and sound again');
  expect(parts.taken.length).toBeGreaterThan(9);
});
