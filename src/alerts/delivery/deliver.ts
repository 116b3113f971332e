/**
 * Delivery: each message is claimed, sent and marked on its own, so that two processes do not both send it, and one
 * that is killed loses nothing. It is marked after it is sent: a crash in between makes one duplicate under the same key.
 */
import { MusterError, toMusterError } from '../../base/errors.ts';
import type { CurrentRun, PublishedRun } from '../../storage/commits/commit.ts';
import type { OutboxMessage } from '../../storage/runs/outbox-record.ts';
import type { Store } from '../../storage/store.ts';
import { type Channel, sendTimeout } from '../channel.ts';
import type { AlertContext } from './compose-messages.ts';
import { channelGone, type Delivery, summarizeUndelivered, type UndeliveredMessages } from './delivery-summary.ts';
import { claimMessage, createIfAbsent, toCarriedDeliveredKey, toDeliveredKey } from './marks.ts';
import { isMessageOf, readPendingMessages } from './outbox.ts';

export interface DeliveryAttempt {
  readonly delivery: Delivery;
  /** Why some messages could not even be read. */
  readonly unread: MusterError | undefined;
}

/** Channels do not wait for each other; a channel's messages are sent in order, up to the first that it does not accept. */
export async function deliver(store: Store, run: CurrentRun, alerts: AlertContext): Promise<DeliveryAttempt> {
  const { messages, carried, unread } = await readPendingMessages(store, run);
  const queues = Map.groupBy(messages, ({ channel, address = '' }) => `${channel} ${address}`);
  const results = await Promise.all(
    [...queues.values()].map(async (queue) => {
      const [first] = queue as [OutboxMessage, ...OutboxMessage[]];
      const name = first.channel;
      const channel = alerts.channels.find((candidate) => isMessageOf(first, candidate));
      let done = 0;
      let why: UndeliveredMessages['why'] | undefined = channel === undefined ? channelGone : undefined;
      while (channel !== undefined && why === undefined && done < queue.length) {
        why = await deliverMessage(store, queue[done] as OutboxMessage, channel, alerts);
        if (why === undefined) {
          done += 1;
        }
      }
      return { name, done, left: queue.slice(done), why };
    }),
  );
  await markCarried(store, run, carried);
  return {
    delivery: {
      delivered: results.flatMap(({ name, done }) => (done === 0 ? [] : [{ channel: name, messages: done }])),
      undelivered: results.flatMap(({ name, left, why }) => summarizeUndelivered(name, left, why)),
    },
    unread: unread[0]?.error,
  };
}

/** Why it was not delivered, or undefined. Failures of the store are not the channel's, so they are thrown. */
async function deliverMessage(
  store: Store,
  message: OutboxMessage,
  channel: Channel,
  alerts: AlertContext,
): Promise<UndeliveredMessages['why'] | undefined> {
  const claim = await claimMessage(store, message, alerts);
  if (claim !== undefined) {
    const failure = await sendToChannel(channel, message, alerts);
    if (failure !== undefined) {
      if (alerts.signal.aborted) {
        throw alerts.signal.reason;
      }
      // Released, so that the next process need not wait until it expires.
      await store.remove(claim);
      return { code: failure.code, message: failure.message };
    }
    await createIfAbsent(store, toDeliveredKey(message), buildMarkerRecord(message, alerts));
  }
  return undefined;
}

export async function sendToChannel(
  channel: Channel,
  { payload, key }: Pick<OutboxMessage, 'payload' | 'key'>,
  { clock, signal }: Pick<AlertContext, 'clock' | 'signal'>,
  time = sendTimeout,
): Promise<MusterError | undefined> {
  const end = new AbortController();
  const late = new MusterError(
    'request-timed-out',
    `${channel.name} did not accept the message within ${time / 1000} s.`,
  );
  const timer = setTimeout(() => end.abort(late), time);
  try {
    const both = AbortSignal.any([signal, end.signal]);
    await channel.send(payload, { key, clock, signal: both, deadline: clock.elapsed() + time });
    return undefined;
  } catch (error) {
    return toMusterError(error, `Sending to ${channel.name}`);
  } finally {
    clearTimeout(timer);
  }
}

/** Delivery is marked in the run that first published the message; it is recorded here too, since that run may be removed. */
async function markCarried(store: Store, run: PublishedRun, messages: readonly OutboxMessage[]): Promise<void> {
  for (const message of messages) {
    const carried = toCarriedDeliveredKey(message, run);
    if (carried === undefined || (await store.read(carried)) !== undefined) {
      continue;
    }
    const marker = await store.read(toDeliveredKey(message));
    if (marker !== undefined) {
      await createIfAbsent(store, carried, JSON.parse(marker.body.toString('utf8')) as object);
    }
  }
}

function buildMarkerRecord({ key }: OutboxMessage, { clock }: AlertContext): object {
  return { schema: 1, key, at: clock.now().toISOString() };
}
