/** The two ends that come before Lambda's own, and a store that is asked nothing after the second. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createBounds } from '../../src/lambda/bounds.ts';
import type { Store } from '../../src/storage/store.ts';
import { withDeadline } from '../../src/storage/with-deadline.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test.each([
  { remaining: 900_000, gathering: 750_000, publishing: 895_000 },
  { remaining: 300_000, gathering: 225_000, publishing: 295_000 },
  { remaining: 20_000, gathering: 15_000, publishing: 19_000 },
])(
  'of $remaining ms, the platforms get $gathering and the store $publishing [C4]',
  ({ remaining, gathering, publishing }) => {
    const bounds = createBounds(remaining, 1_000);
    expect(bounds.deadline).toBe(1_000 + gathering);
    vi.advanceTimersByTime(gathering - 1);
    expect(bounds.gathering.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(bounds.gathering.reason).toMatchObject({ code: 'deadline' });
    vi.advanceTimersByTime(publishing - gathering - 1);
    expect(bounds.publishing.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(bounds.publishing.reason).toMatchObject({ code: 'deadline' });
  },
);

test('what ended in time leaves no timer for the next invocation', () => {
  const bounds = createBounds(900_000, 0);
  bounds[Symbol.dispose]();
  expect(vi.getTimerCount()).toBe(0);
});

test('without any time left, both ends have come', () => {
  const bounds = createBounds(0, 0);
  vi.advanceTimersByTime(1);
  expect([bounds.gathering.aborted, bounds.publishing.aborted]).toEqual([true, true]);
});

/** A store that answers nothing, and writes down what it was asked. */
function silentStore(asked: string[]): Store {
  const silent = (name: string) => () => {
    asked.push(name);
    return new Promise<never>(() => undefined);
  };
  const silentStream = (name: string) => () => ({ [Symbol.asyncIterator]: () => ({ next: silent(name) }) });
  return {
    name: 'silent',
    ...{ probe: silent('probe'), read: silent('read'), digest: silent('digest'), create: silent('create') },
    ...{ put: silent('put'), copy: silent('copy'), swap: silent('swap'), remove: silent('remove') },
    ...{ stream: silentStream('stream'), list: silentStream('list') },
  };
}

async function all<T>(pieces: AsyncIterable<T>): Promise<T[]> {
  const got: T[] = [];
  for await (const piece of pieces) {
    got.push(piece);
  }
  return got;
}

const body = Buffer.from('x');
const uses: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  probe: (store) => store.probe(),
  read: (store) => store.read('k'),
  digest: (store) => store.digest('k'),
  create: (store) => store.create('k', body),
  put: (store) => store.put('k', body),
  copy: (store) => store.copy('k', 'l'),
  remove: (store) => store.remove('k'),
  stream: (store) => all(store.stream('k')),
  list: (store) => all(store.list('k/')),
};

test.each(Object.entries(uses))('%s ends with the signal, and is not begun after it', async (name, use) => {
  const asked: string[] = [];
  const controller = new AbortController();
  const store = withDeadline(silentStore(asked), controller.signal);
  const waiting = use(store);
  controller.abort(new Error('over'));
  await expect(waiting).rejects.toThrow('over');
  await expect(use(store)).rejects.toThrow('over');
  expect(asked).toEqual([name]);
});

test('before the signal it is the store itself', async () => {
  const pieces = [Buffer.from('a'), Buffer.from('b')];
  const store: Store = {
    ...silentStore([]),
    read: async (key) => Buffer.from(key),
    async *stream() {
      yield* pieces;
    },
  };
  const bound = withDeadline(store, new AbortController().signal);
  expect(bound.name).toBe('silent');
  expect((await bound.read('key'))?.toString()).toBe('key');
  expect(await all(bound.stream('key'))).toEqual(pieces);
});
