/** Taking the last published run back, for example one that a wrong clock gave the date of another year. */

import { composeMessages } from '../../alerts/delivery/compose-messages.ts';
import { MusterError } from '../../base/errors.ts';
import { version } from '../../base/version.ts';
import { decideRetraction } from '../../core/alerts/retraction-alerts.ts';
import type { AlertEvent } from '../../core/facts/alert-event.ts';
import type { State } from '../../core/facts/state.ts';
import { findOpenedFindings } from '../../core/ledger/findings.ts';
import type { Commit, CurrentRun, PublishedRun } from '../../storage/commits/commit.ts';
import { findRetraction, readPublishedRuns } from '../../storage/commits/log.ts';
import { retract } from '../../storage/runs/publish.ts';
import { readCurrentState, writeRetractionRecord } from '../../storage/runs/retractions.ts';
import { readPreviousState, readState } from '../../storage/runs/run-state.ts';
import type { Store } from '../../storage/store.ts';
import { ignoreDamage } from '../../storage/stored-json.ts';
import { type Finished, finishEarlierRun, finishPublishedRun, isFinished } from '../finish-run.ts';
import { compareClocks } from '../gathering/compare-clocks.ts';
import type { Parts } from '../parts.ts';
import { judgeStoredRun } from '../rebuild.ts';
import { isSuperseded, requireStandingRun } from '../standing-run.ts';

export interface RetractRequest {
  readonly slot: string;
  readonly by: string;
  readonly why: string;
}

export interface RetractOutcome extends Finished {
  /** 0 retracted · 3 retracted, but something that follows was not done · 4 another run was published meanwhile. */
  readonly exit: 0 | 3 | 4;
  readonly did: 'retracted' | 'unchanged' | 'superseded';
  readonly retraction?: Pick<Commit, 'slot' | 'by' | 'at' | 'why'>;
  /** The slot of the run that stands now. */
  readonly current?: string;
}

export async function retractRun(request: RetractRequest, parts: Parts): Promise<RetractOutcome> {
  const { store } = parts;
  const currentRun = await requireStandingRun(parts);
  compareClocks(parts.serverClocks);
  const known = currentRun && (await findRetraction(store, currentRun, request.slot));
  if (currentRun !== undefined && known !== undefined) {
    const finished = await finishEarlierRun(parts, currentRun);
    const current = currentRun.commit.slot;
    return { exit: isFinished(finished) ? 0 : 3, did: 'unchanged', retraction: known.commit, current, ...finished };
  }
  try {
    return await retractCurrentRun(request, await readRetractedRun(store, currentRun, request.slot), parts);
  } catch (error) {
    if (!(await isSuperseded(error, currentRun, store))) {
      throw error;
    }
    return { exit: 4, did: 'superseded' };
  }
}

async function retractCurrentRun(
  { slot, by, why }: RetractRequest,
  { run, attempts, before }: RetractedRun,
  parts: Parts,
): Promise<RetractOutcome> {
  const { store, alerts, clock, signer } = parts;
  const stateAfter = await readCurrentState(store, run);
  const stateBefore = await readStateJudgedWith(store, attempts, before);
  const { events, resolved } = decideRetraction({
    slot,
    by,
    why,
    events: await readReportedEvents(parts, attempts),
    after: stateAfter.told ?? [],
    before: stateBefore.told ?? [],
  });
  const findings = findOpenedFindings(stateBefore, stateAfter);
  const night = (await judgeStoredRun(store, before, parts.rules)).night;
  // The attempt is named after what it has to send.
  const messages = alerts ? composeMessages({ slot, attempt: '', night, events }, alerts) : [];
  const now = clock.now();
  const attempt = await writeRetractionRecord(store, slot, now, { messages, resolved, findings });
  const at = now.toISOString();
  if (!(await retract(store, run, before, { at, attempt, muster: version, by, why, signer }))) {
    return { exit: 4, did: 'superseded' };
  }
  const finished = await finishPublishedRun(parts);
  const current = before.commit.slot;
  const retraction = { slot, by, at, why };
  return { exit: isFinished(finished) ? 0 : 3, did: 'retracted', retraction, current, ...finished };
}

interface RetractedRun {
  readonly run: CurrentRun;
  /** All attempts at the slot, oldest first. */
  readonly attempts: readonly PublishedRun[];
  /** The run of the night before. */
  readonly before: PublishedRun;
}

async function readRetractedRun(store: Store, run: CurrentRun | undefined, slot: string): Promise<RetractedRun> {
  if (run?.commit.slot !== slot) {
    const last = run === undefined ? 'nothing is published' : `the last one is ${run.commit.slot}`;
    throw createRefusal(slot, `only the last published run can be, and ${last}`);
  }
  const { keptFrom = '' } = run.head.commit;
  const attempts: PublishedRun[] = [];
  for await (const before of readPublishedRuns(store, run)) {
    if (before.commit.slot === slot) {
      attempts.unshift(before);
    } else if (before.commit.slot < keptFrom) {
      throw createRefusal(slot, `the run before it, of ${before.commit.slot}, is past its retention and was removed`);
    } else {
      return { run, attempts, before };
    }
  }
  throw createRefusal(slot, 'it is the first one, and none stands before it. To start over, use an empty store');
}

function createRefusal(slot: string, why: string): MusterError {
  return new MusterError('retract-refused', `The run of ${slot} was not retracted: ${why}.`);
}

/**
 * What the slot was judged with: the state of the run before it, without the alerts that an earlier retraction resolved.
 * Where that is damaged, the state of the run before it as it was left.
 */
async function readStateJudgedWith(
  store: Store,
  [first]: readonly PublishedRun[],
  before: PublishedRun,
): Promise<State> {
  const judgedWith = first && (await ignoreDamage(() => readPreviousState(store, first)));
  return judgedWith ?? readState(store, before);
}

/** What the attempts reported. A run whose facts are damaged can be retracted too; its alerts then have no details. */
async function readReportedEvents(parts: Parts, attempts: readonly PublishedRun[]): Promise<AlertEvent[]> {
  const events: AlertEvent[] = [];
  for (const run of attempts) {
    const again = await ignoreDamage(() => judgeStoredRun(parts.store, run, parts.rules));
    events.push(...(again?.night.events ?? []));
  }
  return events;
}
