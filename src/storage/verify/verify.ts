/** `muster verify`: the whole log, every byte of every run that is kept, the copies, and the audit store. */
import { omitUndefined } from '../../base/omit-undefined.ts';
import { type CheckedLog, checkLog } from '../commits/check-log.ts';
import type { Commit, PublishedRun, StoredCommit } from '../commits/commit.ts';
import { listCommitNumbers, walkPublishedRuns } from '../commits/log.ts';
import type { Damage } from '../damage.ts';
import { parseRecordSha256, toRecordKey } from '../runs/retractions.ts';
import type { DatedKey } from '../signing/signer.ts';
import type { Store } from '../store.ts';
import { checkCopies, checkFiles, findForeignFiles, listDatedCopies, listLatestCopies } from './check-files.ts';

export interface VerifyOptions {
  /** Only this run, its files and its copies. */
  readonly slot?: string | undefined;
  /** Where commits are also kept. */
  readonly audit?: Store | undefined;
  /** Signatures are checked with these. */
  readonly keys?: readonly DatedKey[] | undefined;
}

export interface Verification {
  readonly nights: number;
  readonly files: number;
  readonly damage: readonly Damage[];
  /** Runs that were taken back, as far as they were asked about. */
  readonly retracted: readonly Commit[];
  /** The last commit; undefined where there is none. */
  readonly head?: Commit;
}

/** What a verification that was overtaken by a run found is not damage, so it begins anew. */
const maximumVerifications = 3;

export async function verifyRuns(store: Store, options: VerifyOptions = {}): Promise<Verification> {
  for (let tries = 1; ; tries += 1) {
    const verification = await verifyOnce(store, options);
    const later = await listCommitNumbers(store, (verification.head?.number ?? 0) + 1);
    if (verification.damage.length === 0 || later.length === 0 || tries === maximumVerifications) {
      return verification;
    }
  }
}

async function verifyOnce(store: Store, { slot, audit, keys }: VerifyOptions): Promise<Verification> {
  const listed = await Array.fromAsync(store.list(''));
  const log = await checkLog(store, { keys, listed, audit });
  const { current } = log;
  const kept = await selectKeptRuns(log);
  const isWanted = ({ commit }: StoredCommit) => slot === undefined || commit.slot === slot;
  const runs = kept.runs.filter(isWanted);
  const retractions = kept.retractions.filter(isWanted);
  const standing = kept.standing.filter(isWanted);
  const damage: Damage[] = [...log.damage];
  for (const run of [...runs, ...retractions]) {
    damage.push(...(await checkFiles(store, listFiles(run))));
  }
  const copies = standing.flatMap(listDatedCopies);
  const latest = current !== undefined && isWanted(current) ? listLatestCopies(current) : [];
  damage.push(...(await checkCopies(store, [...copies, ...latest])));
  // Where the log is damaged, nobody knows which copies belong to it.
  const isLogDamaged = log.damage.some(({ code }) => code === 'log-damaged');
  if (slot === undefined && !isLogDamaged) {
    const retracted = new Set(retractions.map(({ commit }) => commit.slot));
    damage.push(...(await findForeignFiles(store, listed, { expected: copies, removed: kept.removed, retracted })));
  } else if (slot !== undefined && runs.length + retractions.length === 0) {
    damage.push({ code: 'night-unknown', message: `No run is published for ${slot}.` });
  }
  return {
    nights: standing.length,
    // With the commits.
    files: runs.reduce((sum, { commit }) => sum + commit.files.length + 1, 0),
    damage,
    retracted: retractions.map(({ commit }) => commit),
    ...omitUndefined({ head: [...log.commits.values()].at(-1)?.commit }),
  };
}

interface KeptRuns {
  /** All attempts that were published at slots that are kept, retracted ones too. */
  readonly runs: readonly PublishedRun[];
  readonly retractions: readonly StoredCommit[];
  /** What stands for each of these slots. */
  readonly standing: readonly PublishedRun[];
  readonly removed: readonly PublishedRun[];
}

/** The log says up to which slot runs were removed. */
async function selectKeptRuns(log: CheckedLog): Promise<KeptRuns> {
  const all = [...log.commits.values()];
  const { keptFrom = '' } = all.at(-1)?.commit ?? {};
  const kept = all.filter(({ commit }) => commit.slot >= keptFrom);
  const runs = kept.filter(({ commit }) => commit.kind === 'run');
  const shown = await listStandingNumbers(log);
  return {
    runs,
    retractions: kept.filter(({ commit }) => commit.kind === 'retraction'),
    standing: runs.filter(({ commit }) => shown.has(commit.number)),
    removed: all.filter(({ commit }) => commit.slot < keptFrom),
  };
}

async function listStandingNumbers({ commits, current }: CheckedLog): Promise<ReadonlySet<number>> {
  const newest = current?.commit.number ?? Math.max(0, ...commits.keys());
  const numbers = new Map<string, number>();
  for await (const { commit } of walkPublishedRuns(newest, async (number) => commits.get(number))) {
    numbers.set(commit.slot, numbers.get(commit.slot) ?? commit.number);
  }
  return new Set(numbers.values());
}

/** A retraction's commit names no files, but its attempt names the SHA-256 of its one. */
function listFiles({ commit }: StoredCommit) {
  const { kind, files, slot, attempt } = commit;
  return kind === 'run' ? files : [{ key: toRecordKey(slot, attempt), sha256: parseRecordSha256(attempt) }];
}
