/**
 * The log for deliveries: commits up to a checked head, and later ones, each checked once. A commit before the head is
 * trusted because its successor names its SHA-256.
 */
import type { MusterError } from '../../base/errors.ts';
import type { AlertState } from '../../core/facts/remembered.ts';
import type { PublishedRun } from '../../storage/commits/commit.ts';
import { type LogTrust, readNextCommit } from '../../storage/commits/head.ts';
import { readCommit, readKeptRun } from '../../storage/commits/log.ts';
import { type RunEvents, readRunEvents } from '../../storage/runs/events-record.ts';
import { readStateHead } from '../../storage/runs/run-state.ts';
import type { Store } from '../../storage/store.ts';
import { ignoreDamage, isDamageError } from '../../storage/stored-json.ts';

/** The runs of a range of commits, oldest first. */
export interface DeliveryRuns {
  readonly runs: readonly { readonly run: PublishedRun; readonly events: RunEvents }[];
  /** Number of runs of the range that are no longer kept, or cannot be read. */
  readonly missed: number;
}

export interface DeliveryLog {
  readonly head: PublishedRun;
  /** The number of the newest commit that passes the checks. */
  findNewest(): Promise<number>;
  /** Undefined where the log has no such commit, or one after the head fails the checks. */
  findCommit(number: number): Promise<PublishedRun | undefined>;
  /** Whether a message about a range that ends with the run can be composed. Throws for a damaged head. */
  hasEvents(run: PublishedRun): Promise<boolean>;
  readRange(first: number, last: PublishedRun): Promise<DeliveryRuns>;
  /** The alerts that are open after the run; undefined where its state is damaged. Throws if the head's state is. */
  readOpenAlerts(run: PublishedRun): Promise<readonly AlertState[] | undefined>;
}

/** Opens the log; `report` receives damage to earlier runs, which are then missed. */
export function openDeliveryLog(
  store: Store,
  head: PublishedRun,
  trust: LogTrust,
  report: (damage: MusterError) => void,
): DeliveryLog {
  const checked = new Map([[head.commit.number, head]]);
  const read = new Map<number, Promise<RunEvents | undefined>>();
  const findBefore = async ({ commit }: PublishedRun) => {
    const { previous } = commit;
    if (previous === null) {
      return undefined;
    }
    const known = checked.get(previous.number) ?? (await readKeptRun(store, previous));
    checked.set(previous.number, known);
    return known;
  };
  const findNewest = async (most: number) => {
    let newest = head;
    while (newest.commit.number < most) {
      const next = checked.get(newest.commit.number + 1) ?? (await readNextCommit(store, newest, trust));
      if (next === undefined) {
        break;
      }
      checked.set(next.commit.number, next);
      newest = next;
    }
    return newest;
  };
  const findAfter = async (number: number) => {
    const newest = await findNewest(number);
    return newest.commit.number === number ? newest : undefined;
  };
  const readOnce = (run: PublishedRun) => {
    const { number } = run.commit;
    const found = read.get(number) ?? readUnlessGone(readRunEvents, store, run, head, report);
    read.set(number, found);
    return found;
  };
  return {
    head,
    async findNewest() {
      const { commit } = await findNewest(Number.POSITIVE_INFINITY);
      return commit.number;
    },
    async findCommit(number) {
      if (number >= head.commit.number) {
        return findAfter(number);
      }
      return checked.get(number) ?? (await ignoreDamage(() => readCommit(store, number)));
    },
    async hasEvents(run) {
      return !isLetGo(run, head) && (await readOnce(run)) !== undefined;
    },
    async readOpenAlerts(run) {
      const state = await readUnlessGone(readStateHead, store, run, head, report);
      return state && (state.openAlerts ?? []);
    },
    async readRange(first, last) {
      const runs: { run: PublishedRun; events: RunEvents }[] = [];
      let missed = 0;
      let run: PublishedRun | undefined = last;
      while (run !== undefined && run.commit.number >= first) {
        const events = await readOnce(run);
        if (events !== undefined) {
          runs.unshift({ run, events });
        } else if (isLetGo(run, head)) {
          return { runs, missed: missed + run.commit.number - first + 1 };
        } else {
          missed += 1;
        }
        run = await findBefore(run);
      }
      return { runs, missed };
    },
  };
}

/** Whether retention has released the run's slot. */
function isLetGo({ commit: { slot } }: PublishedRun, head: PublishedRun): boolean {
  return slot < (head.commit.keptFrom ?? '');
}

async function readUnlessGone<Part>(
  readPart: (store: Store, run: PublishedRun) => Promise<Part>,
  store: Store,
  run: PublishedRun,
  head: PublishedRun,
  report: (damage: MusterError) => void,
): Promise<Part | undefined> {
  try {
    return await readPart(store, run);
  } catch (error) {
    // Messages need the head's own events and state.
    if (!isDamageError(error) || run.commit.number === head.commit.number) {
      throw error;
    }
    if (!isLetGo(run, head)) {
      report(error);
    }
    return undefined;
  }
}
