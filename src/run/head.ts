/** The head, on which a run builds: checked once, when the run starts. */

import { MusterError } from '../base/errors.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import type { RunsLeft } from '../core/facts/operations.ts';
import type { PublishedRun } from '../storage/commits/commit.ts';
import { checkHead, readNextCommit } from '../storage/commits/head.ts';
import { createLogError } from '../storage/commits/log.ts';
import { describeLostRun, findLaterTrace } from '../storage/commits/traces.ts';
import { readStateHead } from '../storage/runs/run-state.ts';
import type { StateHead } from '../storage/runs/state-files.ts';
import type { Store } from '../storage/store.ts';
import { isDamageError } from '../storage/stored-json.ts';
import { withDeadline } from '../storage/with-deadline.ts';
import { type Finished, type FinishParts, readTrust, startHousekeepingLimit, toKeptRun } from './finish-run.ts';
import { createSupersededOutcome, type RunOutcome } from './outcome.ts';

/** A checked commit, and the state that its run left, without its ledger. */
export interface Head {
  readonly run: PublishedRun;
  readonly state: StateHead;
}

/** Reads the head; undefined before the first run. Throws if the log is damaged; a hanging audit store does not fail the run. */
export async function readHead(parts: FinishParts): Promise<Head | undefined> {
  const { store, audit } = parts;
  const reason = new MusterError('store-unreachable', `${audit?.name} did not answer in time.`);
  using limit = startHousekeepingLimit(parts, reason);
  const { keys } = await readTrust(parts);
  const trust = { keys, audit: audit && withDeadline(audit, limit.signal) };
  for (;;) {
    const run = await checkHead(store, trust);
    if (run === undefined) {
      return undefined;
    }
    const found = await requireHeadOf(store, run).catch((error: unknown) => ({ error }));
    if ('run' in found) {
      return found;
    }
    // A run that was published in the meantime may have removed this one.
    if (!isDamageError(found.error) || (await readNextCommit(store, run, trust)) === undefined) {
      throw found.error;
    }
  }
}

async function requireHeadOf(store: Store, run: PublishedRun): Promise<Head> {
  const head = await readHeadOf(store, run);
  const trace = await findLaterTrace(store, run, head.state.runs.retracted ?? []);
  if (trace !== undefined) {
    throw createLogError(store, describeLostRun(trace));
  }
  return head;
}

export async function readHeadOf(store: Store, run: PublishedRun): Promise<Head> {
  return { run, state: await readStateHead(store, run) };
}

/**
 * The runs that the head leaves, itself the last. `finished` is its housekeeping; if that was not tried, its copies are
 * owed too.
 */
export function listRunsLeft({ run, state: { runs } }: Head, finished: Finished | undefined): RunsLeft {
  const { owed: owedBefore = [], ...others } = runs;
  const own = toKeptRun(run);
  const owed = finished === undefined ? [...owedBefore, { work: 'copy' as const, run: own }] : finished.owed;
  return { ...others, kept: [...runs.kept, own], ...omitUndefined({ owed }) };
}

export function refuseOlder(slot: string, head: PublishedRun | undefined): void {
  if (head === undefined || slot >= head.commit.slot) {
    return;
  }
  throw new MusterError(
    'slot-refused',
    `The run of ${slot} was not published: ${head.commit.slot} is already published, and only later dates can follow.`,
  );
}

/**
 * Handles files of the head that are gone because a later run's retention removed them: this run is then superseded, or
 * begins `again` if the other one's slot is older. Rethrows every other error.
 */
export async function settleRace(
  head: Head | undefined,
  parts: FinishParts,
  run: () => Promise<RunOutcome>,
  again?: { readonly slot: string; readonly run: () => Promise<RunOutcome> },
): Promise<RunOutcome> {
  try {
    return await run();
  } catch (error) {
    const isDamaged = isDamageError(error);
    const next = isDamaged ? await readNextCommit(parts.store, head?.run, await readTrust(parts)) : undefined;
    if (next === undefined) {
      throw error;
    }
    return again !== undefined && next.commit.slot < again.slot ? again.run() : createSupersededOutcome();
  }
}
