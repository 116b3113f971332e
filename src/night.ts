/**
 * The whole way of a night, once, on one page:
 *
 *   facts = gather(sources)  →  night = judge(facts, what the last night left)  →  publish(night)  →  finish
 *
 * The ways to start it (CLI, schedule, Lambda) call `runNight` and decide nothing.
 */

import type { AlertContext } from './alerts/delivery/compose-messages.ts';
import type { Delivery } from './alerts/delivery/deliver.ts';
import {
  addEarlierDelivery,
  finishAndDeliver,
  prepareOutbox,
  summarizeDropped,
  toUndeliveredFacts,
} from './alerts/delivery/finish-and-deliver.ts';
import type { Facts } from './core/facts.ts';
import { judge } from './core/judge.ts';
import type { Night } from './core/judged.ts';
import type { RulesTable } from './core/rules.ts';
import { MusterError, toMusterError } from './errors.ts';
import type { Report } from './reports/report.ts';
import type { Table } from './reports/table.ts';
import { type GatherOptions, gather, type RunContext } from './run/gather.ts';
import { isMoreComplete, pickFixedFacts, selectCompleteFacts } from './run/rerun.ts';
import type { Slot } from './settings/schedule.ts';
import { isAttemptedAfter } from './storage/runs/keys.ts';
import type { OutboxMessage } from './storage/runs/outbox.ts';
import { decideExitCode, type Publication, publish } from './storage/runs/publish.ts';
import {
  type CurrentRun,
  readCurrentRun,
  readFacts,
  readPreviousState,
  readState,
} from './storage/runs/published-runs.ts';
import type { Store } from './storage/store.ts';
import { version } from './version.ts';

/** Everything a night is made with. */
export interface Parts extends GatherOptions {
  readonly store: Store;
  /** Where manifests are also kept. */
  readonly audit?: Store;
  /** Where messages go; without it none are made. */
  readonly alerts?: AlertContext;
  readonly tables: readonly Table[];
  readonly reports?: readonly Report[];
  readonly rules: RulesTable;
}

export interface RunRequest extends Slot {
  /** What a night is told besides its sources' answers. */
  readonly readRunContext: () => Promise<Omit<RunContext, 'slot' | 'moment' | 'accepted'>>;
  /** When the process that wants this night began: an attempt that began later and stands was made meanwhile. */
  readonly began?: Date;
  /** Gather and judge, but write nothing. */
  readonly dryRun?: boolean;
}

export interface RunOutcome {
  /** 0 published, complete, delivered · 3 published, but something was not · 4 somebody else published this slot meanwhile. */
  readonly exit: 0 | 3 | 4;
  readonly did: 'published' | 'stood' | 'overtaken' | 'looked';
  /** The night as judged now; undefined where what stands was left as it is. */
  readonly night: Night | undefined;
  /** Why what follows publishing was not done; the next run does it. */
  readonly unfinished?: MusterError;
  /** What channels took, and what is still to be delivered. */
  readonly delivery?: Delivery;
}

export async function runNight(order: RunRequest, parts: Parts): Promise<RunOutcome> {
  const { store } = parts;
  const standing = await readCurrentRun(store);
  const earlierDelivery = standing && !order.dryRun ? await finishAndDeliver(parts, standing) : undefined;
  refuseOlder(order.slot, standing);
  const isPublished = standing?.manifest.slot === order.slot;
  if (isPublished && !order.dryRun) {
    if (order.began && isAttemptedAfter(standing.manifest.attempt, order.began)) {
      return createSupersededOutcome(earlierDelivery);
    }
    if (standing.manifest.exit === 0) {
      return createUnchangedOutcome(standing, earlierDelivery);
    }
  }

  const left = standing && (await readState(store, standing));
  const before = isPublished ? await readPreviousState(store, standing) : left;
  const earlier = isPublished ? await readFacts(store, standing) : undefined;
  const silent = toUndeliveredFacts(earlierDelivery);
  const scheduled = { slot: order.slot, moment: order.moment.toISOString() };
  const frame = { ...(await order.readRunContext()), ...scheduled, ...silent, ...pickFixedFacts(earlier, left) };
  const answered = order.dryRun ? [] : selectCompleteFacts(earlier, standing, parts.sources);
  const facts = await gather(parts, frame, before, answered);
  const night = judge(facts, before, parts.rules);

  if (order.dryRun) {
    return { exit: decideExitCode(night), did: 'looked', night };
  }
  if (isPublished && !isMoreComplete(night, standing)) {
    return createUnchangedOutcome(standing, earlierDelivery);
  }
  return addEarlierDelivery(
    earlierDelivery,
    await publishAndFinish({ facts, night, before, currentRun: standing }, parts),
  );
}

