/** Receivers that mean no good or take a message in part, and what a mail’s headers may hold. */
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it, test, vi } from 'vitest';
import { sendHttpMessage } from '../../src/alerts/channels/http-message.ts';
import { fakeClock, type Loopback, loopback } from '../http/loopback.ts';
import { hostileNames } from '../reports/names.ts';
import { openPlain } from './channel-subjects.ts';
import { buildExampleMessage, lostNight } from './example-messages.ts';
import { openSmtpServer } from './mail-server.ts';

const sending = () => ({ clock: fakeClock(), signal: new AbortController().signal, deadline: 60_000 });
const sendTo = (address: string) => sendHttpMessage({ who: 'The hook', url: async () => address }, {}, sending());

it.each([
  'http://hooks.example.com/canary',
  'http://169.254.169.254/canary',
  'http://127.mail.example/canary',
  'https://user:canary@hooks.example.com/',
  'file:///canary',
  'ftp://hooks.example.com/canary',
  'hooks.example.com/canary',
  '',
])('an address such as %j is refused before anything is sent, and not shown [L9]', async (address) => {
  const error: unknown = await sendTo(address).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'channel-refused', message: expect.stringContaining('not an https:// address') });
  expect(String(error)).not.toContain('canary');
});

it('an answer without end is read up to 64 kB [L11]', async () => {
  const piece = Buffer.alloc(16_384, ' ');
  let sent = 0;
  const server = await loopback((request, response) => {
    request.resume();
    const pour = () => {
      sent += piece.length;
      response.write(piece, (error) => void (error || sent > 100_000_000 || pour()));
    };
    pour();
  });
  await expect(sendTo(`${server.origin}/hook`)).rejects.toMatchObject({ code: 'answer-too-large' });
  await server.close();
  expect(sent).toBeLessThan(100_000_000);
});

it.each([
  [400, 'WorkflowTriggerIsNotEnabled', 'turn it on in the Workflows app'],
  [404, 'WorkflowNotFound', 'create it again'],
  [401, 'DirectApiAuthorizationRequired', 'set "Who can trigger the flow?" to Anyone'],
  [400, 'SomethingNew', 'Check that its address is still valid.'],
])(
  'what Teams says of a workflow that refuses is shown, with what to do: %i %s [M10]',
  async (status, code, advice) => {
    const server = await loopback((request, response) => {
      request.resume();
      response.writeHead(status).end(JSON.stringify({ error: { code, message: 'The workflow canary-1 refuses.' } }));
    });
    const channel = openPlain({ type: 'teams', url: `${server.origin}/workflows/invoke?sig=canary` });
    const [payload] = channel.render(buildExampleMessage(lostNight(['mac'])));
    const failure: unknown = await channel.send(payload, { key: 'muster/1', ...sending() }).catch((error) => error);
    await server.close();
    expect(failure).toMatchObject({ code: 'channel-refused', message: expect.stringContaining(advice) });
    expect(String(failure)).toContain(`Microsoft Teams rejected the message (HTTP ${status}, ${code}).`);
    expect(String(failure)).not.toContain('canary');
  },
);

const people = { from: 'muster@example.com', to: ['soc@example.com'] };

/** On this machine, without TLS. */
async function openClearMailServer() {
  const mails: string[] = [];
  const server = await openSmtpServer((mail, callback) => {
    mails.push(mail);
    callback();
  });
  return { mails, ...server };
}

// The resolver takes 127.1 for 127.0.0.1, so the server is reached by a name that is not on the list of this machine's own.
it('R7: no mail goes in plain text to a host whose name only begins like this machine’s [R7]', async () => {
  const { mails, port, close } = await openClearMailServer();
  const channel = openPlain({ type: 'smtp', weekly: false, host: '127.1', port, ...people });
  const [payload] = channel.render(buildExampleMessage(lostNight(['mac'])));
  await expect(channel.send(payload, { key: 'muster/1', ...sending() })).rejects.toMatchObject({
    code: 'channel-refused',
  });
  await close();
  expect(mails).toEqual([]);
});

