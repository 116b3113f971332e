/**
 * Delivery: each message is claimed, sent and marked on its own, so that two finishers do not both send it, and a
 * killed one loses nothing. Marked after it was sent: a crash in between makes one duplicate under the same key.
 */
import { randomUUID } from 'node:crypto';
import type { Facts } from '../../core/facts.ts';
import { MusterError, toMusterError } from '../../errors.ts';
import {
  createIfAbsent,
  type OutboxMessage,
  readOutbox,
  readPendingMessages,
  toCarriedDeliveredKey,
  toClaimKey,
  toDeliveredKey,
} from '../../storage/runs/outbox.ts';
import type { PublishedRun } from '../../storage/runs/published-runs.ts';
import type { Store, StoredObject } from '../../storage/store.ts';
import { type Channel, sendTimeout } from '../channel.ts';
import type { AlertContext } from './compose-messages.ts';

export interface UndeliveredMessages {
  readonly channel: string;
  /** The slot of the oldest message that it has not taken. */
  readonly since: string;
  readonly messages: number;
  readonly why: { readonly code: string; readonly message: string };
}

export interface Delivery {
  readonly delivered: readonly { readonly channel: string; readonly messages: number }[];
  readonly undelivered: readonly UndeliveredMessages[];
  /** Given up: their channel is no longer in the settings, or they are older than the nights that are kept. */
  readonly dropped?: readonly { readonly channel: string; readonly messages: number }[];
}

/** Longer than a send may take, with what is written around it. */
const claimLifetime = 90_000;
const claimPollInterval = 2_000;

/** Channels do not wait for each other; a channel's messages go in order, and stop at the first that it does not take. */
export async function deliver(store: Store, run: PublishedRun, alerts: AlertContext): Promise<Delivery> {
  const pending = await readPendingMessages(store, run);
  const queues = Map.groupBy(pending, ({ channel }) => channel);
  const results = await Promise.all(
    [...queues].map(async ([name, queue]) => {
      const channel = alerts.channels.find((one) => one.name === name);
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
  await markCarried(store, run);
  return {
    delivered: results.flatMap(({ name, done }) => (done === 0 ? [] : [{ channel: name, messages: done }])),
    undelivered: results.flatMap(({ name, left, why }) => summarizeUndelivered(name, left, why)),
  };
}

const channelGone = { code: 'channel-gone', message: 'It is no longer in the settings.' };

function summarizeUndelivered(
  channel: string,
  left: readonly OutboxMessage[],
  why: UndeliveredMessages['why'] = channelGone,
): UndeliveredMessages[] {
  const [since] = left.map(({ slot }) => slot).sort();
  return since === undefined ? [] : [{ channel, since, messages: left.length, why }];
}

/** Why it was not delivered, or undefined. Failures of the store are not the channel's, and are thrown. */
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
      // Given back, so that the next one need not wait for its end.
      await store.remove(claim);
      return { code: failure.code, message: failure.message };
    }
    await createIfAbsent(store, toDeliveredKey(message), buildMarkerRecord(message, alerts));
  }
  return undefined;
}

/** The key of our claim; undefined when the message was delivered meanwhile. */
async function claimMessage(
  store: Store,
  message: OutboxMessage,
  { clock, signal }: AlertContext,
): Promise<string | undefined> {
  const isDelivered = async () => (await store.read(toDeliveredKey(message))) !== undefined;
  let number = 1;
  let seen: number | undefined;
  for (;;) {
    if (await isDelivered()) {
      return undefined;
    }
    const key = toClaimKey(message, number);
    const held = await store.read(key);
    if (held === undefined) {
      const record = { schema: 1, at: clock.now().toISOString(), by: randomUUID() };
      if (!(await createIfAbsent(store, key, record))) {
        continue;
      }
      // Its last holder may have delivered it between our look and our claim.
      return (await isDelivered()) ? undefined : key;
    }
    seen ??= clock.elapsed();
    // By its own date, and never longer than it can live: the other's clock may be ahead.
    const left = Math.min(computeClaimTimeLeft(held, clock.now()), seen + claimLifetime - clock.elapsed());
    if (left > 0) {
      await clock.sleep(Math.min(left, claimPollInterval), signal);
    } else {
      number += 1;
      seen = undefined;
    }
  }
}

function computeClaimTimeLeft({ body }: StoredObject, now: Date): number {
  try {
    const { at } = JSON.parse(body.toString('utf8')) as { at?: string };
    const left = Date.parse(at ?? '') + claimLifetime - now.getTime();
    return Number.isNaN(left) ? 0 : left;
  } catch {
    return 0;
  }
}

export async function sendToChannel(
  channel: Channel,
  { payload, key }: Pick<OutboxMessage, 'payload' | 'key'>,
  { clock, signal }: Pick<AlertContext, 'clock' | 'signal'>,
  time = sendTimeout,
): Promise<MusterError | undefined> {
  const end = new AbortController();
  const late = new MusterError('request-timed-out', `${channel.name} did not take it within ${time / 1000} s.`);
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

/** What was delivered is marked where it was first published; noted here too, since that run may be removed. */
async function markCarried(store: Store, run: PublishedRun): Promise<void> {
  for (const message of await readOutbox(store, run)) {
    const carried = toCarriedDeliveredKey(message, run);
    if (carried === undefined || (await store.read(carried)) !== undefined) {
      continue;
    }
    const held = await store.read(toDeliveredKey(message));
    if (held !== undefined) {
      await createIfAbsent(store, carried, JSON.parse(held.body.toString('utf8')) as object);
    }
  }
}

function buildMarkerRecord({ key }: OutboxMessage, { clock }: AlertContext): object {
  return { schema: 1, key, at: clock.now().toISOString() };
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
