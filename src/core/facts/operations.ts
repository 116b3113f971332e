/** Facts of the third kind: what happened to runs. The judgement of machines knows none of them. */

import type { HousekeepingStep, Problem } from './vocabulary.ts';

/** A step of housekeeping that could not be done, and why. */
export interface UnfinishedStep extends Problem {
  readonly step: HousekeepingStep;
}

/** A server whose clock is far from this machine's. */
export interface ClockDifference {
  readonly server: string;
  /** Negative where the server is behind. */
  readonly seconds: number;
}

/** A run that is kept: the commit that counts for its slot. */
export interface KeptRun {
  readonly slot: string;
  readonly number: number;
  /** Lower-case hex, over the bytes of the commit. */
  readonly sha256: string;
}

/** Work in the store that a run owes. `copy`: its dated copies; `retract`: to take them away; `remove`: its files too. */
export interface OwedWork {
  readonly work: 'copy' | 'retract' | 'remove';
  readonly run: KeptRun;
}

/** Runs beyond the limit, which stay until a person lets them go, who may not have meant the limit. */
export interface HeldBack {
  /** The slot of the run that held them back first. */
  readonly since: string;
  readonly nights: number;
  /** `retention.nights`. */
  readonly limit: number;
}

/** Which runs a run leaves, besides itself. */
export interface RunsLeft {
  /** Ordered by slot. */
  readonly kept: readonly KeptRun[];
  /** Slots that were taken back and not run again since, ordered. */
  readonly retracted?: readonly string[];
  /** Oldest first. */
  readonly owed?: readonly OwedWork[];
  readonly heldBack?: HeldBack;
}

/** A run that is taken back by this one. */
export interface RetractionFacts {
  readonly slot: string;
  readonly by: string;
  readonly why: string;
  /** The number of the first commit after the run that is published once more: its alerts are the retracted run's. */
  readonly openedFrom: number;
}

/** What happened to runs. */
export interface OperationsFacts {
  /** Channels that had not taken their messages when this run began, and since which slot. */
  readonly undelivered?: readonly { readonly channel: string; readonly since: string }[];
  /** Housekeeping of earlier runs that could not be done when this one began; absent where none was tried. */
  readonly unfinished?: readonly UnfinishedStep[];
  /** Clocks that were off by more than an hour when this run began; absent where none could be compared. */
  readonly clockDifferences?: readonly ClockDifference[];
  /** Slots whose runs failed, which was reported, and for which nothing was published since. */
  readonly failedRuns?: readonly string[];
  /** How many runs are kept. */
  readonly keptNights: number;
  /** What the head left, with itself among the kept runs; absent before the first run. */
  readonly runsBefore?: RunsLeft;
  /** Present when a person confirmed that all runs beyond the limit are let go. */
  readonly pruned?: { readonly by: string; readonly at: string };
  readonly retracts?: RetractionFacts;
}
