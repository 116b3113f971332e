/** Wraps a store so that operations reject after a deadline: a late run ends at once, and leaves nothing running. */
import { addAbortListener } from 'node:events';
import { omitUndefined } from '../base/omit-undefined.ts';
import type { Store } from './store.ts';

/** Returns the parts with a deadline on their stores. */
export function limitStores<Parts extends { readonly store: Store; readonly audit?: Store }>(
  parts: Parts,
  signal: AbortSignal,
): Parts {
  const { store, audit } = parts;
  const limited = { store: withDeadline(store, signal), audit: audit && withDeadline(audit, signal) };
  return { ...parts, ...omitUndefined(limited) };
}

export function withDeadline(store: Store, signal: AbortSignal): Store {
  async function inTime<T>(operation: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    // A race with one shared promise would keep each operation's result in memory until the run ends.
    using _ = addAbortListener(signal, () => reject(signal.reason));
    operation().then(resolve, reject);
    return await promise;
  }
  async function* piecewise<T>(pieces: AsyncIterable<T>): AsyncGenerator<T> {
    const iterator = pieces[Symbol.asyncIterator]();
    try {
      for (;;) {
        const step = await inTime(() => iterator.next());
        if (step.done) {
          return;
        }
        yield step.value;
      }
    } finally {
      // Closes files of readers that stop early, without waiting for a store that hangs.
      iterator.return?.().catch(() => undefined);
    }
  }
  return {
    name: store.name,
    probe: () => inTime(() => store.probe()),
    read: (key, maximumBytes) => inTime(() => store.read(key, maximumBytes)),
    stream: (key, bytes) => piecewise(store.stream(key, bytes)),
    digest: (key, bytes) => inTime(() => store.digest(key, bytes)),
    list: (prefix, after) => piecewise(store.list(prefix, after)),
    create: (key, body) => inTime(() => store.create(key, body)),
    put: (key, body) => inTime(() => store.put(key, body)),
    copy: (from, to) => inTime(() => store.copy(from, to)),
    remove: (key) => inTime(() => store.remove(key)),
  };
}
