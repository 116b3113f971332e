/** Messages as the other sides define them: limits, schemas, and nothing of a device's name that is more than text. */
import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { text as bodyOf } from 'node:stream/consumers';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { batchEntries, computeEntrySize } from '../../src/alerts/channels/eventbridge.ts';
import type { AlertMessage } from '../../src/alerts/message/digest.ts';
import { buildFailureMessage, buildTestMessage } from '../../src/alerts/message/other-messages.ts';
import { MusterError } from '../../src/base/errors.ts';
import { fakeClock, loopback } from '../http/loopback.ts';
import { hostileNames } from '../reports/names.ts';
import { openPlain } from './channel-subjects.ts';
import { buildExampleMessage, busyNight, lostNight, manySources } from './example-messages.ts';

const failed = buildFailureMessage(
  { agent: 'Endpoint agent', slot: '2026-06-01', commit: 1 },
  new MusterError('store-unreachable', 'The disk is full.'),
);
const fox = '🦊'.repeat(200);

/** Everything there is to tell, and as much of it as there can be. */
const all: readonly (readonly [string, AlertMessage])[] = [
  ['a busy night', buildExampleMessage(busyNight())],
  [
    'a night without a link to the web',
    buildExampleMessage(busyNight(), '/srv/muster/report/date=2026-06-04/index.html'),
  ],
  ['a test', buildTestMessage('Endpoint agent', '2026-06-01')],
  ['a failure', failed],
  ['the first night of sixty sources', buildExampleMessage(manySources(60))],
  ...[0, 1, 10, 11, 100, 1000].map((count): [string, AlertMessage] => [
    `${count} lost devices of endless names [L5]`,
    buildExampleMessage(
      count === 0 ? busyNight() : lostNight(Array.from({ length: count }, (_, index) => `${index} ${fox}`)),
    ),
  ]),
  ...Array.from({ length: Math.ceil(hostileNames.length / 8) }, (_, index): [string, AlertMessage] => [
    `hostile names from ${index * 8}`,
    buildExampleMessage(lostNight(hostileNames.slice(index * 8, index * 8 + 8))),
  ]),
];

interface RichText {
  readonly type: string;
  readonly text?: string;
  readonly url?: string;
  readonly style?: { readonly bold?: boolean };
  readonly elements?: readonly RichText[];
}

interface SlackMessage {
  readonly text: string;
  readonly blocks: readonly [
    { readonly type: string; readonly text: { readonly type: string; readonly text: string } },
    ...RichText[],
  ];
}

/** A list's style is a word. */
const listTexts = ({ elements, ...element }: RichText): RichText[] => elements?.flatMap(listTexts) ?? [element];

