/** A gate between a run and its stores: each request waits there until the scheduler releases it. */
import type { Body, Store } from '../../src/storage/store.ts';
import type { SeenRequest } from './landmarks.ts';

/** A request that waits. Exactly one of `grant` and `refuse` is called, or none where the run was killed. */
export interface WaitingRequest {
  readonly request: SeenRequest;
  /** Has the effect of the request; it is released by `grant`, with the same answer. */
  readonly perform: () => Promise<unknown>;
  readonly grant: (answer: Promise<unknown>) => void;
  readonly refuse: (failure: Error) => void;
}

export class Gate {
  readonly #waiting: WaitingRequest[] = [];
  #wake: () => void = () => undefined;
  #isClosed = false;

  /** The request that has waited longest, as soon as there is one; undefined once the run has ended. */
  async takeNext(): Promise<WaitingRequest | undefined> {
    while (this.#waiting.length === 0 && !this.#isClosed) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#waiting.shift();
  }

  /** Tells the scheduler that the run has ended. */
  close(): void {
    this.#isClosed = true;
    this.#wake();
  }

  wrap(store: Store, place: SeenRequest['place']): Store {
    const ask = <Result>(kind: SeenRequest['kind'], key: string, perform: () => Promise<Result>) =>
      this.#ask({ kind, place, key }, perform);
    return {
      name: store.name,
      probe: () => store.probe(),
      read: (key) => ask('read', key, () => store.read(key)),
      digest: (key) => ask('read', key, () => store.digest(key)),
      stream: (key) => streamLater(ask('read', key, () => collect(store.stream(key)))),
      list: (prefix, after) => listLater(() => ask('list', prefix, () => Array.fromAsync(store.list(prefix, after)))),
      create: async (key, body) => {
        const bytes = await collect(body);
        return await ask('create', key, () => store.create(key, bytes));
      },
      put: async (key, body) => {
        const bytes = await collect(body);
        return await ask('put', key, () => store.put(key, bytes));
      },
      copy: (from, to) => ask('copy', to, () => store.copy(from, to)),
      remove: (key) => ask('remove', key, () => store.remove(key)),
    };
  }

  #ask<Result>(request: SeenRequest, perform: () => Promise<Result>): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      const grant = (answer: Promise<unknown>) => resolve(answer as Promise<Result>);
      this.#waiting.push({ request, perform, grant, refuse: reject });
      this.#wake();
    });
  }
}

/** A body may read from a gated store itself, so that it is read before its request waits. */
async function collect(body: Body): Promise<Buffer> {
  return Buffer.isBuffer(body) ? body : Buffer.concat(await Array.fromAsync(body));
}

async function* streamLater(bytes: Promise<Buffer>): AsyncIterable<Buffer> {
  yield await bytes;
}

async function* listLater(listKeys: () => Promise<string[]>): AsyncIterable<string> {
  yield* await listKeys();
}
