/** The messages of a run: its own, rendered before any is sent, and those that earlier runs could not deliver. */

import type { AlertEvent } from '../../core/alerts/alert-event.ts';
import { countDaysBetween } from '../../core/calendar.ts';
import type { Facts } from '../../core/facts.ts';
import type { Night } from '../../core/judged.ts';
import type { Clock } from '../../http/clock.ts';
import { parseSlotFromKey } from '../../storage/runs/keys.ts';
import { type Outbox, readPendingMessages } from '../../storage/runs/outbox.ts';
import type { CurrentRun } from '../../storage/runs/published-runs.ts';
import type { OutboxMessage } from '../../storage/runs/records.ts';
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

interface MessageSource {
  /** The slot and the attempt that have the messages first. */
  readonly slot: string;
  readonly attempt: string;
  /** What the messages show of coverage. */
  readonly night: Night;
  readonly events: readonly AlertEvent[];
}

/** The messages for each channel. That a channel does not accept messages is reported through the others. */
export function composeMessages(
  { slot, attempt, night, events: all }: MessageSource,
  { channels, link }: AlertContext,
): OutboxMessage[] {
  return channels.flatMap((channel) => {
    const events = all.filter(({ key }) => key !== `channel:${channel.name}`);
    const message = buildNightMessage(night, events, link(night.slot));
    if (message === undefined) {
      return [];
    }
    return channel.render(message).map((payload, index): OutboxMessage => {
      const part = index + 1;
      const key = `muster/${slot}/${attempt}/${channel.name}-${part}`;
      return { channel: channel.name, part, key, slot, attempt, payload };
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
  readonly currentRun: CurrentRun | undefined;
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
    .flatMap(({ link }) => link ?? [])
    .filter(({ manifest }) => isRecent(parseSlotFromKey(manifest) ?? '', facts));
  const own = { slot: night.slot, attempt, night, events: night.events };
  const messages = [...kept, ...composeMessages(own, alerts)];
  return { outbox: { messages, ...(unread.length === 0 ? {} : { unread }) }, dropped };
}
