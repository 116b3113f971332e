/**
 * The schema of what `muster status --json` prints is made from the tables of words; to make it anew:
 * `npm run test:one test/docs/status-schema.test.ts -- -u`. `test/cli/status.test.ts` holds real answers to it.
 */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { eventKinds } from '../../src/core/facts/event-kinds.ts';
import { coverageFigures, listFigures } from '../../src/core/facts/state.ts';
import { soundnesses, unprovenReasons } from '../../src/core/facts/vocabulary.ts';

const text = { type: 'string' };
const count = { type: 'integer', minimum: 0 };
const percent = { type: 'number', minimum: 0, maximum: 100 };
const date = { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' };
const time = { type: 'string', description: 'ISO 8601 UTC.' };
const soundness = { enum: soundnesses };
const interval = { coverage: percent, low: percent, high: percent };

function defineObject(properties: object, required: readonly string[] = Object.keys(properties)) {
  return { type: 'object', required, additionalProperties: false, properties };
}

function listOf(items: object, description: string) {
  return { type: 'array', description, items };
}

const figures = {
  source: { ...text, description: 'The name of a source, or `all`.' },
  platform: text,
  soundness,
  ...Object.fromEntries(coverageFigures.map((figure) => [figure, count])),
};
const someFigures = {
  ...Object.fromEntries(listFigures.map((figure) => [figure, count])),
  ...interval,
  reportingInterval: defineObject(interval),
};

const cause = {
  because: { enum: Object.keys(unprovenReasons), description: '`unproven_because` of devices.csv.' },
  devices: { type: 'integer', minimum: 1 },
  repairedOn: { ...date, description: 'The date of the repair that the answers are older than.' },
  until: { ...text, description: 'The end of it, where `because` alone does not say it.' },
};

const last = {
  slot: date,
  number: { type: 'integer', minimum: 1 },
  at: time,
  coverage: listOf(
    defineObject({ ...figures, ...someFigures }, Object.keys(figures)),
    'The figures of each source, then of all.',
  ),
  unproven: listOf(
    defineObject(cause, ['because', 'devices']),
    'Why counted devices are not proven, the largest cause first: the reasons for the width of the interval, as in report.json.',
  ),
};

const fields = {
  schema: { const: 1 },
  agent: text,
  store: text,
  isHealthy: {
    type: 'boolean',
    description: 'The last scheduled run is published, complete and sound, and every message is delivered.',
  },
  last: {
    ...defineObject(last, ['slot', 'number', 'at', 'coverage']),
    description: 'The last published run; absent before the first.',
  },
  unsound: listOf(
    defineObject({ source: text, soundness, message: text }, ['source', 'soundness']),
    'The sources that were not complete and sound, each with the reason where an alert says it.',
  ),
  openAlerts: listOf(
    defineObject({ kind: { enum: Object.keys(eventKinds) }, alerts: { type: 'integer', minimum: 1 } }),
    'How many alerts are open, by kind; `muster alerts show` names them.',
  ),
  undelivered: listOf(
    defineObject({ channel: text, since: date, messages: count }),
    'Messages that a channel is due and does not have.',
  ),
  due: {
    ...defineObject({ slot: date, at: time, isPublished: { type: 'boolean' } }),
    description: 'The last scheduled run.',
  },
  next: { ...time, description: 'When the schedule starts the next run.' },
};

const schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'muster.status.v1',
  title: 'muster status --json, version 1',
  description:
    'How things stand after the last run. Version 1 only grows: fields and words may be added, none is taken away or given another meaning.',
  ...defineObject(fields, ['schema', 'agent', 'store', 'isHealthy', 'due']),
};

it('the schema of a status is made from the words', async () => {
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(
    join(import.meta.dirname, '../../docs/schemas/muster.status.v1.json'),
  );
});
