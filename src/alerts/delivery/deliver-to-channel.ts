/** Sends one channel message after message, until it is up to date, nothing more is due, or it does not accept one. */
import type { PublishedRun } from '../../storage/commits/commit.ts';
import type { DeliveryRange } from '../../storage/deliveries/delivery-record.ts';
import { toAttemptFolder } from '../../storage/keys.ts';
import type { Channel, SendContext } from '../channel.ts';
import type { AlertContext } from './alert-context.ts';
import {
  type ChannelStanding,
  createClaim,
  createMark,
  type FolderParts,
  readStanding,
  removeSuperseded,
} from './channel-folder.ts';
import { type ComposedRange, composeMessage, formatMessageKey, selectChannelEvents } from './compose-message.ts';
import { decideDue } from './decide-due.ts';
import { type SendFailure, sendToChannel } from './send.ts';

/** Messages that are due to a channel and not sent. */
export interface WaitingMessages {
  readonly channel: string;
  /** The slot of the oldest run about which a message was due. */
  readonly since: string;
  readonly messages: number;
}

export interface UndeliveredMessages extends WaitingMessages {
  readonly why: { readonly code: string; readonly message: string };
}

interface ChannelDelivery {
  readonly channel: string;
  /** Number of messages that it accepted. */
  readonly messages: number;
  readonly undelivered?: UndeliveredMessages;
}

/** The next message of a channel, or the range to mark without one. */
interface NextMessage extends DeliveryRange {
  readonly range: Omit<ComposedRange, 'open'>;
  readonly due: 'nothing' | 'later' | 'due';
}

export async function deliverToChannel(
  channel: Channel,
  from: number,
  alerts: AlertContext,
  parts: FolderParts,
): Promise<ChannelDelivery> {
  let messages = 0;
  for (let contested = 0; contested < mostContests; ) {
    const standing = await readStanding(channel, from, parts);
    const next = await findNextMessage(channel, standing, alerts, parts);
    if (next === undefined || next.due === 'later') {
      await removeSuperseded(standing, parts);
      break;
    }
    if (next.due === 'nothing') {
      await createMark(channel, next, parts);
      continue;
    }
    const sent = await sendNext(channel, from, next, standing, alerts, parts);
    if (sent === 'contested') {
      contested += 1;
    } else if ('failure' in sent) {
      const { code, message } = sent.failure.error;
      const undelivered = { ...(await describeWaiting(channel, next, alerts, parts)), why: { code, message } };
      return { channel: channel.name, messages: messages + sent.accepted, undelivered };
    } else {
      messages += sent.accepted;
    }
  }
  return { channel: channel.name, messages };
}

/** The messages that are due to a channel; sends, claims and marks nothing. */
export async function findWaiting(
  channel: Channel,
  from: number,
  alerts: AlertContext,
  parts: FolderParts,
): Promise<WaitingMessages | undefined> {
  const next = await findNextMessage(channel, await readStanding(channel, from, parts), alerts, parts);
  return next?.due === 'due' ? describeWaiting(channel, next, alerts, parts) : undefined;
}

/** Times that another run was first; then the channel is left to that run. */
const mostContests = 5;

/**
 * The next message. People get one up to the head, programs one for each run with events for them. Undefined where a
 * later run has sent it, or is about to.
 */
