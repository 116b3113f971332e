/** The head that a run builds on: checked once, at its start. */

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

/** A checked commit, and what its run left to the next one, without its ledger. */
export interface Head {
  readonly run: PublishedRun;
  readonly state: StateHead;
}

/** Undefined before the first run. A log that cannot be trusted is refused. An audit store that hangs costs no run. */
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
    // Another run may have been published meanwhile, and have removed this one.
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
 * The runs that the head leaves, with itself as the last. `finished`: its housekeeping, where that was tried; where it was
 * not, the head may lack its own copies too.
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
 * Files of the head may be gone because another run was published meanwhile, whose retention removed them: then this
 * run is a loser, and not a failure; where that one is of an older slot, it begins `again`. Every other error is thrown.
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
