/** How mail signs in from January 2027 on, when Exchange Online takes no password by default: by token, or through Graph. */
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { type Simulator, startSimulator } from '../../simulator/simulator.ts';
import type { ChannelSettings } from '../../src/alerts/channel-kinds.ts';
import { chooseTokenRequest } from '../../src/alerts/channels/mail-token.ts';
import { fakeClock, loopback } from '../http/loopback.ts';
import { openPlain } from './channel-subjects.ts';
import { buildExampleMessage, lostNight } from './example-messages.ts';
import { openSmtpServer, type SignedIn } from './mail-server.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) {
    await close();
  }
});

const people = { from: 'muster@example.com', to: ['soc@example.com'], weekly: false };
const token = 'planted-access-token';
const clientSecret = 'planted-client-secret';
const password = 'planted-password';

/** A mail server that notes who signed in, and what it took. */
async function openExchange(refuse?: (signIn: SignedIn) => string | undefined) {
  const signedIn: SignedIn[] = [];
  const mails: string[] = [];
  const server = await openSmtpServer(
    (mail, callback) => {
      mails.push(mail);
      callback();
    },
    (signIn) => {
      signedIn.push(signIn);
      return refuse?.(signIn);
    },
  );
  closing.push(server.close);
  return { signedIn, mails, port: server.port };
}

