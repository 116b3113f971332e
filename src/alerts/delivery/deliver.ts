/**
 * Delivery: each message is claimed, sent and marked on its own, so that two processes do not both send it, and one
 * that is killed loses nothing. It is marked after it is sent: a crash in between makes one duplicate under the same key.
 */
import { MusterError, toMusterError } from '../../base/errors.ts';
import { startTimeLimit } from '../../base/time-limit.ts';
import type { Facts } from '../../core/facts/facts.ts';
import type { PublishedRun } from '../../storage/commits/commit.ts';
import { toAttemptFolder } from '../../storage/keys.ts';
import type { OutboxMessage } from '../../storage/runs/outbox-record.ts';
import type { Store } from '../../storage/store.ts';
import { type Channel, maximumAttachmentBytes, type SendContext, sendTimeout } from '../channel.ts';
import type { AlertContext } from './compose-messages.ts';
import { claimMessage, createIfAbsent, toCarriedDeliveredKey, toDeliveredKey } from './marks.ts';
import { isMessageOf, readPendingMessages } from './outbox.ts';

export interface UndeliveredMessages {
  readonly channel: string;
  /** The slot of the oldest message that it has not accepted. */
  readonly since: string;
  readonly messages: number;
  readonly why: { readonly code: string; readonly message: string };
}

export interface Delivery {
  readonly delivered: readonly { readonly channel: string; readonly messages: number }[];
  readonly undelivered: readonly UndeliveredMessages[];
  /** Dropped: their channel is no longer in the settings, or they are older than the runs that are kept. */
  readonly dropped?: readonly DroppedCount[];
}

export interface DroppedCount {
  readonly channel: string;
  readonly messages: number;
  /** Events that were held for its weekly summary. */
  readonly heldEvents?: number;
}

/**
 * Channels do not wait for each other; a channel's messages are sent in order, up to the first that it does not accept.
 * `unread` says why some messages could not even be read.
 */
export async function deliver(store: Store, run: PublishedRun, alerts: AlertContext) {
  const { messages, carried, unread } = await readPendingMessages(store, run);
  const queues = Map.groupBy(messages, ({ channel, address = '' }) => `${channel} ${address}`);
  const results = await Promise.all(
    [...queues.values()].map(async (queue) => {
      const [first] = queue as [OutboxMessage, ...OutboxMessage[]];
      const name = first.channel;
      const channel = alerts.channels.find((candidate) => isMessageOf(first, candidate));
      for (const [done, message] of queue.entries()) {
        const why = channel === undefined ? channelGone : await deliverMessage(store, message, channel, alerts);
        if (why !== undefined) {
          const left = queue.slice(done);
          const [since = message.slot] = left.map(({ slot }) => slot).sort();
          return { name, done, undelivered: [{ channel: name, since, messages: left.length, why }] };
        }
      }
      return { name, done: queue.length, undelivered: [] };
    }),
  );
  await markCarried(store, run, carried);
  return {
    delivery: {
      delivered: results.flatMap(({ name, done }) => (done === 0 ? [] : [{ channel: name, messages: done }])),
      undelivered: results.flatMap(({ undelivered }) => undelivered),
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
    const attachment = await readAttachment(store, message, channel);
    const failure = await sendToChannel(channel, message, { ...alerts, attachment });
    if (failure !== undefined) {
      if (alerts.signal.aborted) {
        throw alerts.signal.reason;
      }
      // Released, so that the next process need not wait until it expires.
      await store.remove(claim);
      return { code: failure.code, message: failure.message };
    }
    const marker = { schema: 1, key: message.key, at: alerts.clock.now().toISOString() };
    await createIfAbsent(store, toDeliveredKey(message), marker);
  }
  return undefined;
}

/** Undefined where the run is no longer kept, or is none: the message goes without. */
async function readAttachment(
  store: Store,
  { slot, attempt }: OutboxMessage,
  { attaches }: Channel,
): Promise<SendContext['attachment']> {
  const key = `${toAttemptFolder(slot, attempt)}reports/${attaches}`;
  const report = attaches === undefined ? undefined : await store.read(key);
  return report && (report.length > maximumAttachmentBytes ? 'too large' : report);
}

export async function sendToChannel(
  channel: Channel,
  { payload, key }: Pick<OutboxMessage, 'payload' | 'key'>,
  { clock, signal, attachment }: Pick<SendContext, 'clock' | 'signal' | 'attachment'>,
  time = sendTimeout,
): Promise<MusterError | undefined> {
  const late = `${channel.name} did not accept the message within ${time / 1000} s.`;
  using limit = startTimeLimit(time, new MusterError('request-timed-out', late));
  try {
    const both = AbortSignal.any([signal, limit.signal]);
    await channel.send(payload, { key, clock, signal: both, deadline: clock.elapsed() + time, attachment });
    return undefined;
  } catch (error) {
    return toMusterError(error, `Sending to ${channel.name}`);
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
      await createIfAbsent(store, carried, JSON.parse(marker.toString('utf8')) as object);
    }
  }
}

const channelGone = { code: 'channel-gone', message: 'The channel is no longer in the settings.' };

/** Channels that do not accept messages, for the run's own events; without those that are no longer in the settings. */
export function toUndeliveredFacts(delivery: Delivery | undefined): Pick<Facts, 'undelivered'> {
  const undelivered = (delivery?.undelivered ?? []).filter(({ why }) => why.code !== 'channel-gone');
  return undelivered.length === 0 ? {} : { undelivered: undelivered.map(({ channel, since }) => ({ channel, since })) };
}

/** What was delivered in both; what is still undelivered, the later one says. */
export function addDeliveries(earlier: Delivery, later: Delivery): Delivery {
  const sums = new Map(earlier.delivered.map(({ channel, messages }) => [channel, messages]));
  for (const { channel, messages } of later.delivered) {
    sums.set(channel, (sums.get(channel) ?? 0) + messages);
  }
  return { ...later, delivered: [...sums].map(([channel, messages]) => ({ channel, messages })) };
}

export function isDelivered(delivery: Delivery | undefined): boolean {
  return delivery === undefined || delivery.undelivered.length === 0;
}
