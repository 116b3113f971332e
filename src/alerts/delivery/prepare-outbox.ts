/** The outbox of a run that is about to be published: what channels have missed, then the run's own messages. */

import { countDaysBetween } from '../../core/facts/calendar.ts';
import type { Facts } from '../../core/facts/facts.ts';
import type { HeldEvents, Outbox, OutboxMessage } from '../../storage/runs/outbox-record.ts';
import type { Publication } from '../../storage/runs/publish.ts';
import type { Store } from '../../storage/store.ts';
import { type AlertContext, composeChannelMessages } from './compose-messages.ts';
import type { DroppedCount } from './deliver.ts';
import { isMessageOf, readPendingMessages } from './outbox.ts';

/**
 * The messages of a run that is about to be published: first the undelivered ones, then its own. Undelivered ones that
 * cannot be read stop no run: its outbox names where they are.
 */
export async function prepareOutbox(
  { facts, night, head, attempt }: Pick<Publication, 'facts' | 'night' | 'head' | 'attempt'>,
  store: Store,
  alerts: AlertContext | undefined,
): Promise<{ outbox: Outbox; dropped: readonly DroppedCount[] }> {
  if (alerts === undefined) {
    return { outbox: { messages: [] }, dropped: [] };
  }
  const earlier = head === undefined ? undefined : await readPendingMessages(store, head);
  const isKept = (message: OutboxMessage) =>
    message.slot === facts.slot ||
    (alerts.channels.some((channel) => isMessageOf(message, channel)) && isRecent(message.slot, facts));
  const { kept = [], gone = [] } = Object.groupBy(earlier?.messages ?? [], (one) => (isKept(one) ? 'kept' : 'gone'));
  const unread = (earlier?.unread ?? [])
    .map(({ run }) => run.commit)
    .filter((commit) => isRecent(commit.slot, facts))
    .map(({ number }) => number);
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
  const goneHeld = (earlier?.held ?? []).filter((one) => !alerts.channels.some((channel) => isMessageOf(one, channel)));
  return { outbox, dropped: countDropped(gone, goneHeld) };
}

/** Every dropped message and event is reported. */
function countDropped(messages: readonly OutboxMessage[], held: readonly HeldEvents[]): DroppedCount[] {
  const channels = new Set([...messages, ...held].map(({ channel }) => channel));
  return [...channels].map((channel): DroppedCount => {
    const heldEvents = held.filter((one) => one.channel === channel).flatMap(({ events }) => events).length;
    const count = messages.filter((one) => one.channel === channel).length;
    return { channel, messages: count, ...(heldEvents === 0 ? {} : { heldEvents }) };
  });
}

/** Even where fewer nights are kept, a channel has a week to be repaired. */
const minimumKeptDays = 7;

function isRecent(earlier: string, { slot, keptNights }: Pick<Facts, 'slot' | 'keptNights'>): boolean {
  return countDaysBetween(earlier, slot) <= Math.max(keptNights, minimumKeptDays);
}
