/** A store that fails at any one request of a delivery loses no message, and sends the same bytes again at most once (G4, G5). */
import { expect, it } from 'vitest';
import { MusterError } from '../../src/base/errors.ts';
import { systemClock } from '../../src/http/clock.ts';
import { runNight } from '../../src/night.ts';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import { toCommitKey } from '../../src/storage/keys.ts';
import type { Store } from '../../src/storage/store.ts';
import { company, slots } from '../night/small.ts';
import { memoryDisk } from '../storage/disks.ts';
import { counts, listener, partsWith } from './listeners.ts';

const [first = '', second = ''] = slots;

/** Fails at one request about deliveries after the run is published, before or after it was done. */
function failAt(store: Store, request: number, isDone: boolean) {
  let requests = 0;
  let isPublished = false;
  let isRemovalRefused = false;
  const guard = async <Result>(key: string, work: () => Promise<Result>): Promise<Result> => {
    const isCounted = isPublished && key.startsWith('deliveries/');
    requests += Number(isCounted);
    if (isCounted && requests === request) {
      if (isDone) {
        await work();
      }
      throw new MusterError('store-unreachable', 'The store is away.');
    }
    return work();
  };
  const failing: Store = {
    ...store,
    read: (key, bytes) => guard(key, () => store.read(key, bytes)),
    create(key, body) {
      isPublished ||= key === toCommitKey(2);
      return guard(key, () => store.create(key, body));
    },
    remove: (key) =>
      guard(key, () => store.remove(key)).catch((error: unknown) => {
        isRemovalRefused = true;
        throw error;
      }),
    async *list(prefix, after) {
      yield* await guard(prefix, () => Array.fromAsync(store.list(prefix, after)));
    },
  };
  return { failing, count: () => requests, isRemovalRefused: () => isRemovalRefused };
}

async function openSetup(isDown: boolean) {
  const store = createFolderStore('/store', memoryDisk());
  const made = company();
  const channels = [listener('one'), listener('parts', true)];
  const night = (slot: string, on: Store = store) =>
    runNight(made.order(slot), partsWith(made, on, channels, systemClock));
  await night(first);
  for (const channel of channels) {
    channel.down = isDown;
    channel.taken.length = 0;
  }
  return { store, channels, night };
}

it.each([false, true])('at each of its requests; the channel accepts nothing: %s', async (isDown) => {
  const whole = await openSetup(isDown);
  const noted = failAt(whole.store, 0, false);
  await whole.night(second, noted.failing);
  expect(noted.count()).toBeGreaterThan(10);
  let duplicates = 0;
  for (let request = 1; request <= noted.count(); request += 1) {
    for (const isDone of [false, true]) {
      const { store, channels, night } = await openSetup(isDown);
      const where = `request ${request}, done: ${isDone}`;
      const { failing, isRemovalRefused } = failAt(store, request, isDone);
      const outcome = await night(second, failing);
      // What cannot be removed is what nobody reads again.
      const exit = isRemovalRefused() && !isDown ? 0 : 3;
      expect(outcome, where).toMatchObject({ exit, did: 'published' });
      for (const channel of channels) {
        channel.down = false;
      }
      expect(await night(second), where).toMatchObject({ exit: 0, delivery: { undelivered: [] } });
      for (const channel of channels) {
        expect(channel.taken.length, where).toBeGreaterThan(0);
        expect(Math.max(...counts(channel).values()), where).toBeLessThanOrEqual(2);
        expect(new Set(channel.taken.map(({ key, text }) => `${key} ${text}`)).size, where).toBe(counts(channel).size);
        duplicates += channel.taken.length - counts(channel).size;
      }
      const before = channels.map(({ taken }) => taken.length);
      await night(second);
      expect(channels.map(({ taken }) => taken.length)).toEqual(before);
    }
  }
  expect(duplicates > 0).toBe(!isDown);
});
