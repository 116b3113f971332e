/** A call that EventBridge takes in part: only what it refused is sent again, and what is left is counted. */
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createEventBridgeChannel } from '../../src/alerts/channels/eventbridge.ts';
import { fakeClock, type Loopback, loopback } from '../http/loopback.ts';
import { buildExampleMessage, lostNight } from './example-messages.ts';

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
  const channel = createEventBridgeChannel({ name: 'eventbridge', busName: 'muster', source: 'muster' });
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