async function findNextMessage(
  channel: Channel,
  { first, claimed }: ChannelStanding,
  alerts: AlertContext,
  { log }: FolderParts,
): Promise<NextMessage | undefined> {
  const head = log.head.commit.number;
  if (first > head || (claimed?.commit.number ?? 0) > head) {
    return undefined;
  }
  const { runs, missed } = await log.readRange(first, claimed ?? log.head);
  const decide = (range: NextMessage['range']) => {
    const slot = range.runs.at(-1)?.events.slot ?? log.head.commit.slot;
    return decideDue(channel, { ...range, events: selectChannelEvents(channel, range), slot }, alerts);
  };
  const all = { first, runs, missed };
  if (claimed !== undefined) {
    return { first, last: claimed, range: all, due: 'due' };
  }
  if (channel.audience === 'people') {
    return { first, last: log.head, range: all, due: decide(all) };
  }
  for (const [index, one] of runs.entries()) {
    const { run } = one;
    // Earlier runs have no events for this channel. All others up to this one that are not readable count as missed.
    const range = { first, runs: [one], missed: run.commit.number - first - index };
    if (decide(range) === 'due') {
      return { first, last: run, range, due: 'due' };
    }
  }
  return { first, last: log.head, range: all, due: 'nothing' };
}

type Sent = 'contested' | { readonly accepted: number } | { readonly accepted: number; readonly failure: SendFailure };

/** Claims, sends and marks one message; throws failures of the store, which are not the channel's. */
async function sendNext(
  channel: Channel,
  from: number,
  next: NextMessage,
  standing: ChannelStanding,
  alerts: AlertContext,
  parts: FolderParts,
): Promise<Sent> {
  const { first, last, range } = next;
  const attachment = await readAttachment(channel, last, parts.store);
  const open = range.missed === 0 ? undefined : await parts.log.readOpenAlerts(last);
  const payloads = composeMessage(channel, { ...range, open }, alerts);
  const claim = await createClaim(channel, next, standing.nextTry, parts);
  if (claim === undefined) {
    return 'contested';
  }
  const now = await readStanding(channel, from, parts);
  if (now.first !== first || now.claimed?.sha256 !== last.sha256) {
    await parts.store.remove(claim);
    return 'contested';
  }
  const { clock, signal } = alerts;
  for (const [accepted, payload] of payloads.entries()) {
    const key = formatMessageKey(channel, first, last, accepted + 1);
    const failure = await sendToChannel(channel, payload, { key, clock, signal, attachment });
    if (failure !== undefined) {
      if (signal.aborted) {
        throw signal.reason;
      }
      // The first claim fixes the range, so that the receiver gets the same bytes again; further claims are removed.
      const isFixed = now.claimKey !== claim;
      if (isFixed || (failure.isRefused && accepted === 0)) {
        await parts.store.remove(claim);
      }
      return { accepted, failure };
    }
  }
  await createMark(channel, next, parts);
  return { accepted: payloads.length };
}

/** The report to attach; undefined where the run has none, and the message is sent without it. */
async function readAttachment(
  { attaches }: Channel,
  { commit: { slot, attempt } }: PublishedRun,
  store: FolderParts['store'],
): Promise<SendContext['attachment']> {
  if (attaches === undefined) {
    return undefined;
  }
  const report = await store.read(`${toAttemptFolder(slot, attempt)}reports/${attaches.file}`);
  return report && (report.length > attaches.maximumBytes ? 'too large' : report);
}

/** Counts the waiting messages, since the first run after which one was due. */
async function describeWaiting(
  channel: Channel,
  { first }: NextMessage,
  alerts: AlertContext,
  { log }: FolderParts,
): Promise<WaitingMessages> {
  const { runs } = await log.readRange(first, log.head);
  const isDue = (end: number) => {
    const shown = runs.slice(0, end + 1);
    const slot = shown.at(-1)?.events.slot ?? '';
    const events = selectChannelEvents(channel, { runs: shown });
    return decideDue(channel, { first, events, slot, missed: 0 }, alerts) === 'due';
  };
  const since = runs.findIndex((_, index) => isDue(index));
  const own = (index: number) => selectChannelEvents(channel, { runs: runs.slice(index, index + 1) }).length > 0;
  const waiting = channel.audience === 'people' ? 1 : runs.filter((_, index) => own(index)).length;
  return {
    channel: channel.name,
    since: (runs[since] ?? runs[0])?.run.commit.slot ?? log.head.commit.slot,
    messages: Math.max(1, waiting),
  };
}
