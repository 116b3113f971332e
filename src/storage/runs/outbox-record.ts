/** `outbox.json`: the messages of a run, kept before any of them is sent. Sending them is the alerts' work. */

import * as v from 'valibot';
import { isRecord } from '../../base/is-record.ts';
import type { AlertEvent } from '../../core/facts/alert-event.ts';
import { keyPartSchema, parseRecord } from '../stored-json.ts';

const text = v.string();
const eventsSchema = v.custom<readonly AlertEvent[]>((value) => Array.isArray(value) && value.every(isRecord));

/** A message as it is kept before it is sent, in the outbox of a run. */
export const outboxMessageSchema = v.object({
  channel: keyPartSchema,
  /** A hash of the channel's address: nobody else gets the message. */
  address: v.exactOptional(text),
  part: v.number(),
  /** Tells a receiver that it has had this message before; never another's. */
  key: text,
  /** The run that had it to tell first; a later one can carry it on. */
  slot: keyPartSchema,
  attempt: keyPartSchema,
  /** As its channel renders it. */
  payload: v.unknown(),
  /** What it says, where it may be folded into a later one. */
  events: v.exactOptional(eventsSchema),
  /** The first slot of those that were folded into it. */
  foldedSince: v.exactOptional(text),
  /** Alerts that opened and ended in what was folded into it. */
  ended: v.exactOptional(v.number()),
});

export type OutboxMessage = Readonly<v.InferOutput<typeof outboxMessageSchema>>;

/** What a channel of people gets with its next weekly summary. */
const heldSchema = v.object({ channel: text, address: v.exactOptional(text), since: text, events: eventsSchema });

export type HeldEvents = Readonly<v.InferOutput<typeof heldSchema>>;

const outboxSchema = v.object({
  messages: v.array(outboxMessageSchema),
  /** Commits of earlier runs whose outbox could not be read: nothing of theirs is carried on here. */
  unread: v.exactOptional(v.array(v.pipe(v.number(), v.integer(), v.minValue(1)))),
  /** Events that wait for weekly summaries. */
  held: v.exactOptional(v.array(heldSchema)),
});

export type Outbox = Readonly<v.InferOutput<typeof outboxSchema>>;

/** Says where the message is kept, so that no two have the same. */
export function formatMessageKey({
  slot,
  attempt,
  channel,
  part,
}: Pick<OutboxMessage, 'slot' | 'attempt' | 'channel' | 'part'>): string {
  return `muster/${slot}/${attempt}/${channel}-${part}`;
}

export function parseOutbox(body: Buffer, where: string): Outbox {
  return parseRecord(outboxSchema, body, where);
}

export function serializeOutbox(outbox: Outbox): Buffer {
  return Buffer.from(`${JSON.stringify({ schema: 1, ...outbox })}\n`);
}
