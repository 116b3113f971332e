/** `muster verify`: the whole log, every byte of every run that is kept, the copies, and the audit store. */
import { omitUndefined } from '../../base/omit-undefined.ts';
import type { OwedWork } from '../../core/facts/operations.ts';
import { checkLog } from '../commits/check-log.ts';
import type { Commit, PublishedRun } from '../commits/commit.ts';
import { listCommitNumbers } from '../commits/log.ts';
import type { Damage } from '../damage.ts';
import { parseSlotFromKey } from '../keys.ts';
import { readStateHead } from '../runs/run-state.ts';
import { describeKeptReadings } from '../runs/unpublished.ts';
import type { TrustedKeys } from '../signing/trusted-keys.ts';
import type { Store } from '../store.ts';
import { checkCopies, checkFiles, checkPendingCopies, listDatedCopies, listLatestCopies } from './check-files.ts';
import { describeLeftOver, findForeignFiles } from './foreign-files.ts';

export interface VerifyOptions {
  /** The slot whose run, files and copies alone are verified. */
  readonly slot?: string | undefined;
  /** A second store for commits. */
  readonly audit?: Store | undefined;
  /** Public keys with which signatures are checked. */
  readonly keys?: TrustedKeys | undefined;
}

export interface Verification {
  readonly nights: number;
  readonly files: number;
  readonly damage: readonly Damage[];
  /** Sentences about work for the next run, and about readings that no commit names: none is damage. */
  readonly behind: readonly string[];
  /** Retractions among the verified slots; a slot may have been run again since. */
  readonly retracted: readonly RetractedSlot[];
  /** The last commit; undefined where there is none. */
  readonly head?: Commit;
}

/** Times that verification starts again because a run was published in the meantime, which may explain the damage. */
const maximumVerifications = 10;

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
  const log = await checkLog(store, { keys, audit }, listed);
  const commits = [...log.commits.values()];
  const { kept, counting, letGo, retracted } = selectRuns(commits);
  const isWanted = (run: { readonly slot: string }) => slot === undefined || run.slot === slot;
  const runs = kept.filter(({ commit }) => isWanted(commit));
  const shown = counting.filter(({ commit }) => isWanted(commit));
  const damage: Damage[] = [...log.damage];
  const behind: string[] = [...log.behind];
  for (const { commit } of runs) {
    damage.push(...(await checkFiles(store, commit.files)));
  }
  const current = commits.at(-1);
  const owed = current === undefined ? [] : await listOwedRuns(store, current, log.commits);
  const pending = new Set(
    owed
      .filter(({ work }) => work === 'copy')
      .map(({ run }) => run)
      .concat(current ?? []),
  );
  const latest = current !== undefined && isWanted(current.commit) ? listLatestCopies(current) : [];
  const { pendingRuns = [], settled = [] } = Object.groupBy(shown, (run) =>
    pending.has(run) ? 'pendingRuns' : 'settled',
  );
  const copies = settled.flatMap(listDatedCopies);
  const awaited = [...pendingRuns.flatMap(listDatedCopies), ...latest];
  damage.push(...(await checkCopies(store, copies)));
  const found = await checkPendingCopies(store, awaited, commits);
  damage.push(...found.damage);
  behind.push(...found.behind);
  // A damaged log leaves unclear which copies belong to it.
  const isLogDamaged = log.damage.some(({ code }) => code === 'log-damaged');
  if (slot === undefined && !isLogDamaged) {
    // Copies that could not be made may still be those of an earlier attempt at the slot.
    const owedSlots = new Set(owed.flatMap(({ work, run }) => (work === 'retract' ? [run.commit.slot] : [])));
    const takenBack = commits.filter((run) => owedSlots.has(run.commit.slot));
    const foreign = await findForeignFiles(store, listed, { expected: [...copies, ...awaited], letGo, takenBack });
    damage.push(...foreign.damage);
    const { keptFrom = '' } = current?.commit ?? {};
    const keptKeys = listed.filter((key) => (parseSlotFromKey(key) ?? keptFrom) >= keptFrom);
    behind.push(...foreign.behind, ...describeLeftOver(listed, keptFrom));
    behind.push(...(await describeKeptReadings(store, keptKeys, log.commits)));
  } else if (slot !== undefined && runs.length === 0) {
    damage.push({ code: 'night-unknown', message: `No run is published for ${slot}.` });
  }
  return {
    nights: shown.length,
    // Counts the commits as well.
    files: runs.reduce((sum, { commit }) => sum + commit.files.length + 1, 0),
    damage,
    behind,
    retracted: retracted.filter(isWanted),
    ...omitUndefined({ head: current?.commit }),
  };
}

/** Work that the current run owes, with its runs; none for an unreadable state, whose file is checked elsewhere. */
async function listOwedRuns(
  store: Store,
  current: PublishedRun,
  commits: ReadonlyMap<number, PublishedRun>,
): Promise<{ readonly work: OwedWork['work']; readonly run: PublishedRun }[]> {
  const state = await readStateHead(store, current).catch(() => undefined);
  return (state?.runs.owed ?? []).flatMap(({ work, run: { number } }) => {
    const run = commits.get(number);
    return run === undefined ? [] : [{ work, run }];
  });
}

export interface RetractedSlot extends NonNullable<Commit['retracts']> {
  /** Time of the retraction. */
  readonly at: string;
}

interface SelectedRuns {
  /** All published attempts at kept slots, also retracted ones. */
  readonly kept: readonly PublishedRun[];
  /** The run that counts for each kept slot. */
  readonly counting: readonly PublishedRun[];
  readonly letGo: readonly PublishedRun[];
  readonly retracted: readonly RetractedSlot[];
}

/** Selects from `commits`, in their order; the last one names the first slot that is kept. */
function selectRuns(commits: readonly PublishedRun[]): SelectedRuns {
  const { keptFrom = '' } = commits.at(-1)?.commit ?? {};
  const { kept = [], letGo = [] } = Object.groupBy(commits, ({ commit }) =>
    commit.slot >= keptFrom ? 'kept' : 'letGo',
  );
  const counting = new Map<string, PublishedRun>();
  // A retraction counts for its slot even where the run that it shows is released.
  for (const run of commits) {
    const { slot, retracts } = run.commit;
    if (retracts !== undefined) {
      counting.delete(retracts.slot);
    }
    counting.set(slot, run);
  }
  const retracted = commits.flatMap(({ commit: { at, retracts } }) => (retracts ? [{ ...retracts, at }] : []));
  const isKept = ({ slot }: { readonly slot: string }) => slot >= keptFrom;
  return {
    kept,
    counting: [...counting.values()].filter(({ commit }) => isKept(commit)),
    letGo,
    retracted: retracted.filter(isKept),
  };
}
