/** Facts of the third kind: what happened to runs. The judgement of machines does not read them. */

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

/** Runs beyond the limit, kept until a person confirms their removal, because the limit may be a mistake. */
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

/** The run that this one takes back. */
export interface RetractionFacts {
  readonly slot: string;
  readonly by: string;
  readonly why: string;
  /** The first commit after the run that is published once more: alerts opened from it on are the retracted run's. */
  readonly openedFrom: number;
}

/** Facts about runs. */
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
  /** The runs that the head left, with itself among the kept ones; absent before the first run. */
  readonly runsBefore?: RunsLeft;
  /** Set when a person confirmed the removal of all runs beyond the limit. */
  readonly pruned?: { readonly by: string; readonly at: string };
  readonly retracts?: RetractionFacts;
}
