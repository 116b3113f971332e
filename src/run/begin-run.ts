/** Begins a run: finishes the head's housekeeping, and reads the state and facts that the new run starts from. */

import { listReportedFailures } from '../alerts/delivery/report-failure.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import type { Facts, SourceFacts } from '../core/facts/facts.ts';
import type { PublishedRun } from '../storage/commits/commit.ts';
import { readFacts } from '../storage/runs/run-files.ts';
import type { StateHead } from '../storage/runs/state-files.ts';
import { finishEarlierRun, toHousekeepingFacts } from './finish-run.ts';
import type { RunContext } from './gather.ts';
import { createCarriedRowsReader, type ReadCarriedRows } from './gathering/carry-rows.ts';
import { compareClocks } from './gathering/compare-clocks.ts';
import { type Head, listRunsLeft, refuseOlder } from './head.ts';
import { type JudgedRun, type RunBasis, readBasisStateHead } from './judge-facts.ts';
import { createRetractedOutcome, createUnchangedOutcome, type RunOutcome } from './outcome.ts';
import type { Parts, RunRequest } from './parts.ts';
import { listSourcesToReread, pickFixedFacts, readEarlierReadings, selectFactsToKeep } from './rerun.ts';

interface BegunRun extends RunBasis, Pick<JudgedRun, 'earlier'> {
  /** The state with which the run is compared, without its ledger. */
  readonly before: StateHead | undefined;
  readonly runContext: RunContext;
  readonly readCarriedRows: ReadCarriedRows;
  /** Facts of the sources that this run does not read again. */
  readonly answered: readonly SourceFacts[];
}

/** Prepares the run of a slot, or returns an outcome where nothing is left to do for it. */
export async function beginRun(
  request: RunRequest,
  head: Head | undefined,
  parts: Parts,
): Promise<BegunRun | { readonly outcome: RunOutcome }> {
  const { store } = parts;
  // Only the store has answered by now; the platforms' clocks are compared when they have.
  compareClocks(parts.serverClocks);
  const earlier = head && !request.dryRun ? await finishEarlierRun(parts, head) : undefined;
  refuseOlder(request.slot, head?.run);
  if (head?.state.runs.retracted?.includes(request.slot) && !request.isChosen) {
    return { outcome: createRetractedOutcome(earlier) };
  }
  const repeated = head?.run.commit.slot === request.slot ? head.run : undefined;
  if (repeated?.commit.exit === 0 && !request.dryRun) {
    return { outcome: createUnchangedOutcome(repeated, earlier) };
  }
  const published = repeated && (await readFacts(store, repeated));
  const reread = repeated && published && listSourcesToReread(published, repeated, request.heals);
  if (repeated && reread && request.heals && !parts.sources.some(({ name }) => reread.has(name))) {
    return { outcome: createUnchangedOutcome(repeated, earlier) };
  }
  const basis = { head, repeated };
  const before = await readBasisStateHead(store, basis);
  return {
    ...basis,
    before,
    earlier,
    readCarriedRows: createCarriedRowsReader(store, basis, before),
    runContext: {
      ...(await request.readRunContext()),
      slot: request.slot,
      moment: request.moment.toISOString(),
      ...toHousekeepingFacts(earlier),
      ...pickFixedFacts(published, repeated && head?.state),
      ...(await readEarlierReadings(request.slot, head, store)),
      ...omitUndefined({ runsBefore: head && listRunsLeft(head, earlier) }),
      ...(await findFailedRuns(request, parts, head?.run)),
    },
    answered: published && reread && !request.dryRun ? selectFactsToKeep(published, reread, parts.sources) : [],
  };
}

/** Slots whose runs failed since the last published one; the run that succeeds ends their alerts. */
async function findFailedRuns(
  { slot, dryRun }: RunRequest,
  { store, alerts }: Parts,
  head: PublishedRun | undefined,
): Promise<Pick<Facts, 'failedRuns'>> {
  if (dryRun || alerts === undefined) {
    return {};
  }
  // A failure is ignored here: delivery reads the same folders, and reports it.
  const failedRuns = await listReportedFailures(store, alerts, slot, head?.commit.number ?? 0).catch(() => []);
  return failedRuns.length === 0 ? {} : { failedRuns };
}
