/** Every channel against the shared suite. */
import { beforeAll, vi } from 'vitest';
import { createEventBridgeChannel } from '../../src/alerts/channels/eventbridge.ts';
import { createPagerDutyChannel } from '../../src/alerts/channels/pagerduty.ts';
import { createSlackChannel } from '../../src/alerts/channels/slack.ts';
import { createSmtpChannel } from '../../src/alerts/channels/smtp.ts';
import { createSnsChannel } from '../../src/alerts/channels/sns.ts';
import { createTeamsChannel } from '../../src/alerts/channels/teams.ts';
import { createWebhookChannel } from '../../src/alerts/channels/webhook.ts';
import type { ChannelSettings } from '../../src/settings/channels.ts';
import { type ChannelUnderTest, channelContract } from '../contracts/channel.ts';
import { openMailServer } from './mail-server.ts';

const token = 'planted-address-token';
const key = 'planted-signing-key';
const access = { id: 'AKIDPLANTED', secret: 'planted-aws-secret', session: 'planted-aws-session' };

beforeAll(() => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', access.id);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', access.secret);
  vi.stubEnv('AWS_SESSION_TOKEN', access.session);
  return () => vi.unstubAllEnvs();
});

const at = (origin: string, path: string) => async () => `${origin}${path}${token}`;

const web: Pick<ChannelUnderTest, 'secrets' | 'telling' | 'refuse'> = {
  secrets: [token, key],
  telling: 'Lost the agent',
  refuse: (status, planted, response) => void response.writeHead(status).end(`no: ${planted}`),
};

const aws: Pick<ChannelUnderTest, 'secrets'> = { secrets: [access.secret, access.session] };

/** A type of channel that is not here does not compile. */
const subjects: Readonly<Record<ChannelSettings['type'], ChannelUnderTest & { readonly called: string }>> = {
  slack: {
    called: 'Slack',
    ...web,
    make: (origin, idle) => createSlackChannel({ name: 'slack', url: at(origin, '/services/T0/B0/'), idle }),
    take: (_, response) => void response.end('ok'),
  },
  teams: {
    called: 'Microsoft Teams',
    ...web,
    make: (origin, idle) => createTeamsChannel({ name: 'teams', url: at(origin, '/workflows/invoke?sig='), idle }),
    take: (_, response) => void response.writeHead(202).end(),
  },
  webhook: {
    called: 'a webhook',
    ...web,
    make: (origin, idle) =>
      createWebhookChannel({ name: 'webhook', url: at(origin, '/hook/'), key: async () => key, idle }),
    take: (_, response) => void response.writeHead(204).end(),
  },
  pagerduty: {
    called: 'PagerDuty',
    ...web,
    requestsPerEvent: true,
    make: (origin, idle) =>
      createPagerDutyChannel({ name: 'pagerduty', routingKey: async () => key, url: `${origin}/v2/enqueue`, idle }),
    take: (_, response) => void response.writeHead(202).end(JSON.stringify({ status: 'success' })),
  },
  smtp: {
    called: 'a mail server',
    secrets: [key],
    // Quoted-printable may break the words of the title apart.
    telling: 'Lost the agent',
    listen: openMailServer,
    make(origin, idle) {
      const { hostname: host, port } = new URL(origin);
      const address = { host, port: Number(port), from: 'muster@example.com', to: ['soc@example.com'] };
      return createSmtpChannel({
        name: 'smtp',
        ...address,
        user: async () => 'muster',
        password: async () => key,
        idle,
      });
    },
    take: (_, response) => void response.end(),
    refuse: (status, planted, response) => void response.writeHead(status >= 500 ? 451 : 550, planted).end(),
  },
  sns: {
    called: 'Amazon SNS',
    ...aws,
    telling: 'Lost+the+agent'.replaceAll('+', '%20'),
    make(origin, idle) {
      vi.stubEnv('AWS_ENDPOINT_URL_SNS', origin);
      return createSnsChannel({ name: 'sns', topicArn: 'arn:aws:sns:eu-west-1:123456789012:night', idle });
    },
    take(_, response) {
      const result = '<PublishResult><MessageId>1</MessageId></PublishResult>';
      response.writeHead(200, { 'content-type': 'text/xml' });
      response.end(`<PublishResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/">${result}</PublishResponse>`);
    },
    refuse(status, planted, response) {
      const code = status === 403 ? 'AuthorizationError' : status === 429 ? 'Throttled' : 'InvalidParameter';
      const error = `<Error><Type>Sender</Type><Code>${code}</Code><Message>${planted}</Message></Error>`;
      response.writeHead(status, { 'content-type': 'text/xml' });
      response.end(`<ErrorResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/">${error}</ErrorResponse>`);
    },
  },
  eventbridge: {
    called: 'Amazon EventBridge',
    ...aws,
    telling: 'device.lost',
    make(origin, idle) {
      vi.stubEnv('AWS_ENDPOINT_URL_EVENTBRIDGE', origin);
      vi.stubEnv('AWS_REGION', 'eu-west-1');
      return createEventBridgeChannel({ name: 'eventbridge', busName: 'default', source: 'muster', idle });
    },
    take(body, response) {
      const { Entries = [] } = JSON.parse(body) as { Entries?: unknown[] };
      const answer = { FailedEntryCount: 0, Entries: Entries.map((_, index) => ({ EventId: String(index) })) };
      response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(answer));
    },
    refuse(status, planted, response) {
      const name =
        status === 429 ? 'ThrottlingException' : status === 403 ? 'AccessDeniedException' : 'ValidationException';
      const answer = JSON.stringify({ __type: name, message: planted });
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(answer);
    },
  },
};

for (const { called, ...subject } of Object.values(subjects)) {
  channelContract(called, subject);
}

channelContract('Slack, refusing with 200', {
  ...web,
  make: (origin, idle) => createSlackChannel({ name: 'slack', url: at(origin, '/services/T0/B0/'), idle }),
  take: (_, response) => void response.end('ok'),
  refuse(status, planted, response) {
    const isFinal = status >= 400 && status < 500 && status !== 429;
    response.writeHead(isFinal ? 200 : status).end(JSON.stringify({ ok: false, error: 'no_service', planted }));
  },
});
