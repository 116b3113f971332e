/**
 * The log: commits, numbered from 1, each of which names the one before it by its SHA-256. A run is published by the
 * commit that it creates; of two at once one creates the next number, and the other learns that it exists. The highest
 * number says which run stands.
 */
import { MusterError } from '../../base/errors.ts';
import { computeSha256 } from '../../base/sha256.ts';
import { commitsPrefix, latestKey, parseCommitNumber, parseSlotFromCopyKey, toCommitKey } from '../keys.ts';
import type { Store } from '../store.ts';
import { ignoreDamage, serializeRecord } from '../stored-json.ts';
import {
  type Commit,
  type CurrentRun,
  type PublishedRun,
  parseCommit,
  type Retraction,
  type StoredCommit,
} from './commit.ts';
import { readLatest } from './latest.ts';

/** Undefined before the first run. */
export async function readCurrentRun(store: Store): Promise<CurrentRun | undefined> {
  const number = await findNewestNumber(store);
  return number === undefined ? undefined : resolveCurrentRun(number, (wanted) => readCommit(store, wanted));
}

/** The same from commits that were read before. */
export async function resolveCurrentRun(
  newest: number,
  read: (number: number) => Promise<StoredCommit>,
): Promise<CurrentRun> {
  const head = await read(newest);
  const run = head.commit.stands === newest ? head : await read(head.commit.stands);
  const retractions: Retraction[] = [];
  let before = run;
  for (let number = run.commit.number + 1; number <= newest; number += 1) {
    const next = number === newest ? head : await read(number);
    if (next.commit.kind === 'retraction') {
      const { stands } = before.commit;
      retractions.push({ ...next, run: stands === before.commit.number ? before : await read(stands) });
    }
    before = next;
  }
  return { ...run, head, retractions };
}

/** With one list, of what was published since `latest.json` was made. */
async function findNewestNumber(store: Store): Promise<number | undefined> {
  const latest = await readLatest(store);
  const numbers = await listCommitNumbers(store, latest?.number);
  const newest = numbers.at(-1);
  if (newest !== undefined && (latest === undefined || numbers[0] === latest.number)) {
    return newest;
  }
  if (latest !== undefined) {
    throw createLogError(store, describeAhead(latest.number));
  }
  const trace = await findTrace(store.list(''), []);
  if (trace === undefined) {
    return undefined;
  }
  // Another run may have published the first night since the log was listed.
  if ((await listCommitNumbers(store)).length > 0) {
    return findNewestNumber(store);
  }
  throw createLogError(store, trace);
}

export function describeAhead(number: number): string {
  return `${toCommitKey(number)} is missing, though ${latestKey} names it`;
}

/** In order; from one number on, where it is given. */
export async function listCommitNumbers(store: Store, from = 1): Promise<number[]> {
  const numbers: number[] = [];
  for await (const key of store.list(commitsPrefix, toCommitKey(from - 1))) {
    numbers.push(...[parseCommitNumber(key)].filter((number) => number !== undefined));
  }
  return numbers;
}

export async function readCommit(store: Store, number: number): Promise<StoredCommit> {
  const key = toCommitKey(number);
  const body = await store.read(key);
  if (body === undefined) {
    throw createLogError(store, `${key} is missing`);
  }
  return toStoredCommit(body, number);
}

export function toStoredCommit(body: Buffer, number: number): StoredCommit {
  return { commit: parseCommit(body, toCommitKey(number)), sha256: computeSha256(body) };
}

/** False when somebody else was first. */
export async function appendCommit(store: Store, commit: Commit): Promise<boolean> {
  const key = toCommitKey(commit.number);
  const body = serializeRecord(commit);
  try {
    await store.create(key, body);
    return true;
  } catch (error) {
    // A creation that failed may have been done all the same; then the commit stands, whatever the store said.
    const stored = await store.read(key).catch(() => undefined);
    if (stored === undefined) {
      throw error;
    }
    return stored.equals(body);
  }
}

/**
 * What stands for each slot and the attempts that it replaced, newest first; retracted runs are passed over, and so are
 * commits that cannot be read, which verification names.
 */
export function readPublishedRuns(store: Store, current: CurrentRun): AsyncGenerator<PublishedRun> {
  return walkPublishedRuns(current.commit.number, async (number) =>
    number === current.commit.number ? current : ignoreDamage(() => readCommit(store, number)),
  );
}

/** The same from commits that were read before; undefined is one that cannot be read. */
export async function* walkPublishedRuns(
  from: number,
  read: (number: number) => Promise<StoredCommit | undefined>,
): AsyncGenerator<PublishedRun> {
  for (let number = from; number >= 1; ) {
    const entry = await read(number);
    if (entry?.commit.kind === 'run') {
      yield entry;
    }
    number = entry?.commit.kind === 'retraction' ? entry.commit.stands : number - 1;
  }
}

/** The run of a slot; undefined where there is none, or it is past its retention. */
export async function findRun(
  store: Store,
  current: CurrentRun | undefined,
  slot: string,
): Promise<PublishedRun | undefined> {
  if (current === undefined) {
    return undefined;
  }
  for await (const run of readPublishedRuns(store, current)) {
    if (run.commit.slot <= slot) {
      return run.commit.slot === slot && slot >= (current.head.commit.keptFrom ?? '') ? run : undefined;
    }
  }
  return undefined;
}

/** The retraction of a slot that was not run again since. The first commit is a run. */
export async function findRetraction(
  store: Store,
  { head }: CurrentRun,
  slot: string,
): Promise<StoredCommit | undefined> {
  for (let entry = head; ; entry = await readCommit(store, entry.commit.number - 1)) {
    const { kind, number } = entry.commit;
    if (entry.commit.slot === slot || number === 1) {
      return kind === 'retraction' ? entry : undefined;
    }
  }
}

/**
 * Copies, marks of messages, and files of a run that was compared with another: only a published run leaves them. Where
 * no commit names their run, the log was lost or cut off. The first one among the keys, as the reason.
 */
export async function findTrace(
  keys: AsyncIterable<string> | Iterable<string>,
  commits: readonly StoredCommit[],
): Promise<string | undefined> {
  const attempts = new Set(commits.map(({ commit: { slot, attempt } }) => `${slot}/${attempt}`));
  const slots = commits.map(({ commit }) => commit.slot).sort();
  const newest = slots.at(-1) ?? '';
  const isTrace = (key: string) => {
    const attempt = /^runs\/([^/]+\/[^/]+)\/(delivered|claims)\//.exec(key)?.[1];
    if (attempt !== undefined) {
      return !attempts.has(attempt);
    }
    const slot = parseSlotFromCopyKey(key);
    if (slot !== undefined) {
      return slot > newest;
    }
    return newest === '' && /^latest\/|^runs\/[^/]+\/[^/]+\/facts\/before\.json\.gz$/.test(key);
  };
  for await (const key of keys) {
    if (isTrace(key)) {
      return `${key} is of a run that was published, but no commit names that run`;
    }
  }
  return undefined;
}

/** The same sentence for a run, a check and an alert. */
export function createLogError({ name }: Pick<Store, 'name'>, what: string): MusterError {
  return new MusterError(
    'log-damaged',
    `The log of ${name} cannot be trusted: ${what}. Nothing is published on it; muster verify names all that is wrong, and docs/keeping.md says how to restore it.`,
  );
}
