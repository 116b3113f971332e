/** The messages of a run: its own, rendered before any is sent, and those that earlier runs could not deliver. */

import type { AlertEvent } from '../../core/alerts/alert-event.ts';
import { countDaysBetween } from '../../core/calendar.ts';
import type { Facts } from '../../core/facts.ts';
import type { Night } from '../../core/judged.ts';
import { pluralize } from '../../core/pluralize.ts';
import type { Clock } from '../../http/clock.ts';
import { omitUndefined } from '../../omit-undefined.ts';
import { parseSlotFromKey } from '../../storage/runs/keys.ts';
import { dropSuperseded, type Outbox, readPendingMessages } from '../../storage/runs/outbox.ts';
import type { CurrentRun } from '../../storage/runs/published-runs.ts';
import type { HeldEvents, OutboxMessage } from '../../storage/runs/records.ts';
import type { Store } from '../../storage/store.ts';
import type { Channel } from '../channel.ts';
import { buildNightMessage, type DigestSection } from '../message/digest.ts';
import { isUrgent, selectEvents } from '../message/select-events.ts';
import type { Heartbeat } from './heartbeat.ts';

export interface AlertContext {
  readonly channels: readonly Channel[];
  /** Where the report of a run is. */
  readonly link: (slot: string) => string;
  readonly clock: Clock;
  /** Ends all sending. */
  readonly signal: AbortSignal;
  readonly heartbeat?: Heartbeat;
  /** People get one summary a week, and errors at once. */
  readonly quiet?: boolean;
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
export function composeMessages(source: MessageSource, alerts: AlertContext): OutboxMessage[] {
  return alerts.channels.flatMap((channel) => {
    const events = selectChannelEvents(channel, source.events);
    return renderMessages({ ...source, events }, channel, alerts);
  });
}

function selectChannelEvents(channel: Channel, all: readonly AlertEvent[]): readonly AlertEvent[] {
  return selectEvents(
    all.filter(({ key }) => key !== `channel:${channel.name}`),
    channel.only,
  );
}

interface RenderedSource extends MessageSource {
  /** Says which messages or nights this one stands for. */
  readonly lead?: DigestSection;
  readonly foldedSince?: string;
  /** Alerts that opened and ended in what this one stands for. */
  readonly ended?: number;
}

/** People need no message where nothing is for them. What they are sent can be folded, where they do not accept it. */
function renderMessages(
  { slot, attempt, night, events, lead, foldedSince, ended = 0 }: RenderedSource,
  channel: Channel,
  { link }: AlertContext,
): OutboxMessage[] {
  const { name, address, audience } = channel;
  const shown = audience === 'people' ? events.filter(({ isBookkeeping }) => !isBookkeeping) : events;
  const message = buildNightMessage(night, shown, link(night.slot), lead);
  if (message === undefined) {
    return [];
  }
  return channel.render(message).map((payload, index): OutboxMessage => {
    const part = index + 1;
    const key = `muster/${slot}/${attempt}/${name}-${part}`;
    const foldable = audience === 'people' && part === 1 ? { events: shown, ...(ended === 0 ? {} : { ended }) } : {};
    return {
      channel: name,
      part,
      key,
      slot,
      attempt,
      payload,
      ...foldable,
      ...omitUndefined({ address, foldedSince }),
    };
  });
}

/** A channel of people that has missed more messages than this gets one instead of them. */
const mostPendingMessages = 3;
/** A weekly summary follows the first event in it by so many days. */
const summaryDays = 6;

interface ChannelMessages {
  readonly messages: readonly OutboxMessage[];
  readonly held: readonly HeldEvents[];
  /** Pending ones that these stand for. */
  readonly folded: readonly OutboxMessage[];
}

/** For one channel: this run's messages, with what it has missed and what was held for its weekly summary. */
function composeChannelMessages(
  source: MessageSource,
  channel: Channel,
  { pending, held }: { readonly pending: readonly OutboxMessage[]; readonly held: readonly HeldEvents[] },
  alerts: AlertContext,
): ChannelMessages {
  const own = selectChannelEvents(channel, source.events);
  if (channel.audience === 'programs') {
    return { messages: renderMessages({ ...source, events: own }, channel, alerts), held: [], folded: [] };
  }
  const { slot } = source;
  const isKept = alerts.quiet === true;
  const waiting = isKept ? own.filter((event) => !isUrgent(event) && !event.isBookkeeping) : [];
  const urgent = isKept ? own.filter(isUrgent) : own;
  const earlierHeld = held.flatMap(({ events }) => events);
  const heldEvents = isKept ? dropSuperseded([...earlierHeld, ...waiting], urgent) : earlierHeld;
  const heldSince = held[0]?.since ?? slot;
  const isSummary = heldEvents.length > 0 && (!isKept || countDaysBetween(heldSince, slot) >= summaryDays);
  const isFolded = pending.length > mostPendingMessages || pending.some(({ foldedSince }) => foldedSince !== undefined);
  const missed = isFolded && pending.every(({ part, events }) => events !== undefined || part > 1) ? pending : [];
  const events = [...missed.flatMap((message) => message.events ?? []), ...(isSummary ? heldEvents : []), ...urgent];
  const foldedSince = missed.map((message) => message.foldedSince ?? message.slot).sort()[0];
  const since = [...(isSummary ? [heldSince] : []), ...(foldedSince === undefined ? [] : [foldedSince])].sort()[0];
  const merged = since === undefined ? { events, ended: 0 } : mergeEvents(events);
  // What was folded before has counted its own.
  const ended = missed.reduce((sum, message) => sum + (message.ended ?? 0), merged.ended);
  const lead = since === undefined ? undefined : describeMerged(since, ended, foldedSince !== undefined);
  const { name, address } = channel;
  const kept = isSummary || heldEvents.length === 0 ? [] : [{ channel: name, since: heldSince, events: heldEvents }];
  return {
    messages: renderMessages(
      { ...source, events: merged.events, ended, ...omitUndefined({ lead, foldedSince }) },
      channel,
      alerts,
    ),
    held: kept.map((one) => ({ ...one, ...omitUndefined({ address }) })),
    folded: missed,
  };
}

/** The last event of each key. What opened and ended meanwhile is only counted, unless it was open before. */
function mergeEvents(events: readonly AlertEvent[]): { events: readonly AlertEvent[]; ended: number } {
  const byKey = Map.groupBy(events, ({ key }) => key);
  const merged: AlertEvent[] = [];
  let ended = 0;
  for (const group of byKey.values()) {
    const [first] = group;
    const last = group.at(-1);
    if (first === undefined || last === undefined) {
      continue;
    }
    const wasOpen = first.phase !== 'first' || first.wasOpen === true;
    if (last.phase === 'over' && !wasOpen) {
      ended += 1;
    } else {
      const shown = last.phase === 'again' ? (group.findLast(({ phase }) => phase === 'first') ?? last) : last;
      // It may be merged again, with its end.
      merged.push(wasOpen && shown.phase === 'first' ? { ...shown, wasOpen } : shown);
    }
  }
  return { events: merged, ended };
}

function describeMerged(since: string, ended: number, isLate: boolean): DigestSection {
  const lines = ended === 0 ? [] : [`${ended} ${pluralize(ended, 'alert')} opened and ended meanwhile.`];
  const ask = isLate
    ? 'This channel did not accept messages; this one stands for all of them.'
    : 'What was not urgent is reported once a week.';
  return { title: `Since ${since}`, ask, count: 1, lines, more: 0 };
}

interface CarriedMessages {
  readonly kept: readonly OutboxMessage[];
  readonly dropped: readonly OutboxMessage[];
}

/** Their channel is no longer in the settings, or they are older than the runs that are kept. */
export interface DroppedMessages {
  readonly messages: readonly OutboxMessage[];
  /** For a weekly summary. */
  readonly held: readonly HeldEvents[];
}

/** Undelivered messages go into the outbox of the next run. */
function carryOverMessages(
  pending: readonly OutboxMessage[],
  { slot, keptNights }: Pick<Facts, 'slot' | 'keptNights'>,
  { channels }: AlertContext,
): CarriedMessages {
  const isKept = (message: OutboxMessage) =>
    message.slot === slot ||
    (channels.some((channel) => isMessageOf(message, channel)) && isRecent(message.slot, { slot, keptNights }));
  return { kept: pending.filter(isKept), dropped: pending.filter((message) => !isKept(message)) };
}

/** By name and address: a channel that took the name of another gets nothing that was meant for that one. */
export function isMessageOf(message: Pick<OutboxMessage, 'channel' | 'address'>, { name, address }: Channel): boolean {
  return message.channel === name && (message.address === undefined || message.address === address);
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
  readonly dropped: DroppedMessages;
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
    return { outbox: { messages: [] }, dropped: { messages: [], held: [] } };
  }
  const earlier = currentRun === undefined ? undefined : await readPendingMessages(store, currentRun);
  const { kept, dropped } = carryOverMessages(earlier?.messages ?? [], facts, alerts);
  const unread = (earlier?.unread ?? [])
    .flatMap(({ link }) => link ?? [])
    .filter(({ manifest }) => isRecent(parseSlotFromKey(manifest) ?? '', facts));
  const own = { slot: night.slot, attempt, night, events: night.events };
  const composed = alerts.channels.map((channel) => {
    const pending = kept.filter((message) => isMessageOf(message, channel));
    const held = earlier?.held.filter((one) => isMessageOf(one, channel)) ?? [];
    return composeChannelMessages(own, channel, { pending, held }, alerts);
  });
  const folded = new Set(composed.flatMap((one) => one.folded));
  const messages = [...kept.filter((message) => !folded.has(message)), ...composed.flatMap((one) => one.messages)];
  const held = composed.flatMap((one) => one.held);
  const outbox = { messages, ...(unread.length === 0 ? {} : { unread }), ...(held.length === 0 ? {} : { held }) };
  const droppedHeld = (earlier?.held ?? []).filter(
    (one) => !alerts.channels.some((channel) => isMessageOf(one, channel)),
  );
  return { outbox, dropped: { messages: dropped, held: droppedHeld } };
}
