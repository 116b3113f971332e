/** Facts become a night: they are judged beside the state of the run before. */

import type { Facts } from '../core/facts/facts.ts';
import type { Night } from '../core/facts/judged.ts';
import type { CurrentRun } from '../storage/commits/commit.ts';
import { readCurrentState, readCurrentStateHead } from '../storage/runs/retractions.ts';
import { readPreviousState, readPreviousStateHead } from '../storage/runs/run-state.ts';
import { type StateHead, toStateHead } from '../storage/runs/state-files.ts';
import type { Store } from '../storage/store.ts';
import type { Finished } from './finish-run.ts';
import { createCarriedRowsReader, settleCarriedRows } from './gathering/carry-rows.ts';
import { judgeRun } from './judge-run.ts';
import type { Parts } from './parts.ts';

export interface JudgedRun {
  readonly facts: Facts;
  readonly night: Night;
  /** What the night was compared with. */
  readonly before: StateHead | undefined;
  /** What stood published then. */
  readonly currentRun: CurrentRun | undefined;
  /** Housekeeping that was done before. */
  readonly earlier: Finished | undefined;
}

/** The ledger that the run is compared with is in memory only while it is judged. */
export async function judgeFacts(
  facts: Facts,
  { currentRun, earlier }: Pick<JudgedRun, 'currentRun' | 'earlier'>,
  { store, rules }: Pick<Parts, 'store' | 'rules'>,
): Promise<JudgedRun> {
  const readState = isOfSlot(facts.slot, currentRun) ? readPreviousState : readCurrentState;
  const before = currentRun && (await readState(store, currentRun));
  const head = before && toStateHead(before);
  const night = judgeRun(facts, before, rules);
  const read = createCarriedRowsReader(store, facts.slot, currentRun, head);
  return { facts: await settleCarriedRows(facts, night, read), night, before: head, currentRun, earlier };
}

/** The state that the slot is compared with, without its ledger. */
export async function readBeforeHead(
  slot: string,
  currentRun: CurrentRun | undefined,
  store: Store,
): Promise<StateHead | undefined> {
  const readHead = isOfSlot(slot, currentRun) ? readPreviousStateHead : readCurrentStateHead;
  return currentRun && readHead(store, currentRun);
}

/** Then the slot is compared with what that run was compared with, otherwise with what it left. */
function isOfSlot(slot: string, currentRun: CurrentRun | undefined): boolean {
  return currentRun?.commit.slot === slot;
}
