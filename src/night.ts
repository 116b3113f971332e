/**
 * The whole way of a night, once, on one page:
 *
 *   facts = gather(sources)  →  night = judge(facts, what the last night left)  →  publish(night)  →  finish
 *
 * The ways to start it (CLI, schedule, Lambda) call `runNight` and decide nothing.
 */

import { prepareOutbox } from './alerts/delivery/compose-messages.ts';
import { listReportedFailures } from './alerts/delivery/report-failure.ts';
import type { Facts } from './core/facts.ts';
import { judge } from './core/judge.ts';
import type { Night } from './core/judged.ts';
import type { RulesTable } from './core/rules.ts';
import type { State } from './core/state.ts';
import { MusterError } from './errors.ts';
import { omitUndefined } from './omit-undefined.ts';
import type { Report } from './reports/report.ts';
import type { Table } from './reports/table.ts';
import { compareClocks } from './run/compare-clocks.ts';
import {
  addUnsigned,
  combineFinished,
  type Finished,
  type FinishParts,
  finishEarlierRun,
  finishPublishedRun,
  isFinished,
  toHousekeepingFacts,
} from './run/finish-run.ts';
import { type GatherOptions, gather, type RunContext } from './run/gather.ts';
import { hasSourcesToHeal, selectFactsToKeep } from './run/healing.ts';
import { isMoreComplete, pickFixedFacts, selectCompleteFacts } from './run/rerun.ts';
import type { Slot } from './settings/schedule.ts';
import { isAttemptedAfter } from './storage/runs/keys.ts';
import { decideExitCode, nameAttempt, type Publication, publish } from './storage/runs/publish.ts';
import {
  type CurrentRun,
  readCurrentRun,
  readFacts,
  readPreviousState,
  readPreviousStateHead,
} from './storage/runs/published-runs.ts';
import { readCurrentState, readCurrentStateHead } from './storage/runs/retractions.ts';
import { type StateHead, toStateHead } from './storage/runs/state-files.ts';
import type { Store } from './storage/store.ts';
import { version } from './version.ts';

/** Everything a night is made with. */
export interface Parts extends GatherOptions, FinishParts {
  readonly tables: readonly Table[];
  readonly reports?: readonly Report[];
  readonly rules: RulesTable;
}

export interface RunRequest extends Slot {
  /** Facts of the night besides its sources' answers. */
  readonly readRunContext: () => Promise<Omit<RunContext, 'slot' | 'moment' | 'accepted'>>;
  /** When the process that wants this night began: an attempt that began later and is published was made meanwhile. */
  readonly began?: Date;
  /** Gather and judge, but write nothing. */
  readonly dryRun?: boolean;
}

export interface RunOutcome extends Finished {
  /** 0 published, complete, delivered · 3 published, but something was not · 4 somebody else published this slot meanwhile. */
  readonly exit: 0 | 3 | 4;
  readonly did: 'published' | 'unchanged' | 'superseded' | 'dryRun';
  /** The night as judged now; undefined where what is published was left as it is. */
  readonly night: Night | undefined;
  /** A source of what stands published was not complete and sound. */
  readonly isUnsound?: true;
}

