/**
 * Amazon SNS: one message a night, with attributes to filter subscriptions by. Also the way to e-mail.
 * https://docs.aws.amazon.com/sns/latest/api/API_Publish.html
 */
import { createHash } from 'node:crypto';
import type { Channel } from '../channel.ts';
import type { Digest } from '../message/digest.ts';
import { bytesOf, fitting } from '../message/fit-digest.ts';
import { textOf } from '../message/plain-text.ts';
import { plain } from '../message/safe-text.ts';
import { asking, clientOptions, regionOf } from './aws-request.ts';

interface SnsSettings {
  readonly name: string;
  readonly topicArn: string;
  readonly idle?: number;
}

interface Message {
  readonly Subject: string;
  readonly Message: string;
  readonly MessageAttributes: Readonly<Record<string, { readonly DataType: string; readonly StringValue: string }>>;
}

/** Body, attributes and subject together, in UTF-8; what is wrapped around it needs some room too. */
const budget = 262_144 - 1_024;
const longestSubject = 99;

export function snsChannel({ name, topicArn, idle }: SnsSettings): Channel {
  return {
    name,
    render: ({ digest }) => [fitting(digest, messageOf, (message) => bytesOf(message) <= budget)],
    async send(payload, sending) {
      const { PublishCommand, SNSClient } = await import('@aws-sdk/client-sns');
      const client = new SNSClient(clientOptions(regionOf(topicArn), idle));
      const command = new PublishCommand({
        TopicArn: topicArn,
        ...(payload as Message),
        ...orderOf(topicArn, sending.key),
      });
      try {
        await asking('Amazon SNS', 'sns:Publish', (options) => client.send(command, options), sending);
      } finally {
        client.destroy();
      }
    },
  };
}

/** A topic that keeps order also drops what it has had in the last five minutes. */
function orderOf(topicArn: string, key: string) {
  if (!topicArn.endsWith('.fifo')) return {};
  return { MessageGroupId: 'muster', MessageDeduplicationId: createHash('sha256').update(key).digest('hex') };
}

function messageOf(digest: Digest): Message {
  const { about, slot, title, kinds, severity } = digest;
  const subject = about === 'night' ? `Muster ${slot}: ${title}` : `Muster: ${title}`;
  const word = (StringValue: string) => ({ DataType: 'String', StringValue });
  return {
    Subject: plain(subject, longestSubject),
    Message: textOf(digest),
    MessageAttributes: {
      about: word(about),
      kinds: { DataType: 'String.Array', StringValue: JSON.stringify(kinds) },
      severity: word(severity),
      slot: word(slot),
    },
  };
}
