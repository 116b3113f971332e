/** The messages of a run: its own, rendered before any is sent, and those that earlier runs could not deliver. */
import { countDaysBetween } from '../../core/alerts/alert-event.ts';
import type { Facts } from '../../core/facts.ts';
import type { Night } from '../../core/judged.ts';
import type { Clock } from '../../http/clock.ts';
import { parseSlotFromKey } from '../../storage/runs/keys.ts';
import { type Outbox, type OutboxMessage, readPendingMessages } from '../../storage/runs/outbox.ts';
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
function composeMessages(night: Night, attempt: string, { channels, link }: AlertContext): OutboxMessage[] {
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

interface CarriedMessages {
  readonly kept: readonly OutboxMessage[];
  /** Dropped: their channel is no longer in the settings, or they are older than the runs that are kept. */
  readonly dropped: readonly OutboxMessage[];
}

/** Undelivered messages go into the outbox of the next run. */
function carryOverMessages(
  pending: readonly OutboxMessage[],
  { slot, keptNights }: Pick<Facts, 'slot' | 'keptNights'>,
  { channels }: AlertContext,
): CarriedMessages {
  const names = new Set(channels.map(({ name }) => name));
  const isKept = (message: OutboxMessage) =>
    message.slot === slot || (names.has(message.channel) && isRecent(message.slot, { slot, keptNights }));
  return { kept: pending.filter(isKept), dropped: pending.filter((message) => !isKept(message)) };
}

function isRecent(earlier: string, { slot, keptNights }: Pick<Facts, 'slot' | 'keptNights'>): boolean {
  return countDaysBetween(earlier, slot) <= Math.max(keptNights, minimumKeptDays);
}

interface RunToPublish {
  readonly facts: Facts;
  readonly night: Night;
  readonly currentRun: PublishedRun | undefined;
  readonly attempt: string;
}

interface PreparedOutbox {
  readonly outbox: Outbox;
  /** Messages that were dropped when these were made. */
  readonly dropped: readonly OutboxMessage[];
}

/**
 * The messages of a run that is about to be published: first the undelivered ones, then its own. Undelivered ones that
 * cannot be read stop no run: its outbox names where they are.
 */
export async function prepareOutbox(
  { facts, night, currentRun, attempt }: RunToPublish,
  store: Store,
  alerts: AlertContext | undefined,
): Promise<PreparedOutbox> {
  if (alerts === undefined) {
    return { outbox: { messages: [] }, dropped: [] };
  }
  const earlier = currentRun === undefined ? undefined : await readPendingMessages(store, currentRun);
  const { kept, dropped } = carryOverMessages(earlier?.messages ?? [], facts, alerts);
  const unread = (earlier?.unread ?? [])
    .map(({ link }) => link)
    .filter(({ manifest }) => isRecent(parseSlotFromKey(manifest) ?? '', facts));
  const messages = [...kept, ...composeMessages(night, attempt, alerts)];
  return { outbox: { messages, ...(unread.length === 0 ? {} : { unread }) }, dropped };
}
