/** The alerts of a run: what is put into its outbox, and sending it after publishing. */
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

/** Completes what a run has not finished, messages included. */
export async function finishAndDeliver(
  { store, audit, alerts }: DeliveryParts,
  currentRun: CurrentRun,
): Promise<Delivery | undefined> {
  let delivery: Delivery | undefined;
  await finishRun(store, currentRun, audit, async (run) => {
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
  /** For publishing: the messages of the run, given the name of its attempt. */
  readonly messages?: (attempt: string) => Promise<readonly OutboxMessage[]>;
  /** Messages that were dropped when these were made. */
  readonly dropped: readonly OutboxMessage[];
}

/** The messages of a run that is about to be published: first the undelivered ones, then its own. */
export function prepareOutbox({ facts, night, currentRun }: JudgedRun, { store, alerts }: DeliveryParts): Outbox {
  const dropped: OutboxMessage[] = [];
  if (alerts === undefined) {
    return { dropped };
  }
  const messages = async (attempt: string): Promise<readonly OutboxMessage[]> => {
    const pending = currentRun === undefined ? [] : await readPendingMessages(store, currentRun);
    const carried = carryOverMessages(pending, facts, alerts);
    dropped.splice(0, dropped.length, ...carried.dropped);
    return [...carried.kept, ...composeMessages(night, attempt, alerts)];
  };
  return { messages, dropped };
}

/** Channels that do not accept messages, for the run's own events; without those that are no longer in the settings. */
export function toUndeliveredFacts(delivery: Delivery | undefined): Pick<Facts, 'undelivered'> {
  const undelivered = (delivery?.undelivered ?? []).filter(({ why }) => why.code !== 'channel-gone');
  return undelivered.length === 0 ? {} : { undelivered: undelivered.map(({ channel, since }) => ({ channel, since })) };
}

/** What was delivered before this run was judged belongs to its outcome too. */
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

/** Every dropped message is reported. */
export function summarizeDropped(dropped: readonly OutboxMessage[]): Pick<Delivery, 'dropped'> {
  if (dropped.length === 0) {
    return {};
  }
  const byChannel = Map.groupBy(dropped, ({ channel }) => channel);
  return { dropped: [...byChannel].map(([channel, { length }]) => ({ channel, messages: length })) };
}
