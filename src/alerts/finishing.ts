/** Where the way of a night meets its alerts: what goes into a run's outbox, and sending it after publishing. */
import type { Facts } from '../core/facts.ts';
import type { Night } from '../core/judged.ts';
import { finish } from '../storage/finish.ts';
import type { Message } from '../storage/outbox.ts';
import type { Standing } from '../storage/past.ts';
import type { Store } from '../storage/store.ts';
import { type Delivery, deliver } from './deliver.ts';
import { type Alerts, carry, messagesOf, pendingOf } from './outbox.ts';

interface Surroundings {
  readonly store: Store;
  readonly audit?: Store;
  readonly alerts?: Alerts;
}

/** Does what a run left undone, messages included. */
export async function finishAndTell(
  { store, audit, alerts }: Surroundings,
  standing: Standing,
): Promise<Delivery | undefined> {
  let delivery: Delivery | undefined;
  await finish(store, standing, audit, async (run) => {
    if (alerts !== undefined) delivery = await deliver(store, run, alerts);
  });
  return delivery;
}

interface Made {
  readonly facts: Facts;
  readonly night: Night;
  readonly standing: Standing | undefined;
}

/** The messages of a run that is about to be published: first what could not be delivered, then its own. */
export function outboxOf({ facts, night, standing }: Made, { store, alerts }: Surroundings) {
  if (alerts === undefined) return {};
  const messages = async (attempt: string): Promise<readonly Message[]> => {
    const pending = standing === undefined ? [] : await pendingOf(store, standing);
    return [...carry(pending, facts, alerts).kept, ...messagesOf(night, attempt, alerts)];
  };
  return { messages };
}

/** Channels that do not take messages, for the night's own events; one that is no longer wanted is not missed. */
export function silentIn(delivery: Delivery | undefined): Pick<Facts, 'undelivered'> {
  const silent = (delivery?.undelivered ?? []).filter(({ why }) => why.code !== 'channel-gone');
  return silent.length === 0 ? {} : { undelivered: silent.map(({ channel, since }) => ({ channel, since })) };
}

/** What was delivered before the night was made belongs to its outcome too, and so does what was given up. */
export function deliverAlso<Outcome extends { readonly delivery?: Delivery }>(
  earlier: Delivery | undefined,
  outcome: Outcome,
): Outcome {
  if (earlier === undefined || outcome.delivery === undefined) return outcome;
  const { delivered, undelivered } = outcome.delivery;
  const isLeft = (name: string) => undelivered.some(({ channel }) => channel === name);
  const sums = new Map<string, number>();
  for (const { channel, messages } of [...earlier.delivered, ...delivered]) {
    sums.set(channel, (sums.get(channel) ?? 0) + messages);
  }
  const dropped = earlier.undelivered.filter(({ channel, why }) => why.code === 'channel-gone' && !isLeft(channel));
  return {
    ...outcome,
    delivery: {
      delivered: [...sums].map(([channel, messages]) => ({ channel, messages })),
      undelivered,
      ...(dropped.length === 0 ? {} : { dropped: dropped.map(({ channel, messages }) => ({ channel, messages })) }),
    },
  };
}
