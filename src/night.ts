/**
 * The whole way of a night, once, on one page:
 *
 *   facts = gather(sources)  →  night = judge(facts, what the last night left)  →  publish(night)  →  finish
 *
 * The ways to start it (CLI, schedule, Lambda) call `runNight` and decide nothing.
 */

import { prepareMessages } from './alerts/delivery/compose-messages.ts';
import { addEarlierDelivery, type Delivery, summarizeDropped, toUndeliveredFacts } from './alerts/delivery/deliver.ts';
import type { Facts } from './core/facts.ts';
import { judge } from './core/judge.ts';
import type { Night } from './core/judged.ts';
import type { RulesTable } from './core/rules.ts';
import { MusterError, toMusterError } from './errors.ts';
import type { Report } from './reports/report.ts';
import type { Table } from './reports/table.ts';
import { type FinishParts, finishRun } from './run/finish-run.ts';
import { type GatherOptions, gather, type RunContext } from './run/gather.ts';
import { hasSourcesToHeal, selectFactsToKeep } from './run/healing.ts';
import { isMoreComplete, pickFixedFacts, selectCompleteFacts } from './run/rerun.ts';
import type { Slot } from './settings/schedule.ts';
import { isAttemptedAfter } from './storage/runs/keys.ts';
import type { OutboxMessage } from './storage/runs/outbox.ts';
import { decideExitCode, nameAttempt, type Publication, publish } from './storage/runs/publish.ts';
import {
  type CurrentRun,
  readCurrentRun,
  readFacts,
  readPreviousState,
  readState,
} from './storage/runs/published-runs.ts';
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

export interface RunOutcome {
  /** 0 published, complete, delivered · 3 published, but something was not · 4 somebody else published this slot meanwhile. */
  readonly exit: 0 | 3 | 4;
  readonly did: 'published' | 'unchanged' | 'superseded' | 'dryRun';
  /** The night as judged now; undefined where what is published was left as it is. */
  readonly night: Night | undefined;
  /** Why what follows publishing was not done; the next run does it. */
  readonly unfinished?: MusterError;
  /** What channels took, and what is still to be delivered. */
  readonly delivery?: Delivery;
}

export async function runNight(request: RunRequest, parts: Parts): Promise<RunOutcome> {
  const { store } = parts;
  const currentRun = await readCurrentRun(store);
  const earlierDelivery = currentRun && !request.dryRun ? await finishRun(parts, currentRun) : undefined;
  refuseOlder(request.slot, currentRun);
  const isPublished = currentRun?.manifest.slot === request.slot;
  if (isPublished && !request.dryRun) {
    if (request.began && isAttemptedAfter(currentRun.manifest.attempt, request.began)) {
      return createSupersededOutcome(earlierDelivery);
    }
    if (currentRun.manifest.exit === 0) {
      return createUnchangedOutcome(currentRun, earlierDelivery);
    }
  }

  const currentState = currentRun && (await readState(store, currentRun));
  const before = isPublished ? await readPreviousState(store, currentRun) : currentState;
  const earlierFacts = isPublished ? await readFacts(store, currentRun) : undefined;
  if (isPublished && request.heals && !hasSourcesToHeal(earlierFacts, currentRun, parts.sources)) {
    return createUnchangedOutcome(currentRun, earlierDelivery);
  }
  const runContext: RunContext = {
    ...(await request.readRunContext()),
    slot: request.slot,
    moment: request.moment.toISOString(),
    ...toUndeliveredFacts(earlierDelivery),
    ...pickFixedFacts(earlierFacts, currentState),
  };
  const selectAnswered = request.heals ? selectFactsToKeep : selectCompleteFacts;
  const answered = request.dryRun ? [] : selectAnswered(earlierFacts, currentRun, parts.sources);
  const facts = await gather(parts, runContext, before, answered);
  const night = judge(facts, before, parts.rules);

  if (request.dryRun) {
    return { exit: decideExitCode(night), did: 'dryRun', night };
  }
  if (isPublished && !isMoreComplete(night, currentRun)) {
    return createUnchangedOutcome(currentRun, earlierDelivery);
  }
  return addEarlierDelivery(earlierDelivery, await publishAndFinish({ facts, night, before, currentRun }, parts));
}

