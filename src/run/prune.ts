/** Removing at once what retention holds back, because a person confirmed it. */
import { type Parts, type RunOutcome, republishNight } from '../night.ts';
import { type CurrentRun, readCurrentRun, readStateHead } from '../storage/runs/published-runs.ts';
import type { Store } from '../storage/store.ts';

export interface HeldBackRuns {
  readonly currentRun: CurrentRun;
  /** Slots beyond the limit, oldest first. */
  readonly slots: readonly string[];
}

/** Runs that are kept now and that `keptNights` does not allow; undefined where nothing is published. */
export async function findHeldBackRuns(store: Store, keptNights: number): Promise<HeldBackRuns | undefined> {
  const currentRun = await readCurrentRun(store);
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
