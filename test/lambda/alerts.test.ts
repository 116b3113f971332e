/** The packaged function tells: topics, buses and the heartbeat from inside the bundle, and when a night fails. */
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listen } from '../http/loopback.ts';
import { answered, type Company, eventOf, logLines, momentOf, openCompany } from './company.ts';

const [first, second] = ['2026-03-01', '2026-03-02'] as const;
let company: Company;
let told: { readonly to: string; readonly body: string }[];
let peer: { readonly origin: string; close(): Promise<void> };

beforeEach(async () => {
  told = [];
  peer = await listenToAll();
  company = await openCompany();
});
afterEach(async () => {
  await company.close();
  await peer.close();
});

const settings = (yaml: string) => `${yaml}
alerts:
  channels:
    - { type: sns, topicArn: "arn:aws:sns:eu-west-1:123456789012:night" }
    - { type: eventbridge, busName: "arn:aws:events:eu-west-1:123456789012:event-bus/muster" }
  heartbeat: env:BEAT
`;

/** SNS, EventBridge and somebody who hears heartbeats, all in one place. */
async function listenToAll() {
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const target = String(request.headers['x-amz-target'] ?? '');
    if (request.method === 'GET') {
      told.push({ to: `beat${(request.url ?? '').replace('/planted-beat', '')}`, body: '' });
    } else {
      told.push({ to: target === '' ? 'sns' : 'eventbridge', body });
    }
    const xml = '<PublishResponse><PublishResult><MessageId>1</MessageId></PublishResult></PublishResponse>';
    response.end(
      target === '' ? xml : JSON.stringify({ FailedEntryCount: 0, Entries: [{ EventId: '1' }, { EventId: '2' }] }),
    );
  });
  return listen(server);
}

function start() {
  return company.start({
    AWS_ENDPOINT_URL_SNS: peer.origin,
    AWS_ENDPOINT_URL_EVENTBRIDGE: peer.origin,
    BEAT: `${peer.origin}/planted-beat`,
  });
}

test('a night is told through a topic and a bus, once, with a heartbeat around it', async () => {
  await company.putSettings(settings);
  const one = await start();
  company.simulator.setMoment(momentOf(first));
  expect(answered(await one.invoke(eventOf(first)))).toMatchObject({ exit: 0, did: 'published' });
  expect(told.map(({ to }) => to).sort()).toEqual(['beat', 'beat/start', 'eventbridge', 'sns']);
  expect(told[0]?.to).toBe('beat/start');
  expect(told.at(-1)?.to).toBe('beat');
  expect(told.find(({ to }) => to === 'sns')?.body).toContain('First%20run');
  expect(told.find(({ to }) => to === 'eventbridge')?.body).toContain('\\"kind\\":\\"baseline\\"');
  expect(answered(await one.invoke(eventOf(first)))).toMatchObject({ exit: 0, did: 'unchanged' });
  expect(told.filter(({ to }) => to === 'sns')).toHaveLength(1);
  expect(one.log()).not.toContain('planted-beat');
});

test('a night that fails is told at once, and ends as a failure', async () => {
  await company.putSettings((yaml) => `${settings(yaml)}exemptions: gone.csv\n`);
  const one = await start();
  company.simulator.setMoment(momentOf(second));
  expect(await one.invoke(eventOf(second))).toMatchObject({ kind: 'error' });
  expect(told.map(({ to }) => to).sort()).toEqual(['beat/fail', 'beat/start', 'eventbridge', 'sns']);
  expect(told.find(({ to }) => to === 'sns')?.body).toContain('exemptions-unreadable');
  expect(logLines(one.log()).map(({ message }) => message)).toContain('run.failed');
});
