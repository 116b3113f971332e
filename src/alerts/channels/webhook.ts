/** Any other program: signed JSON with an idempotency key, by which it recognizes a message that it has received before. */
import { createHmac } from 'node:crypto';
import { describeOptional } from '../../settings/fields.ts';
import { secretSchema } from '../../settings/secret-references.ts';
import { defineChannel, webAddressSchema } from '../channel-kind.ts';
import type { AlertMessage } from '../message/digest.ts';
import { toEventRecord } from '../message/event-record.ts';
import { countBytes, fitDigest, isWithinBytes } from '../message/plain-text.ts';
import { sendJson } from './http-message.ts';
import { splitIntoParts } from './split-parts.ts';

const eventsPerPart = 100;
/** Bytes of a body, half of them for the digest and half for the events. */
const maximumBodyBytes = 256 * 1024;

export const webhookChannel = defineChannel({
  type: 'webhook',
  settings: { url: webAddressSchema, key: describeOptional(secretSchema, 'signs messages') },
  open({ url, key }, { secret, idle }) {
    const to = { who: 'The webhook', url: secret(url), idle };
    return {
      audience: 'programs',
      render: buildWebhookMessages,
      async send(payload, sending) {
        const body = JSON.stringify(payload);
        const timestamp = String(Math.floor(sending.clock.now().getTime() / 1000));
        const signature = key && `v1=${computeSignature(await secret(key)(false), timestamp, body)}`;
        const headers = { 'idempotency-key': sending.key, 'muster-timestamp': timestamp };
        await sendJson(to, payload, sending, { ...headers, ...(signature && { 'muster-signature': signature }) });
      },
    };
  },
});

/** Signs the body with its timestamp, so that a message cannot be replayed later. */
function computeSignature(key: string, timestamp: string, body: string): string {
  return createHmac('sha256', key).update(`${timestamp}.${body}`).digest('hex');
}

/** Payloads of a message, each with the whole digest; the events are divided among them. */
function buildWebhookMessages({ digest, events }: AlertMessage): object[] {
  const fitting = fitDigest(digest, (shown) => shown, isWithinBytes(maximumBodyBytes / 2));
  const records = events.map((event) => toEventRecord(event, digest));
  const limits = { items: eventsPerPart, bytes: maximumBodyBytes / 2 };
  const parts = splitIntoParts(records, { ...limits, measure: (record) => countBytes(record) + 1 });
  return parts.map((part, index) => ({
    schema: 'muster.digest',
    version: 1,
    ...fitting,
    part: index + 1,
    parts: parts.length,
    events: part,
    moreEvents: events.length - part.length,
  }));
}
