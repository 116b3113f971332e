/** Housekeeping that hangs, runs out of time, or fails in between: the night is published, and says what is left. */
import { expect, test } from 'vitest';
import { MusterError } from '../../src/base/errors.ts';
import { systemClock } from '../../src/http/clock.ts';
import { createBounds } from '../../src/lambda/bounds.ts';
import { runNight } from '../../src/night.ts';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import type { Store } from '../../src/storage/store.ts';
import { withDeadline } from '../../src/storage/with-deadline.ts';
import { listener, partsWith } from '../alerts/listeners.ts';
import { keysOf, place } from './folder.ts';
import { look } from './reader.ts';
import { company, slots } from './small.ts';

const [first = '', second = '', third = ''] = slots;
const here = place();

test('an audit store that never answers costs a share of the time, and no night', async () => {
  const made = company();
  await runNight(made.order(first), made.parts(here.store));
  const audit = createFolderStore(`${here.path}-audit`);
  let asked = 0;
  const silent: Store = {
    ...audit,
    async *list(prefix, after) {
      asked += 1;
      await (asked < 2 ? new Promise(() => undefined) : undefined);
      yield* audit.list(prefix, after);
    },
    digest: async (key) => {
      asked += 1;
      return asked < 3 ? new Promise(() => undefined) : audit.digest(key);
    },
  };
  const parts = { ...made.parts(here.store), audit: silent, deadline: systemClock.elapsed() + 2_000 };
  const { did, night, unfinished } = await runNight(made.order(second), parts);
  // Then it answered, and both commits were copied.
  expect({ did, unfinished }).toEqual({ did: 'published', unfinished: undefined });
  expect(night?.events).toContainEqual(
    expect.objectContaining({ key: 'housekeeping:audit', text: expect.stringContaining('No time was left') }),
  );
  expect(await keysOf(audit)).toHaveLength(2);
});

test('time that is over while copies are made is said of the copies, and not of the run', async () => {
  const made = company();
  const bounds = createBounds(1_000_000, 0);
  bounds[Symbol.dispose]();
  const over = new AbortController();
  const { message } = await reasonOf(createBounds(0, 0).publishing);
  const late: Store = {
    ...here.store,
    copy() {
      over.abort(new MusterError('deadline', message));
      return new Promise(() => undefined);
    },
  };
  const outcome = await runNight(made.order(first), made.parts(withDeadline(late, over.signal)));
  expect(message).toContain('before the run was published');
  expect(outcome).toMatchObject({ exit: 3, did: 'published', unfinished: [{ step: 'copies', code: 'deadline' }] });
  expect(JSON.stringify(outcome.unfinished)).not.toContain('before the run was published');
  expect(await look(here.path)).toMatchObject({ slot: first });
});

function reasonOf(signal: AbortSignal): Promise<Error> {
  return new Promise((resolve) => {
    const tell = () => resolve(signal.reason as Error);
    if (signal.aborted) {
      tell();
    } else {
      signal.addEventListener('abort', tell);
    }
  });
}

test('an open alert about a channel stays open while its messages cannot be read', async () => {
  const made = company();
  const [one, two] = [listener('one'), listener('two', true)];
  const night = (slot: string, store: Store = here.store) =>
    runNight(made.order(slot), partsWith(made, store, [one, two], systemClock));
  one.down = true;
  await night(first);
  await night(second);
  expect(two.taken.map(({ text }) => text)).toContain('channel.undelivered channel:one');
  const unreadable: Store = {
    ...here.store,
    read: (key) =>
      key.includes(second) && key.endsWith('events.json') ? Promise.reject(new Error('gone')) : here.store.read(key),
  };
  const { night: judged, unfinished } = await night(third, unreadable);
  expect(unfinished).toMatchObject([{ step: 'messages' }]);
  expect(judged?.state.openAlerts?.map(({ key }) => key)).toContain('channel:one');
  const text = judged?.events.find(({ key }) => key === 'housekeeping:messages')?.text;
  // What an unexpected error says may be anything.
  expect(text).toContain('An unexpected error; see the log.');
});

test('only what was tried is resolved: a dry run resolves nothing', async () => {
  const made = company();
  const away = {
    ...here.store,
    name: 'away',
    digest: async () => {
      throw new MusterError('store-unreachable', 'Away.');
    },
  };
  await runNight(made.order(first), made.parts(here.store));
  await runNight(made.order(second), { ...made.parts(here.store), audit: away });
  const { night } = await runNight(made.order(third, { dryRun: true }), made.parts(here.store));
  const about = night?.events.filter(({ key }) => key === 'housekeeping:audit');
  expect(about).toEqual([]);
  const real = await runNight(made.order(third), made.parts(here.store));
  const phases = real.night?.events.filter(({ key }) => key === 'housekeeping:audit').map(({ phase }) => phase);
  expect(phases).toEqual(['over']);
});