export async function runNight(request: RunRequest, parts: Parts): Promise<RunOutcome> {
  const { store } = parts;
  const currentRun = await readCurrentRun(store);
  // The store has answered; the platforms' clocks are compared when they have.
  compareClocks(parts.serverClocks);
  const earlier = currentRun && !request.dryRun ? await finishEarlierRun(parts, currentRun) : undefined;
  refuseOlder(request.slot, currentRun);
  const isPublished = currentRun?.manifest.slot === request.slot;
  if (isPublished && !request.dryRun) {
    if (request.began && isAttemptedAfter(currentRun.manifest.attempt, request.began)) {
      return createSupersededOutcome(earlier);
    }
    if (currentRun.manifest.exit === 0) {
      return createUnchangedOutcome(currentRun, earlier);
    }
  }

  const earlierFacts = isPublished ? await readFacts(store, currentRun) : undefined;
  if (isPublished && request.heals && !hasSourcesToHeal(earlierFacts, currentRun, parts.sources)) {
    return createUnchangedOutcome(currentRun, earlier);
  }
  const runContext: RunContext = {
    ...(await request.readRunContext()),
    slot: request.slot,
    moment: request.moment.toISOString(),
    ...toHousekeepingFacts(earlier),
    ...pickFixedFacts(earlierFacts, isPublished ? await readCurrentStateHead(store, currentRun) : undefined),
    ...(await findFailedRuns(request, parts, currentRun)),
  };
  const selectAnswered = request.heals ? selectFactsToKeep : selectCompleteFacts;
  const answered = request.dryRun ? [] : selectAnswered(earlierFacts, currentRun, parts.sources);
  const facts = await gather(parts, runContext, await readBefore(stateHead, request.slot, currentRun, store), answered);
  const { night, before } = await judgeFacts(facts, currentRun, parts);

  if (request.dryRun) {
    return { exit: decideExitCode(night), did: 'dryRun', night };
  }
  if (isPublished && !isMoreComplete(night, currentRun)) {
    return createUnchangedOutcome(currentRun, earlier);
  }
  return publishAndFinish({ facts, night, before, currentRun, earlier }, parts);
}

/** The devices of the night that it is compared with are in memory only while it is judged. */
async function judgeFacts(
  facts: Facts,
  currentRun: CurrentRun | undefined,
  { store, rules }: Pick<Parts, 'store' | 'rules'>,
): Promise<{ readonly night: Night; readonly before: StateHead | undefined }> {
  const before = await readBefore(wholeState, facts.slot, currentRun, store);
  return { night: judge(facts, before, rules), before: before && toStateHead(before) };
}

/** What the slot is compared with: what the run that stands left, or was compared with itself where it is of this slot. */
async function readBefore<Kept>(
  { current, previous }: StateReaders<Kept>,
  slot: string,
  currentRun: CurrentRun | undefined,
  store: Store,
): Promise<Kept | undefined> {
  if (currentRun === undefined) {
    return undefined;
  }
  return currentRun.manifest.slot === slot ? previous(store, currentRun) : current(store, currentRun);
}

/** Of what the run left, and of what it was compared with. */
interface StateReaders<Kept> {
  readonly current: (store: Store, run: CurrentRun) => Promise<Kept>;
  readonly previous: (store: Store, run: CurrentRun) => Promise<Kept | undefined>;
}

const wholeState: StateReaders<State> = { current: readCurrentState, previous: readPreviousState };
const stateHead: StateReaders<StateHead> = { current: readCurrentStateHead, previous: readPreviousStateHead };

/** Runs that failed since the last one was published; the run that succeeds says that they are over. */
async function findFailedRuns(
  { slot, dryRun }: RunRequest,
  { store, alerts }: Parts,
  currentRun: CurrentRun | undefined,
): Promise<Pick<Facts, 'failedRuns'>> {
  if (dryRun || alerts === undefined) {
    return {};
  }
  const failedRuns = await listReportedFailures(store, slot, currentRun?.manifest, alerts.channels);
  return failedRuns.length === 0 ? {} : { failedRuns };
}

/** Judges a suspect night's kept facts again without the breaker; no platform is asked. */
export async function acceptNight(slot: string, by: string, parts: Parts): Promise<RunOutcome> {
  const currentRun = await readCurrentRun(parts.store);
  if (currentRun === undefined || currentRun.manifest.slot !== slot) {
    const last = currentRun === undefined ? 'nothing is published' : `the last one is ${currentRun.manifest.slot}`;
    throw new MusterError(
      'not-suspect',
      `The run of ${slot} cannot be accepted: only the last published run can, and ${last}.`,
    );
  }
  const suspects = currentRun.manifest.sources
    .filter((source) => source.soundness === 'suspect')
    .map(({ name }) => name);
  if (suspects.length === 0) {
    throw new MusterError('not-suspect', `The run of ${slot} is not suspect; there is nothing to accept.`);
  }
  const at = parts.clock.now().toISOString();
  return republishNight(currentRun, parts, ({ accepted }) => ({
    accepted: { by, at, sources: [...(accepted?.sources ?? []), ...suspects] },
  }));
}

