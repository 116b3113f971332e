/** A receiver of each type of channel, as the real one answers: the contract is held against it, and docs/examples/messages/ shows what it is sent. */
import type { Channel } from '../../src/alerts/channel.ts';
import type { ChannelContext } from '../../src/alerts/channel-kind.ts';
import type { ChannelSettings } from '../../src/alerts/channel-kinds.ts';
import { openChannel } from '../../src/compose/channels.ts';
import type { ChannelUnderTest } from '../contracts/channel.ts';
import { openMailServer } from './mail-server.ts';

export interface ChannelSubject extends Omit<ChannelUnderTest, 'make'> {
  readonly called: string;
  /** With addresses and secrets as they are, instead of references. */
  settings(origin: string): ChannelSettings;
  /** The variable that says where AWS is. */
  readonly endpoint?: string;
  /** The files of docs/examples/messages/ with their text or JSON, where that is not one with the whole payload. */
  show?(payload: unknown): Readonly<Record<string, unknown>>;
}

const token = 'planted-address-token';
const key = 'planted-signing-key';
export const access = { id: 'AKIDPLANTED', secret: 'planted-aws-secret', session: 'planted-aws-session' };

/** Every secret is what stands in the settings. */
export function openPlain(settings: ChannelSettings, context: Partial<ChannelContext> = {}): Channel {
  const plain = async (text: string) => text;
  return openChannel(settings, { secret: (text) => () => plain(text), webIdentityToken: plain, ...context });
}

/** An address whose path is a secret. */
const at = (origin: string, path: string) => `${origin}${path}${token}`;

const web: Pick<ChannelSubject, 'secrets' | 'telling' | 'refuse'> = {
  secrets: [token, key],
  telling: 'Lost the agent',
  refuse: (status, planted, response) => void response.writeHead(status).end(`no: ${planted}`),
};

const aws: Pick<ChannelSubject, 'secrets'> = { secrets: [access.secret, access.session] };

function showMail(payload: unknown): Readonly<Record<string, string>> {
  const { subject, text, html } = payload as { subject: string; text: string; html: string };
  return { 'mail.txt': `Subject: ${subject}\n\n${text}`, 'mail.html': html };
}

/** A type of channel that is not here does not compile. */
export const subjects: Readonly<Record<ChannelSettings['type'], ChannelSubject>> = {
  slack: {
    called: 'Slack',
    ...web,
    settings: (origin) => ({ type: 'slack', url: at(origin, '/services/T0/B0/') }),
    take: (_, response) => void response.end('ok'),
  },
  teams: {
    called: 'Microsoft Teams',
    ...web,
    settings: (origin) => ({ type: 'teams', url: at(origin, '/workflows/invoke?sig=') }),
    take: (_, response) => void response.writeHead(202).end(),
  },
  webhook: {
    called: 'a webhook',
    ...web,
    settings: (origin) => ({ type: 'webhook', url: at(origin, '/hook/'), key }),
    take: (_, response) => void response.writeHead(204).end(),
  },
  pagerduty: {
    called: 'PagerDuty',
    ...web,
    requestsPerEvent: true,
    settings: () => ({ type: 'pagerduty', routingKey: key, region: 'us' }),
    show: (payload) => ({ 'pagerduty.json': (payload as { events: object[] }).events[0] }),
    take: (_, response) => void response.writeHead(202).end(JSON.stringify({ status: 'success' })),
  },
  smtp: {
    called: 'a mail server',
    secrets: [key],
    // Quoted-printable may break the words of the title apart.
    telling: 'Lost the agent',
    listen: openMailServer,
    settings(origin) {
      const { hostname: host, port } = new URL(origin);
      const address = { host, port: Number(port), from: 'muster@example.com', to: ['soc@example.com'] };
      return { type: 'smtp', ...address, user: 'muster', password: key, weekly: false };
    },
    show: showMail,
    take: (_, response) => void response.end(),
    refuse: (status, planted, response) => void response.writeHead(status >= 500 ? 451 : 550, planted).end(),
  },
  'graph-mail': {
    called: 'Microsoft Graph, which sends mail',
    secrets: [token, key],
    telling: 'Lost the agent',
    settings: (origin) => ({
      ...{ type: 'graph-mail', from: 'muster@example.com', to: ['soc@example.com'], weekly: false },
      ...{ tenantId: 'example.com', auth: { clientId: 'id', clientSecret: key }, cloud: 'global' },
      endpoints: { login: origin, graph: origin },
    }),
    show: showMail,
    signIn(request, response) {
      const isSignIn = request.url === '/example.com/oauth2/v2.0/token';
      if (isSignIn) {
        request.resume();
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ token_type: 'Bearer', expires_in: 3599, access_token: token }));
      }
      return isSignIn;
    },
    take: (_, response) => void response.writeHead(202).end(),
    refuse(status, planted, response) {
      response.writeHead(status).end(JSON.stringify({ error: { code: 'ErrorAccessDenied', message: planted } }));
    },
  },
  sns: {
    called: 'Amazon SNS',
    ...aws,
    telling: 'Lost+the+agent'.replaceAll('+', '%20'),
    endpoint: 'AWS_ENDPOINT_URL_SNS',
    settings: () => ({ type: 'sns', topicArn: 'arn:aws:sns:eu-west-1:123456789012:night' }),
    show(payload) {
      const { Subject, Message } = payload as { Subject: string; Message: string };
      return { 'sns.txt': `Subject: ${Subject}\n\n${Message}` };
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
    endpoint: 'AWS_ENDPOINT_URL_EVENTBRIDGE',
    settings: () => ({ type: 'eventbridge', busName: 'default', source: 'muster' }),
    show(payload) {
      const [entry] = (payload as { entries: { Detail: string }[] }).entries;
      return { 'eventbridge.json': { ...entry, Detail: JSON.parse(entry?.Detail ?? '{}') } };
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
