/** Verifies the whole log, commit by commit: none missing, changed or cut off, each signed where it must be. */

import pLimit from 'p-limit';
import type { Damage } from '../damage.ts';
import { commitsPrefix, latestKey, parseCommitNumber, toCommitKey } from '../keys.ts';
import type { Store } from '../store.ts';
import { ignoreDamage } from '../stored-json.ts';
import { compareWithAudit, readsAtOnce } from './audit.ts';
import { describeLostStore, findSignatureDamage } from './check-signatures.ts';
import type { PublishedRun } from './commit.ts';
import { findLinkProblem, type LogTrust } from './head.ts';
import { readLatest } from './latest.ts';
import { describeAhead, listCommitNumbers, readCommit } from './log.ts';
import { describeLostLog, describeLostRun, findLaterTrace, findTrace } from './traces.ts';

export interface CheckedLog {
  /** All commits that can be read, by number. */
  readonly commits: ReadonlyMap<number, PublishedRun>;
  readonly damage: readonly Damage[];
  /** Sentences about commits that the next run copies. */
  readonly behind: readonly string[];
}

export async function checkLog(
  store: Store,
  { keys, audit }: LogTrust,
  listed: readonly string[],
): Promise<CheckedLog> {
  const latest = await readLatest(store);
  const numbers = await listCommitNumbers(store);
  const commits = await readCommits(store, numbers);
  const problems = [...listForeignKeys(listed), ...listLinkProblems(numbers, commits)];
  const newest = numbers.at(-1) ?? 0;
  const head = commits.get(newest);
  if (latest !== undefined && latest.number > newest) {
    problems.push(describeAhead(latest.number));
  }
  if (latest?.number === newest && head !== undefined && latest.sha256 !== head.sha256) {
    problems.push(`${toCommitKey(newest)} is not the one that ${latestKey} names`);
  }
  const trace = problems.length === 0 ? await findLostRun(listed, [...commits.values()], keys) : undefined;
  problems.push(...(trace === undefined ? [] : [trace]));
  const damage: Damage[] = problems.map((problem) => ({ code: 'log-damaged', message: `${problem}.` }));
  for (const run of commits.values()) {
    damage.push(...[findSignatureDamage(run, keys)].filter((one) => one !== undefined));
  }
  const audited = await compareWithAudit(audit, commits);
  return { commits, damage: [...damage, ...audited.damage], behind: audited.behind };
}

/** Half a sentence about a trace of lost commits. `listed` was read before the commits, so that no later run explains it. */
async function findLostRun(
  listed: readonly string[],
  runs: readonly PublishedRun[],
  keys: LogTrust['keys'],
): Promise<string | undefined> {
  const head = runs.at(-1);
  if (head === undefined) {
    const trace = await findTrace(listed);
    return trace === undefined ? describeLostStore(keys) : describeLostLog(trace);
  }
  const list = async function* (prefix: string, after = '') {
    yield* listed.filter((key) => key.startsWith(prefix) && key > after);
  };
  const retracted = runs.flatMap(({ commit }) => (commit.retracts ? [commit.retracts.slot] : []));
  const trace = await findLaterTrace({ list }, head, retracted);
  return trace && describeLostRun(trace);
}

async function readCommits(store: Store, numbers: readonly number[]): Promise<Map<number, PublishedRun>> {
  const runs = await pLimit(readsAtOnce).map(numbers, (number) => ignoreDamage(() => readCommit(store, number)));
  return new Map(runs.flatMap((run) => (run ? [[run.commit.number, run] as const] : [])));
}

/** Half a sentence for each key beside the commits. */
function listForeignKeys(listed: readonly string[]): string[] {
  return listed
    .filter((key) => key.startsWith(commitsPrefix) && parseCommitNumber(key) === undefined)
    .map((key) => `${key} is no commit's key`);
}

/** Half a sentence for each commit that is missing, cannot be read, or does not follow the one before it. */
function listLinkProblems(numbers: readonly number[], commits: ReadonlyMap<number, PublishedRun>): string[] {
  let expected = 1;
  return numbers.flatMap((number) => {
    const missing = number > expected ? [describeGap(expected, number - 1)] : [];
    expected = number + 1;
    const run = commits.get(number);
    const before = commits.get(number - 1);
    if (run === undefined) {
      return [...missing, `${toCommitKey(number)} is not a commit of that number`];
    }
    // A fault of the commit before it is reported there.
    const problem = number === 1 || before !== undefined ? findLinkProblem(run, before) : undefined;
    return problem === undefined ? missing : [...missing, problem];
  });
}

function describeGap(first: number, last: number): string {
  const keys = first === last ? `${toCommitKey(first)} is` : `${toCommitKey(first)} to ${toCommitKey(last)} are`;
  return `${keys} missing, though later commits are there`;
}
