/** The messages of a run for each channel, rendered before any is sent. */
import { omitUndefined } from '../../base/omit-undefined.ts';
import type { AlertEvent } from '../../core/facts/alert-event.ts';
import type { Night } from '../../core/facts/judged.ts';
import type { Clock } from '../../http/clock.ts';
import { formatMessageKey, type HeldEvents, type OutboxMessage } from '../../storage/runs/outbox-record.ts';
import type { Channel } from '../channel.ts';
import { selectEventsForPeople } from '../message/channel-scope.ts';
import { buildRunMessage, type DigestSection } from '../message/digest.ts';
import { selectEvents } from '../message/digest-event.ts';
import type { Heartbeat } from './heartbeat.ts';
import { describeMerged, holdForSummary, mergeEvents } from './summary.ts';

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
  /** People get a message of every run, also where nothing asks anything of them. */
  readonly everyNight?: boolean;
}

interface MessageSource {
  /** The slot and the attempt that have the messages first. */
  readonly slot: string;
  readonly attempt: string;
  /** What the messages show of coverage. */
  readonly night: Night;
  readonly events: readonly AlertEvent[];
}

function selectChannelEvents(
  { name, audience, only }: Channel,
  { events, night }: MessageSource,
): readonly AlertEvent[] {
  const others = events.filter(({ key }) => key !== `channel:${name}`);
  if (audience === 'programs') {
    return selectEvents(others, only);
  }
  return selectEventsForPeople(others, night, only);
}

interface RenderedSource extends MessageSource {
  /** Says which messages or nights this one stands for. */
  readonly lead?: DigestSection;
  readonly foldedSince?: string;
  /** Alerts that opened and ended in what this one stands for. */
  readonly ended?: number;
  /** It is sent also where it says nothing but the figures. */
  readonly isDue?: boolean;
}

/** Nobody needs a message where nothing is for them. What people are sent can be folded, where they do not accept it. */
function renderMessages(
  { slot, attempt, night, events, lead, foldedSince, ended = 0, isDue = false }: RenderedSource,
  channel: Channel,
  { link }: AlertContext,
): OutboxMessage[] {
  const { name, address, audience, only } = channel;
  if (events.length === 0 && lead === undefined && !isDue) {
    return [];
  }
  const message = buildRunMessage(night, events, { link: link(night.slot), lead, only });
  return channel.render(message).map((payload, index): OutboxMessage => {
    const part = index + 1;
    const key = formatMessageKey({ slot, attempt, channel: name, part });
    const foldable = audience === 'people' && part === 1 ? { events, ...(ended === 0 ? {} : { ended }) } : {};
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

/**
 * This run's messages for one channel, with what it has not accepted and what was held for its weekly summary. They stand
 * for the pending ones that are folded.
 */
export function composeChannelMessages(
  source: MessageSource,
  channel: Channel,
  waiting: { readonly pending: readonly OutboxMessage[]; readonly held: readonly HeldEvents[] },
  alerts: AlertContext,
) {
  const own = selectChannelEvents(channel, source);
  if (channel.audience === 'programs') {
    return { messages: renderMessages({ ...source, events: own }, channel, alerts), held: [], folded: [] };
  }
  const isQuiet = alerts.quiet === true || channel.isWeekly === true;
  const isEveryNight = alerts.everyNight === true && channel.only === undefined && !isQuiet;
  const { urgent, summary, kept } = holdForSummary(own, waiting.held, source.slot, { isQuiet, isEveryNight });
  const folded = selectFolded(waiting.pending);
  const foldedSince = folded.map((message) => message.foldedSince ?? message.slot).sort()[0];
  const since = [isQuiet ? summary?.since : undefined, foldedSince].filter((slot) => slot !== undefined).sort()[0];
  const events = [...folded.flatMap((message) => message.events ?? []), ...(summary?.events ?? []), ...urgent];
  const merged = mergeEvents(events);
  // What was folded before has counted its own.
  const ended = folded.reduce((sum, message) => sum + (message.ended ?? 0), merged.ended);
  const lead = since === undefined ? undefined : describeMerged(since, ended, foldedSince !== undefined);
  const { name, address } = channel;
  return {
    messages: renderMessages(
      { ...source, events: merged.events, ended, isDue: isEveryNight, ...omitUndefined({ lead, foldedSince }) },
      channel,
      alerts,
    ),
    held: kept === undefined ? [] : [{ channel: name, ...kept, ...omitUndefined({ address }) }],
    folded,
  };
}

/** All of them or none, so that nothing is said twice. */
function selectFolded(pending: readonly OutboxMessage[]): readonly OutboxMessage[] {
  const isFolded = pending.length > mostPendingMessages || pending.some(({ foldedSince }) => foldedSince !== undefined);
  const canBeFolded = pending.every(({ part, events }) => events !== undefined || part > 1);
  return isFolded && canBeFolded ? pending : [];
}
