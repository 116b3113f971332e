/** The messages of a run for each channel, rendered before any is sent. */
import { omitUndefined } from '../../base/omit-undefined.ts';
import type { AlertEvent } from '../../core/facts/alert-event.ts';
import { countDaysBetween } from '../../core/facts/calendar.ts';
import type { Night } from '../../core/facts/judged.ts';
import { pluralize } from '../../core/text/pluralize.ts';
import type { Clock } from '../../http/clock.ts';
import { formatMessageKey, type HeldEvents, type OutboxMessage } from '../../storage/runs/outbox-record.ts';
import type { Channel } from '../channel.ts';
import { selectEventsForPeople } from '../message/channel-scope.ts';
import { buildNightMessage, type DigestSection } from '../message/digest.ts';
import { isAnnounced, isUrgent, selectEvents } from '../message/digest-event.ts';
import type { Heartbeat } from './heartbeat.ts';
import { dropSuperseded } from './outbox.ts';

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

/** The messages for each channel. That a channel does not accept messages is reported through the others. */
export function composeMessages(source: MessageSource, alerts: AlertContext): OutboxMessage[] {
  return alerts.channels.flatMap((channel) => {
    const events = selectChannelEvents(channel, source);
    return renderMessages({ ...source, events }, channel, alerts);
  });
}

function selectChannelEvents(
  { name, audience, only }: Channel,
  { events, night }: MessageSource,
): readonly AlertEvent[] {
  const others = events.filter(({ key }) => key !== `channel:${name}`);
  return audience === 'people'
    ? selectEventsForPeople(
        others.filter(({ isBookkeeping }) => !isBookkeeping),
        night,
        only,
      )
    : selectEvents(others, only);
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
  const message = buildNightMessage(night, events, { link: link(night.slot), lead, only });
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
/** A weekly summary follows the first event in it by so many days. */
const summaryDays = 6;

interface WaitingMessages {
  /** Messages that the channel has not accepted. */
  readonly pending: readonly OutboxMessage[];
  /** Events that wait for its weekly summary. */
  readonly held: readonly HeldEvents[];
}

interface ChannelMessages {
  readonly messages: readonly OutboxMessage[];
  readonly held: readonly HeldEvents[];
  /** Pending ones that these stand for. */
  readonly folded: readonly OutboxMessage[];
}

/** This run's messages for one channel, with what it has missed and what was held for its weekly summary. */
export function composeChannelMessages(
  source: MessageSource,
  channel: Channel,
  waiting: WaitingMessages,
  alerts: AlertContext,
): ChannelMessages {
  const own = selectChannelEvents(channel, source);
  if (channel.audience === 'programs') {
    return { messages: renderMessages({ ...source, events: own }, channel, alerts), held: [], folded: [] };
  }
  const isEveryNight = alerts.everyNight === true && channel.only === undefined;
  const { urgent, summary, kept } = holdForSummary(own, waiting.held, source.slot, {
    isQuiet: alerts.quiet === true,
    isEveryNight,
  });
  const folded = selectFolded(waiting.pending);
  const foldedSince = folded.map((message) => message.foldedSince ?? message.slot).sort()[0];
  const since = [alerts.quiet ? summary?.since : undefined, foldedSince].filter((slot) => slot !== undefined).sort()[0];
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

type Summary = Pick<HeldEvents, 'since' | 'events'>;

/**
 * What is said at once, the summary where it is due, and what waits for it. With `quiet`, all but errors waits for a week;
 * otherwise what asks nothing of anybody waits for the next message, and no longer than a week.
 */
function holdForSummary(
  own: readonly AlertEvent[],
  held: readonly HeldEvents[],
  slot: string,
  { isQuiet, isEveryNight }: { readonly isQuiet: boolean; readonly isEveryNight: boolean },
): { urgent: readonly AlertEvent[]; summary?: Summary; kept?: Summary } {
  const earlier = held.flatMap((one) => one.events);
  const isSentNow = !isQuiet && (isEveryNight || own.some(isAnnounced));
  const urgent = isSentNow ? own : own.filter(isUrgent);
  const waiting = own.filter((event) => !urgent.includes(event));
  const events = isQuiet ? dropSuperseded([...earlier, ...waiting], urgent) : [...earlier, ...waiting];
  if (events.length === 0) {
    return { urgent };
  }
  const since = held[0]?.since ?? slot;
  const isDue = isSentNow || countDaysBetween(since, slot) >= summaryDays;
  return isDue ? { urgent, summary: { since, events } } : { urgent, kept: { since, events } };
}

/** All of them or none, so that nothing is said twice. */
function selectFolded(pending: readonly OutboxMessage[]): readonly OutboxMessage[] {
  const isFolded = pending.length > mostPendingMessages || pending.some(({ foldedSince }) => foldedSince !== undefined);
  const canBeFolded = pending.every(({ part, events }) => events !== undefined || part > 1);
  return isFolded && canBeFolded ? pending : [];
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
