/** Requests that a run makes to the store or the audit, each one atomic step, and a memory that answers them. */

export type Place = 'store' | 'audit';

export type Request =
  | { readonly kind: 'read' | 'list' | 'remove'; readonly place: Place; readonly key: string }
  | { readonly kind: 'copy'; readonly place: Place; readonly key: string; readonly from: string }
  | { readonly kind: 'create' | 'put'; readonly place: Place; readonly key: string; readonly text: string };

/** The answer to a request; a failed one is thrown as `requestFailed`. */
export interface Answer {
  readonly text?: string | undefined;
  readonly keys?: readonly string[];
  readonly isTaken?: boolean;
}

/** A sequence of requests that a scheduler may interleave with others. */
export type Steps<Result> = Generator<Request, Result, Answer>;

export type Memory = Readonly<Record<Place, Map<string, string>>>;

export const requestFailed = new Error('The request was not answered.');

export function makeMemory(): Memory {
  return { store: new Map(), audit: new Map() };
}

export function answerRequest(memory: Memory, request: Request): Answer {
  const files = memory[request.place];
  switch (request.kind) {
    case 'read':
      return { text: files.get(request.key) };
    case 'list':
      return { keys: listKeys(files, request.key) };
    case 'remove':
      files.delete(request.key);
      return {};
    case 'create':
      if (files.has(request.key)) {
        return { isTaken: true };
      }
      files.set(request.key, request.text);
      return { isTaken: false };
    case 'put':
      files.set(request.key, request.text);
      return {};
    case 'copy':
      return copyFile(files, request.from, request.key);
  }
}

function copyFile(files: Map<string, string>, from: string, to: string): Answer {
  const text = files.get(from);
  if (text !== undefined) {
    files.set(to, text);
  }
  return { text };
}

function listKeys(files: ReadonlyMap<string, string>, prefix: string): string[] {
  const keys: string[] = [];
  for (const key of files.keys()) {
    if (key.startsWith(prefix)) {
      keys.push(key);
    }
  }
  return keys.sort();
}

export function* read(key: string, place: Place = 'store'): Steps<string | undefined> {
  return (yield { kind: 'read', place, key }).text;
}

export function* list(key: string, place: Place = 'store'): Steps<readonly string[]> {
  return (yield { kind: 'list', place, key }).keys ?? [];
}

/** Answers whether the key was free. */
export function* create(key: string, text: string, place: Place = 'store'): Steps<boolean> {
  return (yield { kind: 'create', place, key, text }).isTaken !== true;
}

export function* put(key: string, text: string): Steps<void> {
  yield { kind: 'put', place: 'store', key, text };
}

/** Answers whether there was anything to copy. */
export function* copy(from: string, key: string): Steps<boolean> {
  return (yield { kind: 'copy', place: 'store', key, from }).text !== undefined;
}

export function* remove(key: string): Steps<void> {
  yield { kind: 'remove', place: 'store', key };
}

/** The result of the steps, or `otherwise` where one of their requests failed. */
export function* tryOr<Result, Otherwise>(steps: Steps<Result>, otherwise: Otherwise): Steps<Result | Otherwise> {
  try {
    return yield* steps;
  } catch (error) {
    if (error !== requestFailed) {
      throw error;
    }
    return otherwise;
  }
}

/** Steps that are under way together: a request that fails keeps none of the others, and all of them fail in the end. */
export function* sideBySide<Result>(all: readonly Steps<Result>[]): Steps<Result[]> {
  const results: Result[] = [];
  let isFailed = false;
  for (const steps of all) {
    const result: Result | typeof requestFailed = yield* tryOr(steps, requestFailed);
    if (result === requestFailed) {
      isFailed = true;
    } else {
      results.push(result as Result);
    }
  }
  if (isFailed) {
    throw requestFailed;
  }
  return results;
}
