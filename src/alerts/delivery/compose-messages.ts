/** The messages of a run: its own, rendered before any is sent, and those that earlier runs could not deliver. */
import { countDaysBetween } from '../../core/alerts/alert-event.ts';
import type { Facts } from '../../core/facts.ts';
import type { Night } from '../../core/judged.ts';
import type { Clock } from '../../http/clock.ts';
import { type OutboxMessage, readOutbox, toCarriedDeliveredKey, toDeliveredKey } from '../../storage/runs/outbox.ts';
import type { PublishedRun } from '../../storage/runs/published-runs.ts';
import type { Store } from '../../storage/store.ts';
import type { Channel } from '../channel.ts';
import { buildNightMessage } from '../message/digest.ts';
import type { Heartbeat } from './heartbeat.ts';

export interface AlertContext {
  readonly channels: readonly Channel[];
  /** Where the report of a run is. */
  readonly link: (slot: string) => string;
  readonly clock: Clock;
  /** Ends all sending. */
  readonly signal: AbortSignal;
  readonly heartbeat?: Heartbeat;
}

/** Even where fewer nights are kept, a channel has a week to be repaired. */
const minimumKeptDays = 7;

/** A run's messages for each channel. That a channel does not accept messages is reported through the others. */
export function composeMessages(night: Night, attempt: string, { channels, link }: AlertContext): OutboxMessage[] {
  return channels.flatMap((channel) => {
    const events = night.events.filter(({ key }) => key !== `channel:${channel.name}`);
    const message = buildNightMessage(night, events, link(night.slot));
    if (message === undefined) {
      return [];
    }
    return channel.render(message).map((payload, index): OutboxMessage => {
      const part = index + 1;
      const key = `muster/${night.slot}/${attempt}/${channel.name}-${part}`;
      return { channel: channel.name, part, key, slot: night.slot, attempt, payload };
    });
  });
}

export interface CarriedMessages {
  readonly kept: readonly OutboxMessage[];
  /** Dropped: their channel is no longer in the settings, or they are older than the runs that are kept. */
  readonly dropped: readonly OutboxMessage[];
}

/** Undelivered messages go into the outbox of the next run. */
export function carryOverMessages(
  pending: readonly OutboxMessage[],
  { slot, keptNights }: Pick<Facts, 'slot' | 'keptNights'>,
  { channels }: AlertContext,
): CarriedMessages {
  const names = new Set(channels.map(({ name }) => name));
  const isKept = (message: OutboxMessage) =>
    message.slot === slot ||
    (names.has(message.channel) && countDaysBetween(message.slot, slot) <= Math.max(keptNights, minimumKeptDays));
  return { kept: pending.filter(isKept), dropped: pending.filter((message) => !isKept(message)) };
}

/** Messages of a published run that are not marked as delivered. */
export async function readPendingMessages(store: Store, run: PublishedRun): Promise<OutboxMessage[]> {
  const messages = await readOutbox(store, run);
  const marks = await listMarkers(store, run, messages);
  return messages.filter(
    (message) => !marks.has(toDeliveredKey(message)) && !marks.has(toCarriedDeliveredKey(message, run) ?? ''),
  );
}

async function listMarkers(
  store: Store,
  run: PublishedRun,
  messages: readonly OutboxMessage[],
): Promise<ReadonlySet<string>> {
  const keys = messages.flatMap((message) => [
    toDeliveredKey(message),
    toCarriedDeliveredKey(message, run) ?? toDeliveredKey(message),
  ]);
  const folders = new Set(keys.map((key) => key.slice(0, key.lastIndexOf('/') + 1)));
  const marks = new Set<string>();
  for (const folder of folders) {
    for await (const key of store.list(folder)) {
      marks.add(key);
    }
  }
  return marks;
}
