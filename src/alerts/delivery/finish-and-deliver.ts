/** Where the way of a night meets its alerts: what goes into a run's outbox, and sending it after publishing. */
import type { Facts } from '../../core/facts.ts';
import type { Night } from '../../core/judged.ts';
import { finishRun } from '../../storage/runs/finish.ts';
import type { OutboxMessage } from '../../storage/runs/outbox.ts';
import type { CurrentRun } from '../../storage/runs/published-runs.ts';
import type { Store } from '../../storage/store.ts';
import { type AlertContext, carryOverMessages, composeMessages, readPendingMessages } from './compose-messages.ts';
import { type Delivery, deliver } from './deliver.ts';

interface DeliveryParts {
  readonly store: Store;
  readonly audit?: Store;
  readonly alerts?: AlertContext;
}

/** Does what a run left undone, messages included. */
export async function finishAndDeliver(
  { store, audit, alerts }: DeliveryParts,
  standing: CurrentRun,
): Promise<Delivery | undefined> {
  let delivery: Delivery | undefined;
  await finishRun(store, standing, audit, async (run) => {
    if (alerts !== undefined) {
      delivery = await deliver(store, run, alerts);
    }
  });
  return delivery;
}

interface JudgedRun {
  readonly facts: Facts;
  readonly night: Night;
  readonly currentRun: CurrentRun | undefined;
}

interface Outbox {
  /** For publishing: what the run has to send, given the name of its attempt. */
  readonly messages?: (attempt: string) => Promise<readonly OutboxMessage[]>;
  /** What was given up when they were made. */
  readonly dropped: readonly OutboxMessage[];
}

/** The messages of a run that is about to be published: first what could not be delivered, then its own. */
export function prepareOutbox(
  { facts, night, currentRun: standing }: JudgedRun,
  { store, alerts }: DeliveryParts,
): Outbox {
  const dropped: OutboxMessage[] = [];
  if (alerts === undefined) {
    return { dropped };
  }
  const messages = async (attempt: string): Promise<readonly OutboxMessage[]> => {
    const pending = standing === undefined ? [] : await readPendingMessages(store, standing);
    const carried = carryOverMessages(pending, facts, alerts);
    dropped.splice(0, dropped.length, ...carried.dropped);
    return [...carried.kept, ...composeMessages(night, attempt, alerts)];
  };
  return { messages, dropped };
}

/** Channels that do not take messages, for the night's own events; one that is no longer wanted is not missed. */
export function toUndeliveredFacts(delivery: Delivery | undefined): Pick<Facts, 'undelivered'> {
  const silent = (delivery?.undelivered ?? []).filter(({ why }) => why.code !== 'channel-gone');
  return silent.length === 0 ? {} : { undelivered: silent.map(({ channel, since }) => ({ channel, since })) };
}

/** What was delivered before the night was made belongs to its outcome too. */
export function addEarlierDelivery<Outcome extends { readonly delivery?: Delivery }>(
  earlier: Delivery | undefined,
  outcome: Outcome,
): Outcome {
  if (earlier === undefined || outcome.delivery === undefined) {
    return outcome;
  }
  const sums = new Map(earlier.delivered.map(({ channel, messages }) => [channel, messages]));
  for (const { channel, messages } of outcome.delivery.delivered) {
    sums.set(channel, (sums.get(channel) ?? 0) + messages);
  }
  const delivered = [...sums].map(([channel, messages]) => ({ channel, messages }));
  return { ...outcome, delivery: { ...outcome.delivery, delivered } };
}

/** Nothing is given up without a word. */
export function summarizeDropped(dropped: readonly OutboxMessage[]): Pick<Delivery, 'dropped'> {
  if (dropped.length === 0) {
    return {};
  }
  const byChannel = Map.groupBy(dropped, ({ channel }) => channel);
  return { dropped: [...byChannel].map(([channel, { length }]) => ({ channel, messages: length })) };
}
