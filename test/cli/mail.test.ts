/** Mail from a command line: the channels that sign in by token, tried by `muster check` and by `muster alerts test`. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openSmtpServer, type SignedIn } from '../alerts/mail-server.ts';
import type { MailServer } from '../contracts/channel.ts';
import { musterHere, onlyMacs, openSite, type Site } from './muster.ts';

let site: Site;
let exchange: MailServer & { readonly port: number };
let signedIn: SignedIn[] = [];
let mails: string[] = [];
let refusal: string | undefined;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());
beforeEach(async () => {
  [signedIn, mails, refusal] = [[], [], undefined];
  exchange = await openSmtpServer(
    (mail, callback) => {
      mails.push(mail);
      callback();
    },
    (signIn) => {
      signedIn.push(signIn);
      return refusal;
    },
  );
});
afterEach(() => exchange.close());

const people = 'from: muster@example.com, to: [soc@example.com]';
const tenant = '11111111-2222-3333-4444-555555555555';
const application = 'clientId: env:GRAPH_MAIL_CLIENT_ID, clientSecret: env:GRAPH_MAIL_CLIENT_SECRET';

async function say(name: string, words: readonly string[], other: Readonly<Record<string, string>> = {}) {
  const { login, graph } = site.simulator.urls;
  const channels = [
    `{ type: smtp, host: 127.0.0.1, port: ${exchange.port}, ${people}, auth: { tokenUrl: "${login}/${tenant}/oauth2/v2.0/token", ${application} } }`,
    `{ type: graph-mail, ${people}, tenantId: ${tenant}, auth: { ${application} }, endpoints: { login: "${login}", graph: "${graph}" } }`,
  ];
  const alerts = `\nalerts:\n  channels:\n${channels.map((channel) => `    - ${channel}\n`).join('')}`;
  const { settings } = await site.settingsFor(name, (yaml) => onlyMacs(yaml) + alerts);
  const environment = { ...(site.simulator.environment as Record<string, string>), ...other };
  const ended = await musterHere(['--settings', settings, ...words], { folder: site.folder, environment });
  const shown = `${ended.output}${ended.errors}`;
  expect(site.simulator.canaries.filter((secret) => shown.includes(secret))).toEqual([]);
  return ended;
}

test('alerts test sends by token and through Graph, as an application of its own [M8]', async () => {
  expect(await say('mail-test', ['alerts', 'test'])).toMatchObject({
    code: 0,
    output: 'smtp: accepted\ngraph-mail: accepted\n',
  });
  expect(signedIn).toMatchObject([{ method: 'XOAUTH2', user: 'muster@example.com' }]);
  expect(signedIn[0]?.proof).toMatch(/^canary-graph-token\./);
  expect(mails).toHaveLength(1);
  expect(site.simulator.mails).toMatchObject([{ from: 'muster@example.com' }]);
});

test('check signs in and sends nothing [M8]', async () => {
  const sent = site.simulator.mails.length;
  const { output } = await say('mail-check', ['check']);
  expect(output).toContain('smtp: connected; muster alerts test sends a marked message');
  expect(output).toContain('graph-mail: connected; muster alerts test sends a marked message');
  expect(signedIn).toHaveLength(1);
  expect(mails).toEqual([]);
  expect(site.simulator.mails).toHaveLength(sent);
});

test('check says which sign-in is refused, and what to do', async () => {
  refusal = '5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled for the Mailbox.';
  const refused = await say('mail-refused', ['check']);
  expect(refused.code).toBe(3);
  expect(refused.output).toMatch(
    /to do: smtp: The mail server rejected the sign-in \(SMTP 535 5\.7\.139\)\. .*graph-mail/,
  );
  const wrong = await say('mail-wrong', ['check'], { GRAPH_MAIL_CLIENT_SECRET: 'wrong' });
  expect(wrong.code).toBe(3);
  expect(
    wrong.output.match(/to do: (?:smtp|graph-mail): .*AADSTS7000215\)\. The secret is not one of this/g),
  ).toHaveLength(2);
});
