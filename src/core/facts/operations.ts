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
  /** The oldest run that an earlier attempt at this slot kept; older ones may be removed already. */
  readonly keptFrom?: string;
  /** Present when a person confirmed that all runs beyond the limit are removed. */
  readonly pruned?: { readonly by: string; readonly at: string };
}