async function openTokenServer(body: object = { token_type: 'Bearer', expires_in: 3599, access_token: token }) {
  const forms: Record<string, string>[] = [];
  const server = await loopback(async (request, response) => {
    forms.push(Object.fromEntries(new URLSearchParams(await text(request))));
    response.writeHead('error' in body ? 401 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
  closing.push(server.close);
  return { forms, url: `${server.origin}/example.com/oauth2/v2.0/token`, requests: server.requests };
}

function bySmtp(port: number, signIn: object): ChannelSettings {
  return { type: 'smtp', host: '127.0.0.1', port, ...people, ...signIn } as ChannelSettings;
}

/** The failure, where the channel did not take the message. */
async function send(settings: ChannelSettings, attachment?: Buffer | 'too large'): Promise<unknown> {
  const channel = openPlain(settings);
  const [payload] = channel.render(buildExampleMessage(lostNight(['mac'])));
  const { signal } = new AbortController();
  const sending = { key: 'muster/1', clock: fakeClock(), signal, deadline: 60_000, attachment };
  return channel.send(payload, sending).then(
    () => undefined,
    (error: unknown) => {
      expect(String(error)).not.toMatch(/planted/);
      return error;
    },
  );
}

describe('by SMTP with a token (XOAUTH2)', () => {
  it('an application gets a token by its secret, and sends as the mailbox [M8]', async () => {
    const [exchange, tokens] = [await openExchange(), await openTokenServer()];
    const auth = { tokenUrl: tokens.url, clientId: 'client-1', clientSecret };
    expect(await send(bySmtp(exchange.port, { auth }))).toBeUndefined();
    expect(tokens.forms).toEqual([
      {
        grant_type: 'client_credentials',
        client_id: 'client-1',
        client_secret: clientSecret,
        scope: 'https://outlook.office365.com/.default',
      },
    ]);
    expect(exchange.signedIn).toEqual([{ method: 'XOAUTH2', user: 'muster@example.com', proof: token }]);
    expect(exchange.mails).toHaveLength(1);
  });

  it('another account than the sender is named by `user`', async () => {
    const [exchange, tokens] = [await openExchange(), await openTokenServer()];
    const auth = { tokenUrl: tokens.url, clientId: 'client-1', clientSecret };
    expect(await send(bySmtp(exchange.port, { auth, user: 'relay@example.com' }))).toBeUndefined();
    expect(exchange.signedIn).toEqual([{ method: 'XOAUTH2', user: 'relay@example.com', proof: token }]);
  });

  const login = 'https://login.microsoftonline.com/example.com/oauth2/v2.0/token';
  const government = 'https://login.microsoftonline.us/example.com/oauth2/v2.0/token';
  const own = 'https://id.example.com/token';
  it.each([
    [{}, login, 'https://outlook.office365.com/.default'],
    [{ tokenUrl: government }, government, 'https://outlook.office365.us/.default'],
    [{ tokenUrl: own, scope: 'mail' }, own, 'mail'],
  ])('where only %o is said, the token comes from %s for %s', (said, endpoint, scope) => {
    const auth = { clientId: 'client-1', clientSecret, ...said };
    expect(chooseTokenRequest({ from: 'muster@example.com', auth })).toEqual({ endpoint, scope });
  });

  it('a secret that has expired is said as Entra says it, before the mail server is asked', async () => {
    const exchange = await openExchange();
    const refusal = { error: 'invalid_client', error_description: 'planted', error_codes: [7000222] };
    const tokens = await openTokenServer(refusal);
    const auth = { tokenUrl: tokens.url, clientId: 'client-1', clientSecret };
    expect(await send(bySmtp(exchange.port, { auth }))).toMatchObject({
      code: 'sign-in-refused',
      message: expect.stringMatching(/\(invalid_client, AADSTS7000222\)\. The secret has expired: create a new one/),
    });
    expect(exchange.signedIn).toEqual([]);
  });
});

it('a channel that signs in in another way is the same channel, which gets what it missed', () => {
  const [byPassword, byToken] = [{ user: 'muster', password }, { auth: { clientId: 'client-1', clientSecret } }];
  const addresses = [byPassword, byToken].map((signIn) => openPlain(bySmtp(587, signIn)).address);
  expect(addresses[1]).toBe(addresses[0]);
  expect(openPlain(bySmtp(25, byToken)).address).not.toBe(addresses[0]);
});

describe('what Exchange Online says of a sign-in is shown as its numbers, with what to do', () => {
  const disabled = '5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled for the Tenant. planted';
  it.each([
    [
      'a password where SMTP is off [M8]',
      disabled,
      { user: 'muster', password },
      /by default from the end of December 2026/,
    ],
    [
      'a password that nobody may use',
      '5.7.30 Basic authentication is not supported for Client Submission. planted',
      { user: 'muster', password },
      /accepts no password/,
    ],
    ['a password by policy', '5.7.139 planted', { user: 'muster', password }, /A policy of the tenant blocks/],
    [
      'a password that Exchange takes for wrong',
      '5.7.139 Authentication unsuccessful, the user credentials were incorrect. planted',
      { user: 'muster', password },
      /\. Check the account and its password\.$/,
    ],
    ['a wrong password', '5.7.8 planted', { user: 'muster', password }, /Check the account and its password/],
    ['a token where SMTP is off', disabled, { auth: {} }, /Set-CASMailbox -SmtpClientAuthenticationDisabled \$false/],
    ['a token that is blocked', '5.7.139 planted', { auth: {} }, /A policy of the tenant blocks the sign-in/],
    ['a token without the mailbox', '5.7.3 planted', { auth: {} }, /may send as this mailbox/],
  ])('%s', async (_, refusal, signIn, advice) => {
    const [exchange, tokens] = [await openExchange(() => refusal), await openTokenServer()];
    const auth = { tokenUrl: tokens.url, clientId: 'client-1', clientSecret };
    const [enhanced] = refusal.split(' ');
    const failure = await send(bySmtp(exchange.port, { ...signIn, ...('auth' in signIn ? { auth } : {}) }));
    expect(failure).toMatchObject({ code: 'channel-refused', message: expect.stringMatching(advice) });
    expect(String(failure)).toContain(`(SMTP 535 ${enhanced})`);
    expect(exchange.mails).toEqual([]);
    expect(tokens.requests.length).toBeLessThanOrEqual(1);
  });
});

describe('through Graph', () => {
  async function open(): Promise<Simulator> {
    const simulator = await startSimulator({ devices: 10 });
    closing.push(() => simulator.close());
    return simulator;
  }

  function byGraph({ environment, urls }: Simulator, other: object = {}): ChannelSettings {
    const { GRAPH_MAIL_CLIENT_ID: clientId = '', GRAPH_MAIL_CLIENT_SECRET: secret = '' } = environment;
    const tenant = { tenantId: '11111111-2222-3333-4444-555555555555', auth: { clientId, clientSecret: secret } };
    const endpoints = { login: urls.login, graph: urls.graph };
    return { type: 'graph-mail', ...people, ...tenant, cloud: 'global', endpoints, ...other } as ChannelSettings;
  }

  it('an application of its own sends from its mailbox, with the report, and keeps no copy [M8]', async () => {
    const simulator = await open();
    expect(await send(byGraph(simulator, { attach: 'workbook' }), Buffer.from('the workbook'))).toBeUndefined();
    const [mail] = simulator.mails;
    expect(mail).toMatchObject({
      from: 'muster@example.com',
      isKept: false,
      message: {
        internetMessageId: expect.stringMatching(/^<[0-9a-f]{64}@muster>$/),
        subject: expect.stringContaining('lost the agent'),
        body: { contentType: 'HTML', content: expect.stringContaining('Lost the agent') },
        toRecipients: [{ emailAddress: { address: 'soc@example.com' } }],
        attachments: [{ name: 'muster.xlsx', contentBytes: Buffer.from('the workbook').toString('base64') }],
      },
    });
    expect(simulator.leaks).toEqual([]);
  });

  it('a report that is too large is not in it, and the mail says so', async () => {
    const simulator = await open();
    expect(await send(byGraph(simulator, { attach: 'workbook' }), 'too large')).toBeUndefined();
    expect(JSON.stringify(simulator.mails)).toContain('too large for a mail (more than 3 MB)');
  });

  it.each([
    ['the application that reads Intune', (simulator: Simulator) => readerOf(simulator)],
    ['another mailbox', () => ({ from: 'boss@example.com' })],
  ])('%s is refused, and the message says which right is missing', async (_, other) => {
    const simulator = await open();
    expect(await send(byGraph(simulator, other(simulator)))).toMatchObject({
      code: 'channel-refused',
      message: expect.stringMatching(/\(HTTP 403, ErrorAccessDenied\)\. .*Application Mail\.Send/),
    });
    expect(simulator.mails).toEqual([]);
  });

  function readerOf({ environment }: Simulator) {
    const { GRAPH_CLIENT_ID: clientId, GRAPH_CLIENT_SECRET: secret } = environment;
    return { auth: { clientId, clientSecret: secret } };
  }
});

describe('a firewall’s page is not taken for a word about the account [M6]', () => {
  async function openFirewall(): Promise<string> {
    const server = await loopback((request, response) => {
      const answer = () => response.writeHead(403, { server: 'FortiWeb-7.4' }).end('<html>planted</html>');
      request.resume().on('end', answer);
    });
    closing.push(server.close);
    return server.origin;
  }

  it.each([
    ['at the sign-in of SMTP', /^Something in front of the sign-in for mail .* \(FortiWeb-7\.4\) answered 403/],
    ['at the sign-in of Graph', /^Something in front of Microsoft sign-in for mail \(FortiWeb-7\.4\) answered 403/],
    ['at Graph', /^Something in front of Microsoft Graph \(FortiWeb-7\.4\) answered 403/],
  ])('%s', async (where, sentence) => {
    const [firewall, tokens] = [await openFirewall(), await openTokenServer()];
    const application = { clientId: 'client-1', clientSecret };
    const login = where === 'at Graph' ? new URL(tokens.url).origin : firewall;
    const graph = { type: 'graph-mail', ...people, tenantId: 'example.com', auth: application, cloud: 'global' };
    const settings = where.endsWith('SMTP')
      ? bySmtp(1, { auth: { tokenUrl: `${firewall}/token`, ...application } })
      : ({ ...graph, endpoints: { login, graph: firewall } } as ChannelSettings);
    expect(await send(settings)).toMatchObject({
      code: 'intermediary-refused',
      message: expect.stringMatching(sentence),
    });
  });
});
