/** What a run has to send: its own messages, rendered before any is sent, and what earlier ones could not deliver. */
import { daysBetween } from '../../core/alerts/event.ts';
import type { Facts } from '../../core/facts.ts';
import type { Night } from '../../core/judged.ts';
import type { Clock } from '../../http/clock.ts';
import { carriedKey, type Message, markerKey, readOutbox } from '../../storage/runs/outbox.ts';
import type { Run } from '../../storage/runs/published-runs.ts';
import type { Store } from '../../storage/store.ts';
import type { Channel } from '../channel.ts';
import { newsOf } from '../message/digest.ts';
import type { Heartbeat } from './heartbeat.ts';

export interface Alerts {
  readonly channels: readonly Channel[];
  /** Where a night's report is. */
  readonly link: (slot: string) => string;
  readonly clock: Clock;
  /** Ends whatever is being sent. */
  readonly signal: AbortSignal;
  readonly heartbeat?: Heartbeat;
}

/** Even where fewer nights are kept, a channel has a week to be repaired. */
const leastDays = 7;

/** A night's messages for each channel. That a channel is silent is told through the others. */
export function messagesOf(night: Night, attempt: string, { channels, link }: Alerts): Message[] {
  return channels.flatMap((channel) => {
    const events = night.events.filter(({ key }) => key !== `channel:${channel.name}`);
    const news = newsOf(night, events, link(night.slot));
    if (news === undefined) return [];
    return channel.render(news).map((payload, index): Message => {
      const part = index + 1;
      const key = `muster/${night.slot}/${attempt}/${channel.name}-${part}`;
      return { channel: channel.name, part, key, slot: night.slot, attempt, payload };
    });
  });
}

export interface Carried {
  readonly kept: readonly Message[];
  /** Given up: their channel is no longer in the settings, or they are older than the nights that are kept. */
  readonly dropped: readonly Message[];
}

/** What stands undelivered goes into the outbox of the run that takes its place. */
export function carry(
  pending: readonly Message[],
  { slot, keptNights }: Pick<Facts, 'slot' | 'keptNights'>,
  { channels }: Alerts,
): Carried {
  const names = new Set(channels.map(({ name }) => name));
  const isKept = (message: Message) =>
    message.slot === slot ||
    (names.has(message.channel) && daysBetween(message.slot, slot) <= Math.max(keptNights, leastDays));
  return { kept: pending.filter(isKept), dropped: pending.filter((message) => !isKept(message)) };
}

/** Messages of a published run that nobody has marked as delivered. */
export async function pendingOf(store: Store, run: Run): Promise<Message[]> {
  const messages = await readOutbox(store, run);
  const marks = await marksOf(store, run, messages);
  return messages.filter((message) => !marks.has(markerKey(message)) && !marks.has(carriedKey(message, run) ?? ''));
}

async function marksOf(store: Store, run: Run, messages: readonly Message[]): Promise<ReadonlySet<string>> {
  const keys = messages.flatMap((message) => [markerKey(message), carriedKey(message, run) ?? markerKey(message)]);
  const folders = new Set(keys.map((key) => key.slice(0, key.lastIndexOf('/') + 1)));
  const marks = new Set<string>();
  for (const folder of folders) for await (const key of store.list(folder)) marks.add(key);
  return marks;
}
