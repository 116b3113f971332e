/** Removing at once what retention holds back, because a person confirmed it. */

import type { CurrentRun } from '../../storage/commits/commit.ts';
import { readStateHead } from '../../storage/runs/run-files.ts';
import type { RunOutcome } from '../outcome.ts';
import type { Parts } from '../parts.ts';
import { requireStandingRun } from '../require-standing-run.ts';
import { republishNight } from './republish.ts';

export interface HeldBackRuns {
  readonly currentRun: CurrentRun;
  /** Slots beyond the limit, oldest first. */
  readonly slots: readonly string[];
}

/** Runs that are kept now and that `keptNights` does not allow; undefined where nothing is published. A log that no run builds on is refused. */
export async function findHeldBackRuns(
  parts: Pick<Parts, 'store' | 'audit' | 'signer' | 'clock' | 'deadline'>,
  keptNights: number,
): Promise<HeldBackRuns | undefined> {
  const { store } = parts;
  const currentRun = await requireStandingRun(parts);
  if (currentRun === undefined) {
    return undefined;
  }
  const { published } = await readStateHead(store, currentRun);
  return { currentRun, slots: published.slice(0, Math.max(0, published.length - keptNights)) };
}

/** The last night is published again with the confirmation in its facts; its housekeeping removes the others. */
export function pruneRuns(
  { currentRun }: HeldBackRuns,
  keptNights: number,
  by: string,
  parts: Parts,
): Promise<RunOutcome> {
  const pruned = { by, at: parts.clock.now().toISOString() };
  return republishNight(currentRun, parts, () => ({ keptNights, pruned }));
}
