/**
 * The schema of an event is made from the tables of words; to make it anew:
 * `npm run test:one test/docs/event-schema.test.ts -- -u`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { otherKinds } from '../../src/alerts/message/digest-event.ts';
import { recordLimits } from '../../src/alerts/message/event-record.ts';
import { maximumNamedDevices, removedReason } from '../../src/core/facts/alert-event.ts';
import { eventKinds, phases, sections, severities } from '../../src/core/facts/event-kinds.ts';
import { changes, exclusions, reasons, statuses } from '../../src/core/facts/vocabulary.ts';

const docs = join(import.meta.dirname, '..', '..', 'docs');

const text = { type: 'string' };
const identifier = { type: 'string', minLength: 1 };
const date = { $ref: '#/$defs/date' };
const device = { $ref: '#/$defs/device' };

function bounded(field: keyof typeof recordLimits) {
  return { type: 'string', maxLength: recordLimits[field] };
}

/** One of the words of a table, each with its meaning. */
function oneOf(words: Readonly<Record<string, { readonly meaning: string }>>) {
  return { oneOf: Object.entries(words).map(([word, { meaning }]) => ({ const: word, description: meaning })) };
}

const kinds = Object.fromEntries(
  Object.entries(eventKinds).map(([kind, { meaning, section }]) => {
    return [kind, { meaning: `${meaning} In messages under "${sections[section].title}".` }];
  }),
);

const schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'muster.event.v1',
  title: 'muster.event, version 1',
  description:
    'One event of a run, as EventBridge and the generic webhook carry it. Version 1 only grows: fields and words may be added, none is taken away or given another meaning.',
  type: 'object',
  required: ['schema', 'version', 'id', 'kind', 'phase', 'severity', 'key', 'slot', 'since', 'agent'],
  additionalProperties: false,
  properties: {
    schema: { const: 'muster.event' },
    version: { const: 1 },
    id: { ...identifier, description: 'The same whenever the same event is sent again; drop what you have received.' },
    kind: oneOf({ ...kinds, ...otherKinds }),
    phase: oneOf(phases),
    severity: { enum: severities },
    key: {
      ...identifier,
      description:
        'The same for the same alert in every run; of a device it names the machine, whatever record stands for it.',
    },
    slot: { ...date, description: 'The date of the run that reports it.' },
    since: { ...date, description: 'The date of the run that opened the alert.' },
    agent: text,
    source: text,
    platform: text,
    device,
    text: bounded('text'),
    figures: { type: 'object', additionalProperties: { type: 'number' } },
    first: { type: 'array', maxItems: maximumNamedDevices, items: device },
    link: text,
  },
  $defs: {
    date: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' },
    device: {
      type: 'object',
      required: ['id', 'status', 'reason'],
      additionalProperties: false,
      properties: {
        id: bounded('id'),
        name: bounded('name'),
        serialNumber: bounded('serialNumber'),
        user: bounded('user'),
        status: oneOf(statuses),
        reason: oneOf({ ...reasons, ...exclusions, [removedReason]: changes[removedReason] }),
        since: { ...date, description: 'Not Installed at least since this slot.' },
        value: { ...bounded('value'), description: 'The raw word or state number that the platform holds.' },
        lastSeenAt: { ...text, description: 'Last contact or sync, ISO 8601 UTC.' },
        proven: {
          type: 'boolean',
          description: 'The platform gave a clear, recent answer, and the instrument is sound.',
        },
        site: bounded('place'),
        department: bounded('place'),
        building: bounded('place'),
        category: bounded('place'),
        acknowledged: {
          type: 'object',
          description: 'A person knows of it: no reminders until then.',
          required: ['by', 'until', 'ticket'],
          additionalProperties: false,
          properties: { by: bounded('place'), until: date, ticket: bounded('place') },
        },
        source: { ...text, description: 'In a list of devices of several sources.' },
      },
    },
  },
};

it('the schema of an event is made from the words', async () => {
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(
    join(docs, 'schemas', 'muster.event.v1.json'),
  );
});

it('docs/events.md names every field, phase and severity', () => {
  const page = readFileSync(join(docs, 'events.md'), 'utf8');
  const [, fields = ''] = /\n\| field \| \|\n([\s\S]*?)\n\n/.exec(page) ?? [];
  const { schema: _, version: __, ...others } = schema.properties;
  for (const word of [...Object.keys(others), ...Object.keys(phases), ...severities]) {
    expect(fields).toContain(`\`${word}\``);
  }
});
