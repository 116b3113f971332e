/** Any other program: JSON, signed, with a key by which it can tell that it has had a message before. */
import { createHmac } from 'node:crypto';
import type { Channel } from '../channel.ts';
import type { AlertMessage, Digest } from '../message/digest.ts';
import { toEventRecord } from '../message/event-record.ts';
import { countBytes, fitDigest } from '../message/fit-digest.ts';
import { type SecretProvider, sendHttpMessage } from './http-message.ts';

interface WebhookSettings {
  readonly name: string;
  readonly url: SecretProvider;
  /** Signs what is sent. */
  readonly key?: SecretProvider;
  readonly idle?: number;
}

const maximumEvents = 100;
const maximumBodyBytes = 256 * 1024;

export function createWebhookChannel({ name, key, ...to }: WebhookSettings): Channel {
  return {
    name,
    render: (news) => [
      fitDigest(
        news.digest,
        (digest) => buildWebhookMessage(digest, news),
        (message) => countBytes(message) <= maximumBodyBytes,
      ),
    ],
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

/** Over the time stamp too, so that a message cannot be played again later. */
function computeSignature(key: string, timestamp: string, body: string): string {
  return createHmac('sha256', key).update(`${timestamp}.${body}`).digest('hex');
}

function buildWebhookMessage(digest: Digest, { events }: AlertMessage) {
  // As many as fit beside the digest: each is bounded, so the first hundred are tried and halved.
  let shown = events.slice(0, maximumEvents).map((event) => toEventRecord(event, digest));
  while (countBytes(shown) > maximumBodyBytes / 2) {
    shown = shown.slice(0, Math.floor(shown.length / 2));
  }
  return { schema: 'muster.digest', version: 1, ...digest, events: shown, moreEvents: events.length - shown.length };
}
