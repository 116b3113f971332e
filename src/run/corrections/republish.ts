/** The last night judged again from its kept facts, with what a person decided; no platform is asked. */

import { omitUndefined } from '../../base/omit-undefined.ts';
import { version } from '../../base/version.ts';
import type { Facts } from '../../core/facts/facts.ts';
import type { CurrentRun } from '../../storage/commits/commit.ts';
import { readCurrentStateHead } from '../../storage/runs/retractions.ts';
import { readFacts } from '../../storage/runs/run-files.ts';
import { finishEarlierRun, toHousekeepingFacts } from '../finish-run.ts';
import { judgeFacts } from '../judge-facts.ts';
import type { RunOutcome } from '../outcome.ts';
import type { Parts } from '../parts.ts';
import { finishNight, publishRun } from '../publish-run.ts';
import { settleSuperseded } from '../superseded.ts';

export async function republishNight(
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
  try {
    const judged = await judgeFacts(facts, { currentRun, earlier }, parts);
    return await finishNight(await publishRun(judged, parts), parts);
  } catch (error) {
    return settleSuperseded(error, facts.slot, currentRun, parts);
  }
}