/** Judges a suspect night's kept facts again without the breaker; no platform is asked. */
export async function acceptNight(slot: string, by: string, parts: Parts): Promise<RunOutcome> {
  const { store } = parts;
  const standing = await readCurrentRun(store);
  if (standing === undefined || standing.manifest.slot !== slot) {
    const last = standing === undefined ? 'nothing is published' : `the last one is ${standing.manifest.slot}`;
    throw new MusterError(
      'not-suspect',
      `The night of ${slot} cannot be accepted: only the last published night can, and ${last}.`,
    );
  }
  const earlierDelivery = await finishAndDeliver(parts, standing);
  const suspects = standing.manifest.sources.filter((source) => source.soundness === 'suspect').map(({ name }) => name);
  if (suspects.length === 0) {
    throw new MusterError('not-suspect', `The night of ${slot} is not suspect; there is nothing to accept.`);
  }
  const stored = await readFacts(store, standing);
  const sources = [...(stored.accepted?.sources ?? []), ...suspects];
  const { told = [] } = await readState(store, standing);
  const accepted = { by, at: parts.clock.now().toISOString(), sources };
  const facts: Facts = { ...stored, ...toUndeliveredFacts(earlierDelivery), muster: version, accepted, told };
  const before = await readPreviousState(store, standing);
  const night = judge(facts, before, parts.rules);
  return addEarlierDelivery(
    earlierDelivery,
    await publishAndFinish({ facts, night, before, currentRun: standing }, parts),
  );
}

async function publishAndFinish(
  made: Omit<Publication, 'tables' | 'reports' | 'messages' | 'now'>,
  parts: Parts,
): Promise<RunOutcome> {
  const { store, tables, reports = [], clock, rules } = parts;
  const { facts, night } = made;
  const { dropped, ...outbox } = prepareOutbox(made, parts);
  if (await publish(store, { ...made, tables, reports, ...outbox, now: clock.now() })) {
    const ended = await finishCurrentRun(parts, dropped);
    const isDone = ended.unfinished === undefined && isDelivered(ended.delivery);
    return { exit: isDone ? decideExitCode(night) : 3, did: 'published', night, ...ended };
  }
  const standing = await readCurrentRun(store);
  refuseOlder(facts.slot, standing);
  if (standing === undefined || standing.manifest.slot === facts.slot) {
    return supersededOutcome;
  }
  // An older night was healed or accepted meanwhile; this one is still to be published, compared with that.
  const before = await readState(store, standing);
  return publishAndFinish({ facts, night: judge(facts, before, rules), before, currentRun: standing }, parts);
}

/** The night stands whatever happens here, so a failure is told and not thrown. */
async function finishCurrentRun(
  parts: Parts,
  dropped: readonly OutboxMessage[],
): Promise<Pick<RunOutcome, 'unfinished' | 'delivery'>> {
  try {
    const standing = await readCurrentRun(parts.store);
    const delivery = standing && (await finishAndDeliver(parts, standing));
    return delivery === undefined ? {} : { delivery: { ...delivery, ...summarizeDropped(dropped) } };
  } catch (error) {
    return { unfinished: toMusterError(error, 'Finishing the night') };
  }
}

const supersededOutcome: RunOutcome = { exit: 4, did: 'overtaken', night: undefined };

/** By a run whose deliveries are known. */
function createSupersededOutcome(delivery: Delivery | undefined): RunOutcome {
  return delivery === undefined ? supersededOutcome : { ...supersededOutcome, delivery };
}

function createUnchangedOutcome({ manifest }: CurrentRun, delivery: Delivery | undefined): RunOutcome {
  const exit = isDelivered(delivery) ? manifest.exit : 3;
  return { exit, did: 'stood', night: undefined, ...(delivery === undefined ? {} : { delivery }) };
}

function isDelivered(delivery: Delivery | undefined): boolean {
  return delivery === undefined || delivery.undelivered.length === 0;
}

function refuseOlder(slot: string, standing: CurrentRun | undefined): void {
  if (standing === undefined || slot >= standing.manifest.slot) {
    return;
  }
  throw new MusterError(
    'slot-refused',
    `The night of ${slot} was not published: ${standing.manifest.slot} is already, and nights only go forward.`,
  );
}
