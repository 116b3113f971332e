/** What became of a run's messages, by channel. */

import type { Facts } from '../../core/facts/facts.ts';
import type { HeldEvents, OutboxMessage } from '../../storage/runs/outbox-record.ts';

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

interface DroppedCount {
  readonly channel: string;
  readonly messages: number;
  /** Events that were held for its weekly summary. */
  readonly heldEvents?: number;
}

/** Their channel is no longer in the settings, or they are older than the runs that are kept. */
export interface DroppedMessages {
  readonly messages: readonly OutboxMessage[];
  /** Events that waited for a weekly summary. */
  readonly held: readonly HeldEvents[];
}

export const channelGone = { code: 'channel-gone', message: 'The channel is no longer in the settings.' };

export function summarizeUndelivered(
  channel: string,
  left: readonly OutboxMessage[],
  why: UndeliveredMessages['why'] = channelGone,
): UndeliveredMessages[] {
  const [since] = left.map(({ slot }) => slot).sort();
  return since === undefined ? [] : [{ channel, since, messages: left.length, why }];
}

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

/** Every dropped message and event is reported. */
export function summarizeDropped({ messages, held }: DroppedMessages): Pick<Delivery, 'dropped'> {
  const channels = new Set([...messages, ...held].map(({ channel }) => channel));
  if (channels.size === 0) {
    return {};
  }
  const dropped = [...channels].map((name): DroppedCount => {
    const heldEvents = held.filter(({ channel }) => channel === name).flatMap(({ events }) => events).length;
    return {
      channel: name,
      messages: messages.filter(({ channel }) => channel === name).length,
      ...(heldEvents === 0 ? {} : { heldEvents }),
    };
  });
  return { dropped };
}