describe.each(all)('of %s', (_, alertMessage) => {
  const count = alertMessage.events.filter(({ kind }) => kind === 'device.lost').length;

  it('Slack: blocks within their limits, and no link that is not ours [N8, L4]', () => {
    const [message] = openPlain({ type: 'slack', url: '' }).render(alertMessage) as [SlackMessage];
    expect(message).toMatchObject({ link_names: false, unfurl_links: false });
    expect(message.blocks.length).toBeLessThanOrEqual(50);
    expect(JSON.stringify(message).length).toBeLessThanOrEqual(12_000);
    const [header, ...blocks] = message.blocks;
    expect(header).toMatchObject({ type: 'header', text: { type: 'plain_text' } });
    expect(header.text.text.length).toBeLessThanOrEqual(150);
    expect(`${header.text.text}${message.text}`).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/);
    // Elements of rich text alone, which Slack takes as they are.
    expect(new Set(blocks.map(({ type }) => type))).toEqual(new Set(['rich_text']));
    const { digest } = alertMessage;
    const texts = blocks.flatMap(listTexts);
    for (const { type, text, url } of texts) {
      expect(text).not.toBe('');
      expect(type).toBe(url === undefined ? 'text' : 'link');
      expect(url === undefined || url === digest.link || url.startsWith(`${digest.link}#device=`), url).toBe(true);
    }
    const bold = texts.filter(({ style }) => style?.bold).map(({ text }) => text);
    const titles = [digest.title, ...digest.sections.map(({ title }) => title)];
    expect(bold).toEqual(titles.slice(0, bold.length));
    const isOnWeb = digest.link?.startsWith('https') ?? false;
    expect(texts.some(({ url }) => url !== undefined && url === digest.link)).toBe(isOnWeb);
  });

  it('Teams: an Adaptive Card that Microsoft’s own parser takes, of text that knows no Markdown [N9, L4]', () => {
    const [message] = openPlain({ type: 'teams', url: '' }).render(alertMessage) as [TeamsMessage];
    expect(Buffer.byteLength(JSON.stringify(message))).toBeLessThanOrEqual(20_000);
    const [attachment] = message.attachments;
    const page = `${alertMessage.digest.link}#device=`;
    expect(attachment?.contentType).toBe('application/vnd.microsoft.card.adaptive');
    const { problems, parsed } = parseCard(attachment?.content);
    expect(problems).toEqual([]);
    expect(parsed.body).toHaveLength(attachment?.content.body.length ?? -1);
    const blocks = attachment?.content.body.flatMap(({ items, ...block }) => items ?? [block]) ?? [];
    expect(new Set(blocks.map(({ type }) => type))).toEqual(new Set(['RichTextBlock']));
    expect(JSON.stringify(message)).not.toMatch(/"entities"|"mention"|"TextBlock"/);
    expect(message.summary).toContain(alertMessage.digest.title);
    const runs = blocks.flatMap(({ inlines = [] }) => inlines);
    for (const { text, selectAction } of runs) {
      expect(text).not.toMatch(/^$|\n|:\/\/(?!srv)/);
      const url = selectAction?.url ?? page;
      expect(url === alertMessage.digest.link || url.startsWith(page), url).toBe(true);
    }
    const bold = runs.filter(({ weight }) => weight === 'Bolder').map(({ text }) => text);
    const titles = [alertMessage.digest.title, ...alertMessage.digest.sections.map(({ title }) => title)];
    expect(bold.slice(1)).toEqual(titles.slice(0, bold.length - 1));
  });

  it('SNS: within its bytes, a subject of one line, attributes to filter by [N11, L4]', () => {
    const [message] = openPlain({ type: 'sns', topicArn: 'arn:x' }).render(alertMessage) as [SnsMessage];
    const attributes = Object.entries(message.MessageAttributes);
    const size = [
      message.Message,
      ...attributes.flatMap(([name, { DataType, StringValue }]) => [name, DataType, StringValue]),
    ];
    expect(Buffer.byteLength(size.join(''))).toBeLessThanOrEqual(262_144);
    expect(message.Subject.length).toBeLessThan(100);
    expect(message.Subject).toMatch(/^[^\p{C}\p{Zl}\p{Zp}]+$/u);
    expect(attributes.map(([name]) => name)).toEqual(['about', 'kinds', 'severity', 'slot']);
    expect(JSON.parse(message.MessageAttributes.kinds?.StringValue ?? '')).toEqual(alertMessage.digest.kinds);
    // Cut or not, the numbers add up.
    if (count > 10) {
      expect(message.Message).toContain(`and ${count - 10} more, in the report`);
    }
  });

  it('EventBridge: one event a matter, each as the schema says, in calls of ten and 256 kB at the most [N15, L4]', () => {
    const parts = openPlain({ type: 'eventbridge', busName: 'default', source: 'muster' }).render(alertMessage) as {
      entries: Entry[];
    }[];
    const entries = parts.flatMap((part) => part.entries);
    expect(entries).toHaveLength(alertMessage.events.length);
    expect(entries.length).toBeGreaterThan(0);
    for (const { Detail, DetailType } of entries) {
      const detail = JSON.parse(Detail) as { kind: string };
      expect(validateEvent(detail) || validateEvent.errors).toBe(true);
      expect(DetailType).toBe(detail.kind);
    }
    expect(new Set(entries.map(({ Detail }) => (JSON.parse(Detail) as { id: string }).id)).size).toBe(entries.length);
    for (const part of parts) {
      expect(part.entries.length).toBeLessThanOrEqual(100);
    }
    for (const batch of batchEntries(entries)) {
      expect(batch.length).toBeLessThanOrEqual(10);
      expect(batch.reduce((sum, entry) => sum + computeEntrySize(entry), 0)).toBeLessThan(256 * 1024);
    }
  });

  it('the webhook: every event in parts of a hundred at most, within its bytes, each as the schema says [N15, L4]', () => {
    const parts = openPlain({ type: 'webhook', url: '' }).render(alertMessage) as WebhookMessage[];
    for (const [index, message] of parts.entries()) {
      expect(Buffer.byteLength(JSON.stringify(message))).toBeLessThanOrEqual(256 * 1024);
      expect(message).toMatchObject({ part: index + 1, parts: parts.length });
      expect(message.events.length + message.moreEvents).toBe(alertMessage.events.length);
      expect(message.events.length).toBeGreaterThan(0);
      expect(message.events.length).toBeLessThanOrEqual(100);
      for (const event of message.events) {
        expect(validateEvent(event) || validateEvent.errors).toBe(true);
      }
    }
    const ids = parts.flatMap(({ events }) => events.map(({ id }) => id));
    expect(ids).toHaveLength(alertMessage.events.length);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('calls to EventBridge', () => {
  const budget = 256 * 1024 - 1;
  const entry = (bytes: number): Entry => {
    const foxes = '🦊'.repeat(Math.floor((bytes - 2) / 4));
    return { Source: 'm', DetailType: 't', Detail: foxes + 'x'.repeat(bytes - 2 - Buffer.byteLength(foxes)) };
  };
  it.each([
    ['one byte below the limit', -1, 1],
    ['at the limit', 0, 1],
    ['one byte above the limit', 1, 2],
  ])('of two events %s [L4]', (_, more, calls) => {
    const two = [entry(100_001), entry(budget - 100_001 + more)];
    expect(two.map(computeEntrySize)).toEqual([100_001, budget - 100_001 + more]);
    expect(batchEntries(two)).toHaveLength(calls);
  });
  it.each([
    [10, 1],
    [11, 2],
    [101, 11],
  ])('of %i small events are %i', (count, calls) => {
    expect(batchEntries(Array.from({ length: count }, () => entry(50)))).toHaveLength(calls);
  });
});

describe('a webhook’s signature', () => {
  it('can be checked in a few lines, covers the time, and comes with the message’s key [L12]', async () => {
    const bodies: string[] = [];
    const server = await loopback(async (request, response) => {
      bodies.push(await bodyOf(request));
      response.end();
    });
    const channel = openPlain({ type: 'webhook', url: `${server.origin}/x`, key: 'secret' });
    const [payload] = channel.render(buildExampleMessage(busyNight()));
    const clock = fakeClock(Date.now());
    const signal = new AbortController().signal;
    await channel.send(payload, { key: 'muster/1', clock, signal, deadline: 60_000 });
    await server.close();
    const [headers = {}] = server.headers;
    const [body = ''] = bodies;
    const isFromMuster = await documented();
    const later = { ...headers, 'muster-timestamp': String(Number(headers['muster-timestamp']) + 1) };
    const old = { ...headers, 'muster-timestamp': String(Number(headers['muster-timestamp']) - 301) };
    expect(isFromMuster(headers, body, 'secret')).toBe(true);
    expect(isFromMuster(headers, body, 'another')).toBe(false);
    expect(isFromMuster(later, body, 'secret')).toBe(false);
    expect(isFromMuster(old, body, 'secret')).toBe(false);
    expect(isFromMuster(headers, `${body} `, 'secret')).toBe(false);
    expect(headers['idempotency-key']).toBe('muster/1');
  });
});

type Check = (headers: IncomingHttpHeaders, body: string, key: string) => boolean;

/** The check as docs/events.md has it, word for word. */
async function documented(): Promise<Check> {
  const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'events.md'), 'utf8');
  const [, code = ''] = /```js\n([\s\S]*?)```/.exec(page) ?? [];
  const { isFromMuster } = await import(
    `data:text/javascript,${encodeURIComponent(`${code}\nexport { isFromMuster };`)}`
  );
  return isFromMuster as Check;
}

interface Entry {
  readonly Source: string;
  readonly DetailType: string;
  readonly Detail: string;
}
interface SnsMessage {
  readonly Subject: string;
  readonly Message: string;
  readonly MessageAttributes: Readonly<Record<string, { readonly DataType: string; readonly StringValue: string }>>;
}
interface WebhookMessage {
  readonly events: readonly { readonly id: string }[];
  readonly moreEvents: number;
}
interface TextRun {
  readonly text: string;
  readonly weight?: string;
  readonly selectAction?: { readonly url: string };
}
interface CardBlock {
  readonly type: string;
  readonly inlines?: readonly TextRun[];
  readonly items?: readonly CardBlock[];
}
interface Card {
  readonly body: readonly CardBlock[];
}
interface TeamsMessage {
  readonly summary: string;
  readonly attachments: readonly { readonly contentType: string; readonly content: Card }[];
}

const schema = join(import.meta.dirname, '..', '..', 'docs', 'schemas', 'muster.event.v1.json');
const validateEvent = new Ajv2020({ allErrors: true }).compile(JSON.parse(readFileSync(schema, 'utf8')));

/** Its bundle is made for browsers, and wants their name for the world. */
function parseCard(content: unknown): { problems: string[]; parsed: Card } {
  Object.assign(globalThis, { self: globalThis });
  const { AdaptiveCard, SerializationContext } = createRequire(import.meta.url)(
    'adaptivecards/dist/adaptivecards.js',
  ) as typeof import('adaptivecards');
  const context = new SerializationContext();
  const card = new AdaptiveCard();
  card.parse(content, context);
  const problems = Array.from({ length: context.eventCount }, (_, index) => context.getEventAt(index).message);
  return { problems, parsed: card.toJSON(context) as Card };
}
