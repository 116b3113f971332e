/** Taking the last published run back, for example one that a wrong clock gave the date of another year. */

import { composeMessages } from '../alerts/delivery/compose-messages.ts';
import type { AlertEvent } from '../core/alerts/alert-event.ts';
import { decideRetraction } from '../core/alerts/retraction-alerts.ts';
import { findOpenedFindings } from '../core/findings.ts';
import { judge } from '../core/judge.ts';
import type { Night } from '../core/judged.ts';
import type { State } from '../core/state.ts';
import { MusterError } from '../errors.ts';
import type { Parts } from '../night.ts';
import { parseSlotFromKey } from '../storage/runs/keys.ts';
import { nameAttempt, retract } from '../storage/runs/publish.ts';
import {
  type CurrentRun,
  findOldestKeptSlot,
  type PublishedRun,
  readCurrentRun,
  readFacts,
  readPreviousState,
  readRun,
  readState,
  readStateHead,
} from '../storage/runs/published-runs.ts';
import type { Retraction } from '../storage/runs/records.ts';
import { listRetractions, readCurrentState, writeRetractionRecord } from '../storage/runs/retractions.ts';
import { signRetraction } from '../storage/runs/signatures.ts';
import type { Store } from '../storage/store.ts';
import { compareClocks } from './compare-clocks.ts';
import { type Finished, finishEarlierRun, finishPublishedRun, isFinished } from './finish-run.ts';

export interface RetractRequest {
  readonly slot: string;
  readonly by: string;
  readonly why: string;
}

export interface RetractOutcome extends Finished {
  /** 0 retracted · 3 retracted, but something that follows was not done · 4 another run was published meanwhile. */
  readonly exit: 0 | 3 | 4;
  readonly did: 'retracted' | 'unchanged' | 'superseded';
  readonly retraction?: Retraction;
  /** The slot of the run that stands now. */
  readonly current?: string;
}

export async function retractRun(request: RetractRequest, parts: Parts): Promise<RetractOutcome> {
  const { store, alerts, clock, signer } = parts;
  const currentRun = await readCurrentRun(store);
  compareClocks(parts.serverClocks);
  const known = currentRun && findRetraction(currentRun, request.slot);
  if (currentRun !== undefined && known !== undefined) {
    const finished = await finishEarlierRun(parts, currentRun);
    const current = currentRun.manifest.slot;
    return { exit: isFinished(finished) ? 0 : 3, did: 'unchanged', retraction: known, current, ...finished };
  }
  const { run, attempts, before } = await readRetractedRun(store, currentRun, request.slot);
  const stateAfter = await readCurrentState(store, run);
  const stateBefore = await readStateJudgedWith(store, attempts, before);
  const { events, resolved } = decideRetraction({
    ...request,
    events: await readReportedEvents(parts, attempts),
    after: stateAfter.told ?? [],
    before: stateBefore.told ?? [],
  });
  const findings = findOpenedFindings(stateBefore, stateAfter);
  const at = clock.now();
  const attempt = nameAttempt(at);
  const night = await judgeAgain(parts, before);
  const messages = alerts ? composeMessages({ slot: request.slot, attempt, night, events }, alerts) : [];
  const record = await writeRetractionRecord(store, request.slot, attempt, { messages, resolved, findings });
  const { slot, by, why } = request;
  const named = { slot, attempt: run.manifest.attempt, by, at: at.toISOString(), why, ...run.link };
  const unsigned: Retraction = { ...named, record };
  const retraction = signer === undefined ? unsigned : await signRetraction(unsigned, signer);
  if (!(await retract(store, run, before, retraction))) {
    return { exit: 4, did: 'superseded' };
  }
  const finished = await finishPublishedRun(parts, { messages: [], held: [] });
  const current = before.manifest.slot;
  return { exit: isFinished(finished) ? 0 : 3, did: 'retracted', retraction, current, ...finished };
}

/** A slot that was run again after it was retracted can be retracted again. */
function findRetraction(currentRun: CurrentRun, slot: string): Retraction | undefined {
  return currentRun.manifest.slot === slot
    ? undefined
    : listRetractions(currentRun).find((retraction) => retraction.slot === slot);
}

interface RetractedRun {
  readonly run: CurrentRun;
  /** All attempts at the slot, oldest first. */
  readonly attempts: readonly PublishedRun[];
  /** The run of the night before. */
  readonly before: PublishedRun;
}

async function readRetractedRun(store: Store, run: CurrentRun | undefined, slot: string): Promise<RetractedRun> {
  if (run?.manifest.slot !== slot) {
    const last = run === undefined ? 'nothing is published' : `the last one is ${run.manifest.slot}`;
    throw createRefusal(slot, `only the last published run can be, and ${last}`);
  }
  const oldest = findOldestKeptSlot(await readStateHead(store, run));
  const attempts: PublishedRun[] = [];
  for (let before: PublishedRun = run; ; ) {
    if (before.manifest.slot !== slot) {
      return { run, attempts, before };
    }
    attempts.unshift(before);
    const { previous } = before.manifest;
    if (previous === null) {
      throw createRefusal(slot, 'it is the first one, and none stands before it. To start over, use an empty store');
    }
    const earlier = parseSlotFromKey(previous.manifest) ?? '';
    if (earlier < oldest) {
      throw createRefusal(slot, `the run before it, of ${earlier}, is past its retention and was removed`);
    }
    before = await readRun(store, previous);
  }
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
  try {
    const judgedWith = first && (await readPreviousState(store, first));
    return judgedWith ?? (await readState(store, before));
  } catch (error) {
    if (!(error instanceof MusterError) || error.code !== 'store-damaged') {
      throw error;
    }
    return readState(store, before);
  }
}

/** What the attempts reported. A run whose facts are damaged can be retracted too; its alerts then have no details. */
async function readReportedEvents(parts: Parts, attempts: readonly PublishedRun[]): Promise<AlertEvent[]> {
  const events: AlertEvent[] = [];
  for (const run of attempts) {
    try {
      events.push(...(await judgeAgain(parts, run)).events);
    } catch (error) {
      if (!(error instanceof MusterError) || error.code !== 'store-damaged') {
        throw error;
      }
    }
  }
  return events;
}

async function judgeAgain({ store, rules }: Parts, run: PublishedRun): Promise<Night> {
  return judge(await readFacts(store, run), await readPreviousState(store, run), rules);
}