/** The last night judged again from its kept facts, with what a person decided; no platform is asked. */
export async function republishNight(
  currentRun: CurrentRun,
  parts: Parts,
  decide: (stored: Facts) => Partial<Facts>,
): Promise<RunOutcome> {
  const { store } = parts;
  const earlier = await finishEarlierRun(parts, currentRun);
  // What failed before was said to be over by the attempt whose facts these are.
  const { failedRuns: _, ...stored } = await readFacts(store, currentRun);
  const { told = [], published } = await readCurrentStateHead(store, currentRun);
  const facts: Facts = {
    ...{ ...stored, ...toHousekeepingFacts(earlier), muster: version, told },
    ...omitUndefined({ keptFrom: published[0] }),
    ...decide(stored),
  };
  return publishAndFinish({ facts, ...(await judgeFacts(facts, currentRun, parts)), currentRun, earlier }, parts);
}

interface JudgedRun extends Pick<Publication, 'facts' | 'night' | 'before' | 'currentRun'> {
  /** Housekeeping that was done before. */
  readonly earlier: Finished | undefined;
}

async function publishAndFinish(judged: JudgedRun, parts: Parts): Promise<RunOutcome> {
  const { store, tables, reports = [], clock, signer } = parts;
  const { facts, night, earlier = {} } = judged;
  const run = { ...judged, attempt: nameAttempt(clock.now()) };
  const signing = omitUndefined({ signer });
  const { outbox, dropped } = await prepareOutbox(run, store, parts.alerts);
  const { isPublished, signingError } = await publish(store, { ...run, outbox, tables, reports, ...signing });
  if (isPublished) {
    const later = addUnsigned(await finishPublishedRun(parts, dropped), signingError);
    const finished = combineFinished(earlier, later);
    return {
      exit: isFinished(finished) ? decideExitCode(night) : 3,
      did: 'published',
      night,
      ...describeUnsound(decideExitCode(night)),
      ...finished,
    };
  }
  const currentRun = await readCurrentRun(store);
  refuseOlder(facts.slot, currentRun);
  if (currentRun === undefined || currentRun.manifest.slot === facts.slot) {
    return createSupersededOutcome();
  }
  // An older night was repaired or accepted meanwhile; this one is still to be published, compared with that.
  return publishAndFinish({ facts, ...(await judgeFacts(facts, currentRun, parts)), currentRun, earlier }, parts);
}

/** By a run whose messages are known. */
function createSupersededOutcome(finished: Finished = {}): RunOutcome {
  return { exit: 4, did: 'superseded', night: undefined, ...finished };
}

function createUnchangedOutcome({ manifest }: CurrentRun, finished: Finished = {}): RunOutcome {
  return {
    exit: isFinished(finished) ? manifest.exit : 3,
    did: 'unchanged',
    night: undefined,
    ...describeUnsound(manifest.exit),
    ...finished,
  };
}

function describeUnsound(exit: 0 | 3): Pick<RunOutcome, 'isUnsound'> {
  return exit === 3 ? { isUnsound: true } : {};
}

function refuseOlder(slot: string, currentRun: CurrentRun | undefined): void {
  if (currentRun === undefined || slot >= currentRun.manifest.slot) {
    return;
  }
  throw new MusterError(
    'slot-refused',
    `The run of ${slot} was not published: ${currentRun.manifest.slot} is already published, and only later slots can follow.`,
  );
}
