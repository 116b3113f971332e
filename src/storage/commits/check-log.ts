/** The whole log, commit by commit: nothing missing, nothing changed, nothing cut off, and signed where it should be. */

import pLimit from 'p-limit';
import { computeSha256 } from '../../base/sha256.ts';
import type { Damage } from '../damage.ts';
import { latestKey, toCommitKey } from '../keys.ts';
import type { DatedKey, Signer } from '../signing/signer.ts';
import type { Store } from '../store.ts';
import { createDamageError, ignoreDamage } from '../stored-json.ts';
import { compareWithAudit, readsAtOnce } from './audit.ts';
import { checkSignatures, type Entry } from './check-signatures.ts';
import { type CurrentRun, listReports, type StoredCommit } from './commit.ts';
import { readLatest } from './latest.ts';
import {
  createLogError,
  describeAhead,
  findTrace,
  listCommitNumbers,
  resolveCurrentRun,
  toStoredCommit,
} from './log.ts';

export interface CheckedLog {
  /** Every commit that can be read, by number. */
  readonly commits: ReadonlyMap<number, StoredCommit>;
  /** Undefined before the first run, and where the log does not say what stands. */
  readonly current: CurrentRun | undefined;
  readonly damage: readonly Damage[];
}

interface CheckOptions {
  /** The keys of which one must have signed. */
  readonly keys?: readonly DatedKey[] | undefined;
  /** All keys of the store, where they are known. */
  readonly listed?: readonly string[] | undefined;
  readonly audit?: Store | undefined;
}

/**
 * What stands, for whoever builds on it. A log that cannot be trusted is refused by name; so is one that the audit
 * store knows to be longer or another.
 */
export async function requireCurrentRun(
  store: Store,
  { signer, audit }: { readonly signer?: Signer | undefined; readonly audit?: Store | undefined },
): Promise<CurrentRun | undefined> {
  const keys = await signer?.readKeys();
  const { current, damage } = await checkLog(store, { keys, audit });
  // What the audit lacks, this run copies; where it cannot be read, this run says so when it is published.
  const found = damage.find(({ code }) => code !== 'audit-missing' && code !== 'audit-unreadable');
  if (found !== undefined) {
    throw createLogError(store, found.message.replace(/\.$/, ''));
  }
  if (signer === undefined && current?.head.commit.signedSince !== undefined) {
    throw createLogError(store, 'its commits are signed, and the settings name no key (signing)');
  }
  return current;
}

/** Another run may publish meanwhile, so what is found is looked at again where the log has grown. */
export async function checkLog(store: Store, options: CheckOptions = {}): Promise<CheckedLog> {
  for (;;) {
    const { newest, ...checked } = await checkLogOnce(store, options);
    if (checked.damage.length === 0 || (await listCommitNumbers(store, newest + 1)).length === 0) {
      return checked;
    }
  }
}

async function checkLogOnce(store: Store, { keys, listed, audit }: CheckOptions) {
  const latest = await readLatest(store);
  const numbers = await listCommitNumbers(store);
  const newest = numbers.at(-1) ?? 0;
  const entries = await readEntries(store, numbers);
  const commits = new Map([...entries].flatMap(([number, { stored }]) => (stored ? [[number, stored] as const] : [])));
  const current = await findCurrentRun(newest, commits);
  const wrong = Array.from({ length: newest }, (_, index) => describeWrong(entries, index + 1)).flat();
  if (latest !== undefined && latest.number > newest) {
    wrong.push(describeAhead(latest.number));
  }
  if (latest?.number === newest && current !== undefined && latest.sha256 !== current.sha256) {
    wrong.push(`${toCommitKey(current.commit.number)} is not the one that ${latestKey} names`);
  }
  const trace = await findTrace(listed ?? listLaterKeys(store, current), [...commits.values()]);
  if (trace !== undefined && wrong.length === 0) {
    wrong.push(trace);
  }
  const damage: Damage[] = wrong.map((what) => ({ code: 'log-damaged', message: `${what}.` }));
  damage.push(...checkSignatures(entries, newest, keys), ...(await compareWithAudit(audit, commits)));
  return { commits, current, damage, newest };
}

async function readEntries(store: Store, numbers: readonly number[]): Promise<Map<number, Entry>> {
  const entries = await pLimit(readsAtOnce).map(numbers, async (number) => {
    const body = await store.read(toCommitKey(number));
    const stored = body && (await ignoreDamage(async () => toStoredCommit(body, number)));
    return { number, body, stored: stored?.commit.number === number ? stored : undefined };
  });
  return new Map(entries.flatMap(({ number, body, stored }) => (body ? [[number, { body, stored }] as const] : [])));
}

/** Against the commit before it. What is wrong with that one is said of that one. */
function describeWrong(entries: ReadonlyMap<number, Entry>, number: number): string[] {
  const key = toCommitKey(number);
  const entry = entries.get(number);
  if (entry === undefined) {
    return [`${key} is missing, though later commits are there`];
  }
  if (entry.stored === undefined) {
    return [`${key} is not a commit of that number`];
  }
  const { commit } = entry.stored;
  const before = entries.get(number - 1);
  const earlier = before?.stored?.commit;
  const isFirst = number === 1;
  const isLinked = isFirst
    ? commit.previous === null
    : commit.previous?.number === number - 1 &&
      (before === undefined || commit.previous.sha256 === computeSha256(before.body));
  if (!isLinked && before !== undefined) {
    return [`${toCommitKey(number - 1)} is not the one that ${key} names`];
  }
  const wrong: string[] = [];
  if (!isLinked) {
    wrong.push(isFirst ? 'is the first, and names one before it' : 'does not name the one before it');
  }
  if (earlier !== undefined && earlier.store !== commit.store) {
    wrong.push('is of another store');
  }
  if (earlier !== undefined && (commit.keptFrom ?? '') < (earlier.keptFrom ?? '')) {
    wrong.push('keeps runs that were removed before');
  }
  const stands = entries.get(commit.stands)?.stored?.commit;
  const isStanding = commit.kind === 'run' ? commit.stands === number : commit.stands < number;
  if (!isStanding || (stands !== undefined && stands.kind !== 'run')) {
    wrong.push('names a run that cannot stand');
  }
  return wrong.map((what) => `${key} ${what}`);
}

async function findCurrentRun(
  newest: number,
  commits: ReadonlyMap<number, StoredCommit>,
): Promise<CurrentRun | undefined> {
  const read = async (number: number) =>
    commits.get(number) ?? Promise.reject(createDamageError(toCommitKey(number), 'it cannot be read'));
  return ignoreDamage(() => resolveCurrentRun(newest, read));
}

/** Where traces of later runs would be: beside the run that stands, and in the folder of one table. */
async function* listLaterKeys(store: Store, current: CurrentRun | undefined): AsyncGenerator<string> {
  if (current === undefined) {
    yield* store.list('');
    return;
  }
  const { slot } = current.commit;
  yield* store.list('runs/', `runs/${slot}/`);
  const [report] = listReports(current);
  if (report !== undefined) {
    const [folder] = report.dated.split('/');
    yield* store.list(`${folder}/`, `${folder}/date=${slot}/~`);
  }
}
