/**
 * The head: the newest commit, checked. A run checks it once and builds on it; another run's commit at its own number
 * passes the same check. The chain of hashes makes the head vouch for all commits before it.
 */

import { latestKey, toCommitKey } from '../keys.ts';
import type { TrustedKeys } from '../signing/trusted-keys.ts';
import type { Store } from '../store.ts';
import { isDamageError } from '../stored-json.ts';
import { compareNewestCommits, type NewestCommits, readNewestCommits } from './audit.ts';
import { describeLostStore, findSignatureProblem } from './check-signatures.ts';
import type { PublishedRun } from './commit.ts';
import { readLatest } from './latest.ts';
import { createLogError, describeAhead, listCommitNumbers, readCommit, requireCommit } from './log.ts';
import { describeLostLog, findTrace } from './traces.ts';

/** Settings by which a commit is checked; none of them comes from the log. */
export interface LogTrust {
  /** A second store for commits. */
  readonly audit?: Store | undefined;
  /** Public keys of which one must have signed; undefined where signing is not configured. */
  readonly keys?: TrustedKeys | undefined;
}

/** Reads and checks the head; undefined before the first run. Throws `log-damaged` after a second reading. */
export async function checkHead(store: Store, trust: LogTrust): Promise<PublishedRun | undefined> {
  try {
    return await readHead(store, trust);
  } catch (error) {
    if (!isDamageError(error)) {
      throw error;
    }
    // The first reading may have seen another run between two of its writes.
    return await nameLogDamage(store, () => readHead(store, trust));
  }
}

/** Turns the damage of a commit into `log-damaged`, which stops every run. */
async function nameLogDamage<Result>(store: Store, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    throw isDamageError(error) && error.code !== 'log-damaged'
      ? createLogError(store, error.message.replace(/\.$/, ''))
      : error;
  }
}

async function readHead(store: Store, trust: LogTrust): Promise<PublishedRun | undefined> {
  // Runs write both after their commit, so that neither is ahead of the log, which is read last.
  const latest = await readLatest(store);
  const audited = await readNewestCommits(trust.audit, latest?.number);
  const newest = (await listCommitNumbers(store, latest?.number)).at(-1);
  if (newest === undefined) {
    await refuseLostLog(store, latest, audited, trust);
    return undefined;
  }
  const run = await requireCommit(store, newest);
  const head = requireSoundCommit(store, run, newest === 1 ? undefined : await readCommit(store, newest - 1), trust);
  if (latest !== undefined && latest.number > newest) {
    throw createLogError(store, describeAhead(latest.number));
  }
  if (latest?.number === newest && latest.sha256 !== head.sha256) {
    throw createLogError(store, `${toCommitKey(newest)} is not the one that ${latestKey} names`);
  }
  await compareNewestCommits(store, head, audited);
  return head;
}

/** Throws if an empty log was longer before. Attempts prove nothing: a first run may have been killed, or be under way. */
async function refuseLostLog(
  store: Store,
  latest: { readonly number: number } | undefined,
  audited: NewestCommits | undefined,
  { keys }: LogTrust,
): Promise<void> {
  if (latest !== undefined) {
    throw createLogError(store, describeAhead(latest.number));
  }
  if (audited?.newest !== undefined) {
    throw createLogError(store, `${toCommitKey(audited.newest)} is missing, though ${audited.audit.name} has it`);
  }
  const trace = await findTrace(store.list(''));
  const problem = trace === undefined ? describeLostStore(keys) : describeLostLog(trace);
  if (problem !== undefined) {
    throw createLogError(store, problem);
  }
}

/** Returns the commit if it follows the one before it and is signed as the settings say; otherwise throws `log-damaged`. */
function requireSoundCommit(
  store: Store,
  run: PublishedRun,
  before: PublishedRun | undefined,
  { keys }: LogTrust,
): PublishedRun {
  const problem = findLinkProblem(run, before) ?? findSignatureProblem(run, keys);
  if (problem !== undefined) {
    throw createLogError(store, problem);
  }
  return run;
}

/** The reason why a commit does not follow the one before it, as half a sentence; undefined where it does. */
export function findLinkProblem({ commit }: PublishedRun, before: PublishedRun | undefined): string | undefined {
  const { number, previous } = commit;
  const key = toCommitKey(number);
  if (number === 1) {
    return previous === null ? undefined : `${key} is the first, and names one before it`;
  }
  if (before === undefined) {
    return `${toCommitKey(number - 1)} is missing, though later commits are there`;
  }
  if (previous?.number !== number - 1) {
    return `${key} does not name the one before it`;
  }
  if (previous.sha256 !== before.sha256) {
    return `${toCommitKey(number - 1)} is not the one that ${key} names`;
  }
  if (commit.store !== before.commit.store) {
    return `${key} is of another store`;
  }
  if ((commit.keptFrom ?? '') < (before.commit.keptFrom ?? '')) {
    return `${key} keeps runs that were let go before`;
  }
  return (commit.keptFrom ?? '') > commit.slot ? `${key} lets its own run go` : undefined;
}

/** The commit after a checked one, checked as well; undefined where there is none yet. */
export async function readNextCommit(
  store: Store,
  head: PublishedRun | undefined,
  trust: LogTrust,
): Promise<PublishedRun | undefined> {
  const run = await nameLogDamage(store, () => readCommit(store, (head?.commit.number ?? 0) + 1));
  return run && requireSoundCommit(store, run, head, trust);
}
