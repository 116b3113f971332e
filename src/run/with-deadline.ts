/** A store that rejects every operation after a deadline: a run that is out of time ends at once, and leaves nothing running. */
import type { Store } from '../storage/store.ts';

export function withDeadline(store: Store, signal: AbortSignal): Store {
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  // Callers receive the rejection; when there is none, it must not end the process.
  late.catch(() => undefined);

  async function inTime<T>(operation: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    return Promise.race([operation(), late]);
  }
  async function* piecewise<T>(pieces: AsyncIterable<T>): AsyncGenerator<T> {
    const iterator = pieces[Symbol.asyncIterator]();
    for (;;) {
      const step = await inTime(() => iterator.next());
      if (step.done) {
        return;
      }
      yield step.value;
    }
  }
  return {
    name: store.name,
    probe: () => inTime(() => store.probe()),
    read: (key) => inTime(() => store.read(key)),
    stream: (key) => piecewise(store.stream(key)),
    digest: (key) => inTime(() => store.digest(key)),
    list: (prefix) => piecewise(store.list(prefix)),
    create: (key, body) => inTime(() => store.create(key, body)),
    put: (key, body) => inTime(() => store.put(key, body)),
    copy: (from, to) => inTime(() => store.copy(from, to)),
    swap: (key, body, expected) => inTime(() => store.swap(key, body, expected)),
    remove: (key) => inTime(() => store.remove(key)),
  };
}