/** Judges a suspect night's kept facts again without the breaker; no platform is asked. */
export async function acceptNight(slot: string, by: string, parts: Parts): Promise<RunOutcome> {
  const { store } = parts;
  const currentRun = await readCurrentRun(store);
  if (currentRun === undefined || currentRun.manifest.slot !== slot) {
    const last = currentRun === undefined ? 'nothing is published' : `the last one is ${currentRun.manifest.slot}`;
    throw new MusterError(
      'not-suspect',
      `The run of ${slot} cannot be accepted: only the last published run can, and ${last}.`,
    );
  }
  const earlierDelivery = await finishRun(parts, currentRun);
  const suspects = currentRun.manifest.sources
    .filter((source) => source.soundness === 'suspect')
    .map(({ name }) => name);
  if (suspects.length === 0) {
    throw new MusterError('not-suspect', `The run of ${slot} is not suspect; there is nothing to accept.`);
  }
  const stored = await readFacts(store, currentRun);
  const sources = [...(stored.accepted?.sources ?? []), ...suspects];
  const { told = [] } = await readState(store, currentRun);
  const accepted = { by, at: parts.clock.now().toISOString(), sources };
  const facts: Facts = { ...stored, ...toUndeliveredFacts(earlierDelivery), muster: version, accepted, told };
  const before = await readPreviousState(store, currentRun);
  const night = judge(facts, before, parts.rules);
  return addEarlierDelivery(earlierDelivery, await publishAndFinish({ facts, night, before, currentRun }, parts));
}

async function publishAndFinish(
  made: Pick<Publication, 'facts' | 'night' | 'before' | 'currentRun'>,
  parts: Parts,
): Promise<RunOutcome> {
  const { store, tables, reports = [], clock, rules } = parts;
  const { facts, night } = made;
  const run = { ...made, attempt: nameAttempt(clock.now()) };
  const { messages, dropped } = await prepareMessages(run, store, parts.alerts);
  if (await publish(store, { ...run, messages, tables, reports })) {
    const ended = await finishCurrentRun(parts, dropped);
    const isDone = ended.unfinished === undefined && isDelivered(ended.delivery);
    return { exit: isDone ? decideExitCode(night) : 3, did: 'published', night, ...ended };
  }
  const currentRun = await readCurrentRun(store);
  refuseOlder(facts.slot, currentRun);
  if (currentRun === undefined || currentRun.manifest.slot === facts.slot) {
    return supersededOutcome;
  }
  // An older night was repaired or accepted meanwhile; this one is still to be published, compared with that.
  const before = await readState(store, currentRun);
  return publishAndFinish({ facts, night: judge(facts, before, rules), before, currentRun }, parts);
}

/** The night is published whatever happens here, so a failure is reported and not thrown. */
async function finishCurrentRun(
  parts: Parts,
  dropped: readonly OutboxMessage[],
): Promise<Pick<RunOutcome, 'unfinished' | 'delivery'>> {
  try {
    const currentRun = await readCurrentRun(parts.store);
    const delivery = currentRun && (await finishRun(parts, currentRun));
    return delivery === undefined ? {} : { delivery: { ...delivery, ...summarizeDropped(dropped) } };
  } catch (error) {
    return { unfinished: toMusterError(error, 'Finishing the run') };
  }
}

const supersededOutcome: RunOutcome = { exit: 4, did: 'superseded', night: undefined };

/** By a run whose deliveries are known. */
function createSupersededOutcome(delivery: Delivery | undefined): RunOutcome {
  return delivery === undefined ? supersededOutcome : { ...supersededOutcome, delivery };
}

function createUnchangedOutcome({ manifest }: CurrentRun, delivery: Delivery | undefined): RunOutcome {
  const exit = isDelivered(delivery) ? manifest.exit : 3;
  return { exit, did: 'unchanged', night: undefined, ...(delivery === undefined ? {} : { delivery }) };
}

function isDelivered(delivery: Delivery | undefined): boolean {
  return delivery === undefined || delivery.undelivered.length === 0;
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
