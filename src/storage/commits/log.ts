/**
 * The log: commits, numbered from 1, each of which names the one before it by its SHA-256. Creating the next commit
 * publishes a run; of two runs at once, one creates it, and the other learns that it exists. The commit of the highest
 * number is the current run.
 */
import { MusterError } from '../../base/errors.ts';
import type { KeptRun } from '../../core/facts/operations.ts';
import { commitsPrefix, latestKey, parseCommitNumber, toCommitKey } from '../keys.ts';
import type { Store } from '../store.ts';
import { createDamageError } from '../stored-json.ts';
import { type PublishedRun, parseCommit } from './commit.ts';
import { readLatest } from './latest.ts';

/** The current run, for mere readers; undefined before the first one. Writers use `checkHead`. */
export async function readCurrentRun(store: Store): Promise<PublishedRun | undefined> {
  const latest = await readLatest(store);
  const newest = (await listCommitNumbers(store, latest?.number)).at(-1);
  if (newest === undefined && latest !== undefined) {
    throw createLogError(store, describeAhead(latest.number));
  }
  return newest === undefined ? undefined : requireCommit(store, newest);
}

export function describeAhead(number: number): string {
  return `${toCommitKey(number)} is missing, though ${latestKey} names it`;
}

/** Numbers in ascending order, from a given one on. Other keys are skipped, and reported by verification. */
export async function listCommitNumbers(store: Store, from = 1): Promise<number[]> {
  const numbers: number[] = [];
  for await (const key of store.list(commitsPrefix, toCommitKey(from - 1))) {
    numbers.push(...[parseCommitNumber(key)].filter((number) => number !== undefined));
  }
  return numbers;
}

/** Reads a commit; undefined where there is none of this number. */
export async function readCommit(store: Store, number: number): Promise<PublishedRun | undefined> {
  const key = toCommitKey(number);
  const body = await store.read(key);
  const run = body && parseCommit(body, key);
  if (run !== undefined && run.commit.number !== number) {
    throw createDamageError(key, 'it is not a commit of that number');
  }
  return run;
}

export async function requireCommit(store: Store, number: number): Promise<PublishedRun> {
  const run = await readCommit(store, number);
  if (run === undefined) {
    throw createLogError(store, `${toCommitKey(number)} is missing`);
  }
  return run;
}

/** Reads the commit of a kept run, whose SHA-256 the checked head names. */
export async function readKeptRun(
  store: Store,
  { number, sha256 }: Pick<KeptRun, 'number' | 'sha256'>,
): Promise<PublishedRun> {
  const run = await requireCommit(store, number);
  if (run.sha256 !== sha256) {
    throw createLogError(store, `${toCommitKey(number)} is not the one that later runs keep`);
  }
  return run;
}

/** The error `log-damaged`, with one sentence for runs, checks and alerts. */
export function createLogError({ name }: Pick<Store, 'name'>, what: string): MusterError {
  return new MusterError(
    'log-damaged',
    `The log of ${name} cannot be trusted: ${what}. Nothing is published on it; muster verify names all that is wrong, and docs/keeping.md says how to restore it.`,
  );
}
