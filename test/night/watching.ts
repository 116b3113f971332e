/** A store at whose requests a test acts. */
import type { Store } from '../../src/storage/store.ts';

/** Calls `before` with the number of each request, which is then made. */
export function watching(store: Store, before: (request: number) => Promise<void>): Store {
  let requests = 0;
  const watch = async () => {
    requests += 1;
    await before(requests);
  };
  const each = <Words extends unknown[], Answer>(work: (...words: Words) => Promise<Answer>) => {
    return async (...words: Words) => {
      await watch();
      return work(...words);
    };
  };
  return {
    name: store.name,
    probe: each(store.probe),
    read: each(store.read),
    digest: each(store.digest),
    create: each(store.create),
    put: each(store.put),
    copy: each(store.copy),
    remove: each(store.remove),
    async *stream(key) {
      await watch();
      yield* store.stream(key);
    },
    async *list(prefix, after) {
      await watch();
      yield* store.list(prefix, after);
    },
  };
}
