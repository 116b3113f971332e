/** Any other program: JSON, signed, with an idempotency key by which it recognizes a message that it has received before. */
import { createHmac } from 'node:crypto';
import type { SecretProvider } from '../../http/secrets.ts';
import type { Channel } from '../channel.ts';
import type { AlertMessage } from '../message/digest.ts';
import { type EventRecord, toEventRecord } from '../message/event-record.ts';
import { countBytes, fitDigest } from '../message/plain-text.ts';
import { sendHttpMessage } from './http-message.ts';

interface WebhookSettings {
  readonly name: string;
  readonly url: SecretProvider;
  /** Signs the body. */
  readonly key?: SecretProvider;
  readonly idle?: number;
}

const eventsPerPart = 100;
/** The digest and the events of a part have half of it each. */
const maximumBodyBytes = 256 * 1024;

export function createWebhookChannel({ name, key, ...to }: WebhookSettings): Channel {
  return {
    name,
    audience: 'programs',
    render: buildWebhookMessages,
    async send(payload, sending) {
      const body = JSON.stringify(payload);
      const timestamp = String(Math.floor(sending.clock.now().getTime() / 1000));
      const headers = {
        'content-type': 'application/json',
        'idempotency-key': sending.key,
        'muster-timestamp': timestamp,
        ...(key === undefined
          ? {}
          : { 'muster-signature': `v1=${computeSignature(await key(false), timestamp, body)}` }),
      };
      await sendHttpMessage({ who: 'The webhook', ...to }, { body, headers }, sending);
    },
  };
}

/** The timestamp is signed too, so that a message cannot be replayed later. */
function computeSignature(key: string, timestamp: string, body: string): string {
  return createHmac('sha256', key).update(`${timestamp}.${body}`).digest('hex');
}

/** Each part has the whole digest, and as many events as fit; together the parts have all of them. */
function buildWebhookMessages({ digest, events }: AlertMessage): object[] {
  const fitting = fitDigest(
    digest,
    (shown) => shown,
    (shown) => countBytes(shown) <= maximumBodyBytes / 2,
  );
  const parts = splitIntoEventParts(events.map((event) => toEventRecord(event, digest)));
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

function splitIntoEventParts(records: readonly EventRecord[]): EventRecord[][] {
  const parts: EventRecord[][] = [];
  let room = 0;
  for (const record of records) {
    const size = countBytes(record) + 1;
    const last = parts.at(-1);
    if (last === undefined || last.length === eventsPerPart || size > room) {
      parts.push([record]);
      room = maximumBodyBytes / 2 - size;
    } else {
      last.push(record);
      room -= size;
    }
  }
  return parts;
}