it('a mail has each header once, whatever a device, an agent or a person is called [N10]', async () => {
  const { mails, port, close } = await openClearMailServer();
  const channel = openPlain({ type: 'smtp', weekly: false, host: '127.0.0.1', port, ...people });
  const agents = ['Agent\r\nBcc: canary@example.com', '\u2028Bcc: canary@example.com', ...hostileNames.slice(0, 20)];
  for (const [index, agent] of agents.entries()) {
    const night = {
      ...lostNight(hostileNames.slice(index * 6, index * 6 + 6).concat('a\r\nBcc: canary@example.com')),
      agent,
    };
    const [payload] = channel.render(buildExampleMessage(night));
    await channel.send(payload, { key: `muster/${index}`, ...sending() });
  }
  await close();
  expect(mails).toHaveLength(agents.length);
  const expected = 'auto-submitted,content-type,date,from,message-id,mime-version,subject,to';
  for (const mail of mails) {
    const [head = ''] = mail.split('\r\n\r\n');
    const names = head
      .replace(/\r\n[ \t]/g, ' ')
      .split('\r\n')
      .map((line) => line.split(':')[0]?.toLowerCase());
    expect(names.sort()).toEqual([...expected.split(','), 'x-muster-severity']);
  }
});

it.each([
  ['comes with it', Buffer.from('the workbook'), /filename=muster\.xlsx[\s\S]*dGhlIHdvcmtib29r/],
  ['that is too large is not in it, and the mail says so', 'too large', /too large for a mail/],
] as const)('a report that a mail has to bring %s', async (_, attachment, expected) => {
  const { mails, port, close } = await openClearMailServer();
  const channel = openPlain({ type: 'smtp', weekly: false, host: '127.0.0.1', port, ...people, attach: 'workbook' });
  const [payload] = channel.render(buildExampleMessage(lostNight(['mac'])));
  await channel.send(payload, { key: 'muster/1', ...sending(), attachment });
  await close();
  expect(mails.map((mail) => mail.replaceAll('=\r\n', ''))).toEqual([expect.stringMatching(expected)]);
});

type Refuse = (call: number, index: number) => boolean;

let server: Loopback;
let calls: string[][];
let refuse: Refuse;
beforeEach(async () => {
  calls = [];
  server = await loopback(async (request, response) => {
    const { Entries } = JSON.parse(await text(request)) as { Entries: { Detail: string }[] };
    calls.push(Entries.map(({ Detail }) => (JSON.parse(Detail) as { key: string }).key));
    const answers = Entries.map((_, index) =>
      refuse(calls.length, index) ? { ErrorCode: 'InternalFailure', ErrorMessage: 'planted' } : { EventId: '1' },
    );
    const answer = { FailedEntryCount: answers.filter((one) => 'ErrorCode' in one).length, Entries: answers };
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(answer));
  });
  const environment = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret', AWS_REGION: 'eu-west-1' };
  for (const [name, value] of Object.entries(environment)) {
    vi.stubEnv(name, value);
  }
  vi.stubEnv('AWS_ENDPOINT_URL_EVENTBRIDGE', server.origin);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await server.close();
});

function send(devices: number): Promise<void> {
  const channel = openPlain({ type: 'eventbridge', busName: 'muster', source: 'muster' });
  const [payload] = channel.render(
    buildExampleMessage(lostNight(Array.from({ length: devices }, (_, index) => `mac ${index}`))),
  );
  const signal = new AbortController().signal;
  return channel.send(payload, { key: 'muster/1', clock: fakeClock(), signal, deadline: 60_000 });
}

test('only refused entries are sent again, and no other [L3]', async () => {
  refuse = (call, index) => call === 1 && (index === 2 || index === 5);
  await send(12);
  expect(calls.map((ids) => ids.length)).toEqual([10, 2, 4]);
  expect(calls[1]).toEqual([calls[0]?.[2], calls[0]?.[5]]);
  expect(new Set([...(calls[0] ?? []), ...(calls[2] ?? [])]).size).toBe(14);
});

test('entries refused for ever are counted, by the service’s name for it [L3]', async () => {
  refuse = (_, index) => index === 0;
  const failure = await send(3).catch((error: unknown) => error);
  expect(failure).toMatchObject({
    code: 'channel-refused',
    message: 'Amazon EventBridge rejected 1 of 5 events (InternalFailure).',
  });
  expect(calls).toHaveLength(5);
});
