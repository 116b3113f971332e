/**
 * Takes the head's run back, for example one to which a wrong clock gave a date in another year: the run before it is
 * judged once more from its own facts, and published again.
 */

import { MusterError } from '../../base/errors.ts';
import { version } from '../../base/version.ts';
import type { Facts } from '../../core/facts/facts.ts';
import { findOpenedFindings } from '../../core/ledger/findings.ts';
import type { PublishedRun } from '../../storage/commits/commit.ts';
import { readKeptRun } from '../../storage/commits/log.ts';
import { readFacts } from '../../storage/runs/run-files.ts';
import { readState } from '../../storage/runs/run-state.ts';
import { finishEarlierRun, isFinished, toHousekeepingFacts } from '../finish-run.ts';
import { compareClocks } from '../gathering/compare-clocks.ts';
import { type Head, listRunsLeft, readHead, settleRace } from '../head.ts';
import { judgeFacts } from '../judge-facts.ts';
import { createSupersededOutcome, type RunOutcome } from '../outcome.ts';
import type { Parts } from '../parts.ts';
import { finishPublished, publishRun } from '../publish-run.ts';

export interface RetractRequest {
  readonly slot: string;
  readonly by: string;
  readonly why: string;
}

export async function retractRun(request: RetractRequest, parts: Parts): Promise<RunOutcome> {
  const head = await readHead(parts);
  compareClocks(parts.serverClocks);
  if (head === undefined || head.run.commit.slot !== request.slot) {
    throw createRefusal(request.slot, describeOther(request.slot, head));
  }
  return settleRace(head, parts, async () => {
    const before = await requireRunBefore(head, parts);
    const earlier = await finishEarlierRun(parts, head);
    const facts = await listRetractionFacts(request, head, before, parts);
    const repeated = { ...facts, ...toHousekeepingFacts(earlier), runsBefore: listRunsLeft(head, earlier) };
    const judged = await judgeFacts(repeated, { head, repeated: before, earlier }, parts);
    const { slot, by, why } = request;
    const published = await publishRun({ ...judged, correction: { retracts: { slot, by, why } } }, parts);
    if ('taken' in published) {
      return createSupersededOutcome();
    }
    const outcome = await finishPublished(published, parts);
    // The exit code ignores the figures of the run before, which were reported when it was new.
    return { ...outcome, exit: isFinished(outcome) ? 0 : 3 };
  });
}

function describeOther(slot: string, head: Head | undefined): string {
  if (head === undefined) {
    return 'nothing is published';
  }
  const isRetracted = head.state.runs.retracted?.includes(slot);
  return isRetracted
    ? 'it is retracted already'
    : `only the last published run can be, and the last one is ${head.run.commit.slot}`;
}

/** The kept run of the highest number whose slot is older. */
async function requireRunBefore({ run, state }: Head, { store }: Parts): Promise<PublishedRun> {
  const { slot, keptFrom } = run.commit;
  const older = state.runs.kept.filter((kept) => kept.slot < slot);
  const [before] = older.sort((one, other) => other.number - one.number);
  if (before === undefined) {
    throw createRefusal(
      slot,
      keptFrom === undefined
        ? 'it is the first one, and none is before it. To start over, use an empty store'
        : 'the run before it is past its retention and was removed',
    );
  }
  return readKeptRun(store, before);
}

function createRefusal(slot: string, why: string): MusterError {
  return new MusterError('retract-refused', `The run of ${slot} was not retracted: ${why}.`);
}

/** The stored facts of the run before, with the head's open alerts and the retraction. */
async function listRetractionFacts(
  { slot, by, why }: RetractRequest,
  head: Head,
  before: PublishedRun,
  { store }: Parts,
): Promise<Facts> {
  const stateBefore = await readState(store, before);
  const stateAfter = await readState(store, head.run);
  const { failedRuns: _, noticed: __, ...stored } = await readFacts(store, before);
  return {
    ...stored,
    muster: version,
    openAlerts: stateAfter.openAlerts ?? [],
    retracts: { slot, by, why, openedFrom: before.commit.number + 1 },
    retractedFindings: findOpenedFindings(stateBefore, stateAfter),
  };
}
