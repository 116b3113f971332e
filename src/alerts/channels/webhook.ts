/** Any other program: JSON, signed, with a key by which it can tell that it has had a message before. */
import { createHmac } from 'node:crypto';
import type { Channel } from '../channel.ts';
import type { Digest, News } from '../message/digest.ts';
import { recordOf } from '../message/event-record.ts';
import { bytesOf, fitting } from '../message/fit-digest.ts';
import { post, type Reading } from './http-message.ts';

interface WebhookSettings {
  readonly name: string;
  readonly url: Reading;
  /** Signs what is sent. */
  readonly key?: Reading;
  readonly idle?: number;
}

const maximumEvents = 100;
const budget = 256 * 1024;

export function webhookChannel({ name, key, ...to }: WebhookSettings): Channel {
  return {
    name,
    render: (news) => [
      fitting(
        news.digest,
        (digest) => messageOf(digest, news),
        (message) => bytesOf(message) <= budget,
      ),
    ],
    async send(payload, sending) {
      const body = JSON.stringify(payload);
      const timestamp = String(Math.floor(sending.clock.now().getTime() / 1000));
      const headers = {
        'content-type': 'application/json',
        'idempotency-key': sending.key,
        'muster-timestamp': timestamp,
        ...(key === undefined ? {} : { 'muster-signature': `v1=${signature(await key(false), timestamp, body)}` }),
      };
      await post({ who: 'The webhook', ...to }, { body, headers }, sending);
    },
  };
}

/** Over the time stamp too, so that a message cannot be played again later. */
function signature(key: string, timestamp: string, body: string): string {
  return createHmac('sha256', key).update(`${timestamp}.${body}`).digest('hex');
}

function messageOf(digest: Digest, { events }: News) {
  // As many as fit beside the digest: each is bounded, so the first hundred are tried and halved.
  let shown = events.slice(0, maximumEvents).map((event) => recordOf(event, digest));
  while (bytesOf(shown) > budget / 2) shown = shown.slice(0, Math.floor(shown.length / 2));
  return { schema: 'muster.digest', version: 1, ...digest, events: shown, moreEvents: events.length - shown.length };
}
