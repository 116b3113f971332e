/** PagerDuty's requests, held against the schema that it publishes for its Events API v2. */
import { text } from 'node:stream/consumers';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import type { AlertMessage } from '../../src/alerts/message/digest.ts';
import { buildTestMessage } from '../../src/alerts/message/other-messages.ts';
import { fakeClock, loopback } from '../http/loopback.ts';
import { hostileNames } from '../reports/names.ts';
import { openPlain } from './channel-subjects.ts';
import { buildExampleMessage, busyNight, lostNight } from './example-messages.ts';

const texts = { type: 'string' } as const;

/** From https://github.com/PagerDuty/api-schema, reference/events-v2/openapiv3.json; `format` as an address. */
const schema = {
  type: 'object',
  required: ['routing_key', 'event_action'],
  additionalProperties: false,
  properties: {
    routing_key: texts,
    event_action: { enum: ['trigger', 'acknowledge', 'resolve'] },
    dedup_key: { ...texts, minLength: 1, maxLength: 255 },
    client: texts,
    client_url: { ...texts, pattern: '^https?://' },
    payload: {
      type: 'object',
      required: ['summary', 'severity', 'source'],
      additionalProperties: false,
      properties: {
        summary: { ...texts, minLength: 1, maxLength: 1024 },
        severity: { enum: ['critical', 'warning', 'error', 'info'] },
        source: { ...texts, minLength: 1 },
        class: texts,
        custom_details: { type: 'object' },
      },
    },
  },
  // A trigger needs a payload, anything else a key.
  if: { properties: { event_action: { const: 'trigger' } } },
  // biome-ignore lint/suspicious/noThenProperty: a word of JSON schema
  then: { required: ['payload'] },
  else: { required: ['dedup_key'] },
};
const validate = new Ajv2020({ allErrors: true }).compile(schema);

interface Sent {
  readonly event_action: string;
  readonly dedup_key: string;
}

async function send(message: AlertMessage): Promise<Sent[]> {
  const bodies: Sent[] = [];
  const server = await loopback(async (request, response) => {
    bodies.push(JSON.parse(await text(request)) as Sent);
    response.writeHead(202).end('{"status":"success"}');
  });
  const address = `${server.origin}/v2/enqueue`;
  const channel = openPlain({ type: 'pagerduty', routingKey: 'e93facc0', region: 'us' }, { address });
  const clock = fakeClock();
  for (const payload of channel.render(message)) {
    const stored = JSON.parse(JSON.stringify(payload));
    await channel.send(stored, { key: 'muster/1', clock, signal: new AbortController().signal, deadline: 60_000 });
  }
  await server.close();
  return bodies;
}

/** Nothing would end the incident of a notice. */
function listIncidents({ events }: AlertMessage) {
  return events.filter(({ phase }) => phase !== 'notice');
}

it.each([
  ['a busy night', buildExampleMessage(busyNight())],
  ['hostile names', buildExampleMessage(lostNight(hostileNames))],
  ['a test', buildTestMessage('Endpoint agent', '2026-06-01')],
])('requests for %s are as the schema says', async (_, message) => {
  const sent = await send(message);
  expect(sent.length).toBeGreaterThanOrEqual(listIncidents(message).length);
  for (const body of sent) {
    expect(validate(body) || validate.errors).toBe(true);
  }
});

it('triggers and resolves by key: each event but notices in its order, and a test is resolved at once', async () => {
  const message = buildExampleMessage(busyNight());
  const sent = await send(message);
  expect(sent.map(({ event_action, dedup_key }) => [event_action, dedup_key])).toEqual(
    listIncidents(message).map(({ phase, key }) => [phase === 'over' ? 'resolve' : 'trigger', key]),
  );
  expect(
    (await send(buildTestMessage('Endpoint agent', '2026-06-01'))).map(({ event_action }) => event_action),
  ).toEqual(['trigger', 'resolve']);
});
