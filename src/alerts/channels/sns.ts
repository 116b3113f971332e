/**
 * Amazon SNS: one message for each run, with attributes for filtering subscriptions. E-mail can be sent through it.
 * https://docs.aws.amazon.com/sns/latest/api/API_Publish.html
 */

import { createHash } from 'node:crypto';
import { defineForm, describeSetting } from '../../settings/fields.ts';
import { defineChannel } from '../channel-kind.ts';
import type { Digest } from '../message/digest.ts';
import { fitDigest, formatSubject, isWithinBytes, renderPlainText } from '../message/plain-text.ts';
import { toSafeText } from '../message/safe-text.ts';
import { awsServer, buildChannelClientOptions, callWithRetries, parseArnRegion } from './aws-request.ts';

/** Bytes of body, attributes and subject together, in UTF-8, with room for the request around them. */
const maximumMessageBytes = 262_144 - 1_024;
const longestSubject = 99;

const topicSchema = defineForm(
  /^arn:[a-z-]+:sns:[a-z0-9-]+:\d{12}:\S+$/,
  'must be a topic such as arn:aws:sns:eu-west-1:123456789012:muster',
);

export const snsChannel = defineChannel({
  type: 'sns',
  settings: { topicArn: describeSetting(topicSchema, 'the ARN of the topic') },
  open: ({ topicArn }, { idle }) => ({
    audience: 'people',
    server: awsServer,
    render: ({ digest }) => [fitDigest(digest, buildSnsMessage, isWithinBytes(maximumMessageBytes))],
    async send(payload, sending) {
      const { PublishCommand, SNSClient } = await import('@aws-sdk/client-sns');
      const client = new SNSClient(buildChannelClientOptions(parseArnRegion(topicArn), idle));
      const command = new PublishCommand({
        TopicArn: topicArn,
        ...(payload as ReturnType<typeof buildSnsMessage>),
        ...buildFifoFields(topicArn, sending.key),
      });
      await callWithRetries('Amazon SNS', 'sns:Publish', (options) => client.send(command, options), sending);
    },
  }),
});

/** Fields for a FIFO topic, which drops a message whose id it has received in the last five minutes. */
function buildFifoFields(topicArn: string, key: string) {
  if (!topicArn.endsWith('.fifo')) {
    return {};
  }
  return { MessageGroupId: 'muster', MessageDeduplicationId: createHash('sha256').update(key).digest('hex') };
}

function buildSnsMessage(digest: Digest) {
  const { about, slot, kinds, severity } = digest;
  const stringAttribute = (StringValue: string) => ({ DataType: 'String', StringValue });
  return {
    Subject: toSafeText(formatSubject(digest), longestSubject),
    Message: renderPlainText(digest),
    MessageAttributes: {
      about: stringAttribute(about),
      kinds: { DataType: 'String.Array', StringValue: JSON.stringify(kinds) },
      severity: stringAttribute(severity),
      slot: stringAttribute(slot),
    },
  };
}
