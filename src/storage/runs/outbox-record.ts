/** `outbox.json`: the messages of a run, kept before any of them is sent. Sending them is the alerts' work. */

import * as v from 'valibot';
import type { AlertEvent } from '../../core/facts/alert-event.ts';
import { keyPartSchema, parseRecord } from '../stored-json.ts';

export interface Outbox {
  readonly messages: readonly OutboxMessage[];
  /** Commits of earlier runs whose outbox could not be read: nothing of theirs is carried on here. */
  readonly unread?: readonly number[];
  /** Events that wait for weekly summaries. */
  readonly held?: readonly HeldEvents[];
}

/** A message as it is kept before it is sent, in the outbox of a run. */
export interface OutboxMessage {
  readonly channel: string;
  /** A hash of the channel's address: nobody else gets the message. */
  readonly address?: string;
  readonly part: number;
  /** Tells a receiver that it has had this message before; never another's. */
  readonly key: string;
  /** The run that had it to tell first; a later one can carry it on. */
  readonly slot: string;
  readonly attempt: string;
  readonly payload: unknown;
  /** What it says, where it may be folded into a later one. */
  readonly events?: readonly AlertEvent[];
  /** The first slot of those that were folded into it. */
  readonly foldedSince?: string;
  /** Alerts that opened and ended in what was folded into it. */
  readonly ended?: number;
}

/** Says where the message is kept, so that no two have the same. */
export function formatMessageKey({
  slot,
  attempt,
  channel,
  part,
}: Pick<OutboxMessage, 'slot' | 'attempt' | 'channel' | 'part'>): string {
  return `muster/${slot}/${attempt}/${channel}-${part}`;
}

/** What a channel of people gets with its next weekly summary. */
export interface HeldEvents {
  readonly channel: string;
  readonly address?: string;
  readonly since: string;
  readonly events: readonly AlertEvent[];
}

/** A message as it is stored; a payload is its channel's. */
export const outboxMessageSchema = v.looseObject({
  channel: keyPartSchema,
  address: v.optional(v.string()),
  part: v.number(),
  key: v.string(),
  slot: keyPartSchema,
  attempt: keyPartSchema,
  events: v.optional(v.array(v.looseObject({}))),
});

const outboxSchema = v.looseObject({
  messages: v.array(outboxMessageSchema),
  unread: v.optional(v.array(v.pipe(v.number(), v.integer(), v.minValue(1)))),
  held: v.optional(
    v.array(v.looseObject({ channel: v.string(), since: v.string(), events: v.array(v.looseObject({})) })),
  ),
});

export function parseOutbox(body: Buffer, where: string): Outbox {
  return parseRecord<unknown>(outboxSchema, body, where) as Outbox;
}

export function serializeOutbox(outbox: Outbox): Buffer {
  return Buffer.from(`${JSON.stringify({ schema: 1, ...outbox })}\n`);
}
