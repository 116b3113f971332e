/** Facts become a night: they are compared with what stands published. */

import type { Facts } from '../core/facts/facts.ts';
import type { Night } from '../core/facts/judged.ts';
import type { State } from '../core/facts/state.ts';
import { judge } from '../core/judge.ts';
import type { CurrentRun } from '../storage/commits/commit.ts';
import { readCurrentState, readCurrentStateHead } from '../storage/runs/retractions.ts';
import { readPreviousState, readPreviousStateHead } from '../storage/runs/run-files.ts';
import { type StateHead, toStateHead } from '../storage/runs/state-files.ts';
import type { Store } from '../storage/store.ts';
import type { Finished } from './finish-run.ts';
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

/** The devices of the night that it is compared with are in memory only while it is judged. */
export async function judgeFacts(
  facts: Facts,
  { currentRun, earlier }: Pick<JudgedRun, 'currentRun' | 'earlier'>,
  { store, rules }: Pick<Parts, 'store' | 'rules'>,
): Promise<JudgedRun> {
  const before = await readBefore(wholeState, facts.slot, currentRun, store);
  return { facts, night: judge(facts, before, rules), before: before && toStateHead(before), currentRun, earlier };
}

/** What the slot is compared with, without its devices. */
export function readBeforeHead(
  slot: string,
  currentRun: CurrentRun | undefined,
  store: Store,
): Promise<StateHead | undefined> {
  return readBefore(stateHead, slot, currentRun, store);
}

/** What the run that stands left, or was compared with itself where it is of this slot. */
async function readBefore<Kept>(
  { current, previous }: StateReaders<Kept>,
  slot: string,
  currentRun: CurrentRun | undefined,
  store: Store,
): Promise<Kept | undefined> {
  if (currentRun === undefined) {
    return undefined;
  }
  return currentRun.commit.slot === slot ? previous(store, currentRun) : current(store, currentRun);
}

interface StateReaders<Kept> {
  /** Reads what the run left. */
  readonly current: (store: Store, run: CurrentRun) => Promise<Kept>;
  /** Reads what the run was compared with. */
  readonly previous: (store: Store, run: CurrentRun) => Promise<Kept | undefined>;
}

const wholeState: StateReaders<State> = { current: readCurrentState, previous: readPreviousState };
const stateHead: StateReaders<StateHead> = { current: readCurrentStateHead, previous: readPreviousStateHead };
