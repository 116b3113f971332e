/** What a run has to send: its own messages, rendered before any is sent, and what earlier ones could not deliver. */
import { countDaysBetween } from '../../core/alerts/alert-event.ts';
import type { Facts } from '../../core/facts.ts';
import type { Night } from '../../core/judged.ts';
import type { Clock } from '../../http/clock.ts';
import { type OutboxMessage, readPendingMessages } from '../../storage/runs/outbox.ts';
import type { PublishedRun } from '../../storage/runs/published-runs.ts';
import type { Store } from '../../storage/store.ts';
import type { Channel } from '../channel.ts';
import { buildNightMessage } from '../message/digest.ts';
import type { Heartbeat } from './heartbeat.ts';

export interface AlertContext {
  readonly channels: readonly Channel[];
  /** Where a night's report is. */
  readonly link: (slot: string) => string;
  readonly clock: Clock;
  /** Ends whatever is being sent. */
  readonly signal: AbortSignal;
  readonly heartbeat?: Heartbeat;
}

/** Even where fewer nights are kept, a channel has a week to be repaired. */
const minimumKeptDays = 7;

/** A night's messages for each channel. That a channel is silent is told through the others. */
function composeMessages(night: Night, attempt: string, { channels, link }: AlertContext): OutboxMessage[] {
  return channels.flatMap((channel) => {
    const events = night.events.filter(({ key }) => key !== `channel:${channel.name}`);
    const news = buildNightMessage(night, events, link(night.slot));
    if (news === undefined) {
      return [];
    }
    return channel.render(news).map((payload, index): OutboxMessage => {
      const part = index + 1;
      const key = `muster/${night.slot}/${attempt}/${channel.name}-${part}`;
      return { channel: channel.name, part, key, slot: night.slot, attempt, payload };
    });
  });
}

interface CarriedMessages {
  readonly kept: readonly OutboxMessage[];
  /** Given up: their channel is no longer in the settings, or they are older than the nights that are kept. */
  readonly dropped: readonly OutboxMessage[];
}

/** What stands undelivered goes into the outbox of the run that takes its place. */
function carryOverMessages(
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

interface RunToPublish {
  readonly facts: Facts;
  readonly night: Night;
  readonly currentRun: PublishedRun | undefined;
  readonly attempt: string;
}

interface PreparedMessages {
  readonly messages: readonly OutboxMessage[];
  /** What was given up when they were made. */
  readonly dropped: readonly OutboxMessage[];
}

/** The messages of a run that is about to be published: first what could not be delivered, then its own. */
export async function prepareMessages(
  { facts, night, currentRun, attempt }: RunToPublish,
  store: Store,
  alerts: AlertContext | undefined,
): Promise<PreparedMessages> {
  if (alerts === undefined) {
    return { messages: [], dropped: [] };
  }
  const pending = currentRun === undefined ? [] : await readPendingMessages(store, currentRun);
  const { kept, dropped } = carryOverMessages(pending, facts, alerts);
  return { messages: [...kept, ...composeMessages(night, attempt, alerts)], dropped };
}
