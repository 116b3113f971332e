/** The last night judged again from its kept facts, with what a person decided: accepted, or pruned. No platform is asked. */

import { MusterError } from '../../base/errors.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { version } from '../../base/version.ts';
import { toListKey } from '../../core/alerts/list-alerts.ts';
import type { Facts } from '../../core/facts/facts.ts';
import { listNames } from '../../core/facts/lists.ts';
import type { CurrentRun } from '../../storage/commits/commit.ts';
import { readCurrentStateHead } from '../../storage/runs/retractions.ts';
import { readFacts } from '../../storage/runs/run-files.ts';
import { readStateHead } from '../../storage/runs/run-state.ts';
import { type FinishParts, finishEarlierRun, toHousekeepingFacts } from '../finish-run.ts';
import { judgeFacts } from '../judge-facts.ts';
import type { RunOutcome } from '../outcome.ts';
import type { Parts } from '../parts.ts';
import { finishPublished, publishRun } from '../publish-run.ts';
import { requireStandingRun, settleRace } from '../standing-run.ts';

/** A suspect night or a shrunk list, overriding the anomaly check. */
export async function acceptRun(slot: string, by: string, parts: Parts): Promise<RunOutcome> {
  const currentRun = await requireStandingRun(parts);
  if (currentRun === undefined || currentRun.commit.slot !== slot) {
    const last = currentRun === undefined ? 'nothing is published' : `the last one is ${currentRun.commit.slot}`;
    throw new MusterError(
      'not-suspect',
      `The run of ${slot} cannot be accepted: only the last published run can, and ${last}.`,
    );
  }
  const suspects = currentRun.commit.sources.filter((source) => source.soundness === 'suspect').map(({ name }) => name);
  const { told = [] } = await readCurrentStateHead(parts.store, currentRun);
  const shrunk = listNames.filter((name) =>
    told.some(({ key, about }) => key === toListKey(name) && about === 'shrunk'),
  );
  if (suspects.length + shrunk.length === 0) {
    const message = `The run of ${slot} is not suspect, and none of its lists is shrunk; there is nothing to accept.`;
    throw new MusterError('not-suspect', message);
  }
  const at = parts.clock.now().toISOString();
  return republishRun(currentRun, parts, ({ accepted }) => ({
    accepted: {
      ...accepted,
      by,
      at,
      sources: [...(accepted?.sources ?? []), ...suspects],
      ...(shrunk.length > 0 && { lists: [...(accepted?.lists ?? []), ...shrunk] }),
    },
  }));
}

export interface HeldBackRuns {
  readonly currentRun: CurrentRun;
  /** Slots beyond the limit, oldest first. */
  readonly slots: readonly string[];
}

/** Runs that are kept now and that `keptNights` does not allow; undefined where nothing is published. A log that no run builds on is refused. */
export async function findHeldBackRuns(parts: FinishParts, keptNights: number): Promise<HeldBackRuns | undefined> {
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
  return republishRun(currentRun, parts, () => ({ keptNights, pruned }));
}

async function republishRun(
  currentRun: CurrentRun,
  parts: Parts,
  decide: (stored: Facts) => Partial<Facts>,
): Promise<RunOutcome> {
  const { store } = parts;
  const earlier = await finishEarlierRun(parts, currentRun);
  // What failed before was said to be over by the attempt whose facts these are.
  const { failedRuns: _, ...stored } = await readFacts(store, currentRun);
  const { told = [] } = await readCurrentStateHead(store, currentRun);
  const facts: Facts = {
    ...stored,
    ...toHousekeepingFacts(earlier),
    muster: version,
    told,
    ...omitUndefined({ keptFrom: currentRun.head.commit.keptFrom }),
    ...decide(stored),
  };
  return settleRace(facts.slot, currentRun, parts, async () => {
    const judged = await judgeFacts(facts, { currentRun, earlier }, parts);
    return finishPublished(await publishRun(judged, parts), parts);
  });
}
