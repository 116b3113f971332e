/** A store that rejects every operation after a deadline: a run that is out of time ends at once, and leaves nothing running. */
import { addAbortListener } from 'node:events';
import { omitUndefined } from '../base/omit-undefined.ts';
import type { Store } from './store.ts';

/** The same parts, whose stores have a deadline. */
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
    // Raced with one promise for all, each operation would keep what it returned until the run ends.
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
      // Whoever stops early leaves no file open. A store that hangs is not waited for.
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
