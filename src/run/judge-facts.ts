/** Judges facts against the state of the run before: the result is a night. */

import type { Facts } from '../core/facts/facts.ts';
import type { Night } from '../core/facts/judged.ts';
import type { PublishedRun } from '../storage/commits/commit.ts';
import type { PreviousState } from '../storage/runs/publish.ts';
import { findRunFile, requireRunFile } from '../storage/runs/run-files.ts';
import { readPreviousState, readPreviousStateHead, readState } from '../storage/runs/run-state.ts';
import { type StateHead, stateFiles, toStateHead } from '../storage/runs/state-files.ts';
import type { Store } from '../storage/store.ts';
import type { Finished } from './finish-run.ts';
import { createCarriedRowsReader, settleCarriedRows } from './gathering/carry-rows.ts';
import type { Head } from './head.ts';
import { judgeRun } from './judge-run.ts';
import type { Parts } from './parts.ts';

/** The runs that this run builds on. */
export interface RunBasis {
  /** Undefined before the first run. */
  readonly head: Head | undefined;
  /** The published run whose slot is judged once more, compared with the same state as before. */
  readonly repeated: PublishedRun | undefined;
}

export interface JudgedRun extends RunBasis {
  readonly facts: Facts;
  readonly night: Night;
  /** The state with which the night was compared. */
  readonly before: PreviousState | undefined;
  /** Result of the housekeeping before the run. */
  readonly earlier: Finished | undefined;
}

/** Judges the facts; the ledger before is in memory only meanwhile. */
export async function judgeFacts(
  facts: Facts,
  { head, repeated, earlier }: Pick<JudgedRun, 'head' | 'repeated' | 'earlier'>,
  { store, rules }: Pick<Parts, 'store' | 'rules'>,
): Promise<JudgedRun> {
  const basis = { head, repeated };
  const previous = await readBasisState(store, basis);
  const state = previous && toStateHead(previous);
  const night = judgeRun(facts, previous, rules);
  const read = createCarriedRowsReader(store, basis, state);
  const ledger = findBasisLedger(basis);
  const before = state && ledger && { state, ledger };
  return { facts: await settleCarriedRows(facts, night, read), night, before, ...basis, earlier };
}

async function readBasisState(store: Store, { head, repeated }: RunBasis) {
  return repeated === undefined ? head && readState(store, head.run) : readPreviousState(store, repeated);
}

function findBasisLedger({ head, repeated }: RunBasis) {
  return repeated === undefined
    ? head && requireRunFile(head.run, stateFiles.next.ledger)
    : findRunFile(repeated, stateFiles.previous.ledger);
}

/** The state with which the run is compared, without its ledger. */
export async function readBasisStateHead(store: Store, { head, repeated }: RunBasis): Promise<StateHead | undefined> {
  return repeated === undefined ? head?.state : readPreviousStateHead(store, repeated);
}
