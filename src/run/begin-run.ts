/** What stands already: an earlier run's housekeeping is finished, and what the new one starts from is read. */

import { listReportedFailures } from '../alerts/delivery/report-failure.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import type { Facts, SourceFacts } from '../core/facts/facts.ts';
import type { CurrentRun } from '../storage/commits/commit.ts';
import { readCurrentStateHead } from '../storage/runs/retractions.ts';
import { readFacts } from '../storage/runs/run-files.ts';
import { finishEarlierRun, toHousekeepingFacts } from './finish-run.ts';
import type { RunContext } from './gather.ts';
import { createCarriedRowsReader, type ReadCarriedRows } from './gathering/carry-rows.ts';
import { compareClocks } from './gathering/compare-clocks.ts';
import { type JudgedRun, readBeforeHead } from './judge-facts.ts';
import { createUnchangedOutcome, type RunOutcome } from './outcome.ts';
import type { Parts, RunRequest } from './parts.ts';
import { listSourcesToReread, pickFixedFacts, readEarlierReadings, selectFactsToKeep } from './rerun.ts';
import { refuseOlder } from './standing-run.ts';

interface BegunRun extends Pick<JudgedRun, 'before' | 'currentRun' | 'earlier'> {
  readonly runContext: RunContext;
  readonly readCarriedRows: ReadCarriedRows;
  /** Facts of sources that are not read again. */
  readonly answered: readonly SourceFacts[];
}

/** The outcome itself where nothing is left to do for the slot. */
export async function beginRun(
  request: RunRequest,
  currentRun: CurrentRun | undefined,
  parts: Parts,
): Promise<BegunRun | { readonly outcome: RunOutcome }> {
  const { store } = parts;
  // The store has answered; the platforms' clocks are compared when they have.
  compareClocks(parts.serverClocks);
  const earlier = currentRun && !request.dryRun ? await finishEarlierRun(parts, currentRun) : undefined;
  refuseOlder(request.slot, currentRun);
  const published = currentRun?.commit.slot === request.slot ? currentRun : undefined;
  if (published?.commit.exit === 0 && !request.dryRun) {
    return { outcome: createUnchangedOutcome(published, earlier) };
  }
  const publishedFacts = published && (await readFacts(store, published));
  const reread = published && publishedFacts && listSourcesToReread(publishedFacts, published, request.heals);
  if (published && reread && request.heals && !parts.sources.some(({ name }) => reread.has(name))) {
    return { outcome: createUnchangedOutcome(published, earlier) };
  }
  const before = await readBeforeHead(request.slot, currentRun, store);
  return {
    currentRun,
    earlier,
    before,
    readCarriedRows: createCarriedRowsReader(store, request.slot, currentRun, before),
    runContext: {
      ...(await request.readRunContext()),
      slot: request.slot,
      moment: request.moment.toISOString(),
      ...toHousekeepingFacts(earlier),
      ...pickFixedFacts(publishedFacts, published && (await readCurrentStateHead(store, published))),
      ...(await readEarlierReadings(request.slot, currentRun, store)),
      ...omitUndefined({ keptFrom: currentRun?.head.commit.keptFrom }),
      ...(await findFailedRuns(request, parts, currentRun)),
    },
    answered:
      publishedFacts && reread && !request.dryRun ? selectFactsToKeep(publishedFacts, reread, parts.sources) : [],
  };
}

/** Runs that failed since the last one was published; the run that succeeds says that they are over. */
async function findFailedRuns(
  { slot, dryRun }: RunRequest,
  { store, alerts }: Parts,
  currentRun: CurrentRun | undefined,
): Promise<Pick<Facts, 'failedRuns'>> {
  if (dryRun || alerts === undefined) {
    return {};
  }
  const failedRuns = await listReportedFailures(store, slot, currentRun?.commit);
  return failedRuns.length === 0 ? {} : { failedRuns };
}
