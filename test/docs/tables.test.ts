/**
 * docs/tables.md and the schema of a device are made from the product's own tables; to make them anew:
 * `npm run test:one test/docs/tables.test.ts -- -u`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { sourceKinds } from '../../src/compose/source-kinds.ts';
import { unprovenReasons } from '../../src/core/facts/vocabulary.ts';
import type { ReportedDevice } from '../../src/reports/document/devices.ts';
import { getReportDocument } from '../../src/reports/document/document.ts';
import { type DeviceField, type DeviceFieldKey, deviceFields } from '../../src/reports/fields.ts';
import { glossary } from '../../src/reports/page/shared/glossary.ts';
import type { ColumnType } from '../../src/reports/table.ts';
import { tables } from '../../src/reports/tables.ts';
import { picture } from '../reports/picture.ts';

const docs = join(import.meta.dirname, '..', '..', 'docs');

const meanings: Readonly<Record<ColumnType, string>> = {
  text: 'text',
  word: 'text',
  time: 'time, ISO 8601 UTC',
  slot: 'date',
  flag: '`true` or `false`',
  count: 'whole number',
  percent: 'percent, two decimals',
};

it('docs/tables.md names every column of every table', async () => {
  const sections = tables.map(({ name, description, columns }) =>
    [
      `## ${name}.csv`,
      '',
      `${description}.`,
      '',
      '| column | content | |',
      '|---|---|---|',
      ...columns.map((column) => `| \`${column.name}\` | ${column.description} | ${meanings[column.type]} |`),
    ].join('\n'),
  );
  const page = `# The tables

A run writes these CSV files, with RFC 4180 quoting, LF, UTF-8 without a byte-order mark, and always a header. An empty cell means "not known", or that there is nothing to say. New columns come only at the end. Each table is in \`<table>/date=<slot>/\` and, for the last run, in \`latest/\`; [queries.md](queries.md) shows how to query all runs at once.

This page is made from \`src/reports/tables.ts\` and \`src/reports/fields.ts\`; a test compares it with them.

${sections.join('\n\n')}

${describeFields()}

${describeUnprovenReasons()}

${describeWords()}
`;
  await expect(page).toMatchFileSnapshot(join(docs, 'tables.md'));
});

/** The words of `unproven_because`. */
function describeUnprovenReasons(): string {
  return [
    '## Why a status is not proven',
    '',
    '`unproven_because` has the first that holds. `proven` is `false` where it has one.',
    '',
    '| word | means | ends |',
    '|---|---|---|',
    ...Object.entries(unprovenReasons).map(([word, { meaning, end }]) => `| \`${word}\` | ${meaning} | ${end} |`),
  ].join('\n');
}

/** Words that columns hold, with their meanings, as the page's glossary has them. */
function describeWords(): string {
  const columns: Readonly<Record<string, string>> = {
    reason: '`reason`',
    excluded: '`excluded_because`',
    soundness: '`soundness`',
    change: '`change` of changes.csv',
    verdict: '`verdict` of groups.csv',
    result: '`result` of deployment.csv and exemptions.csv',
  };
  const words = glossary.filter(({ group }) => group in columns);
  return [
    '## The words of other columns',
    '',
    '| column | word | means |',
    '|---|---|---|',
    ...words.flatMap(({ group, words: own }) =>
      Object.entries(own).map(([word, { meaning }]) => `| ${columns[group]} | \`${word}\` | ${meaning} |`),
    ),
  ].join('\n');
}

/** What each platform means by the fields that are its own. */
function describeFields(): string {
  const keys = Object.keys(sourceKinds[0]?.fields ?? {}) as (keyof (typeof sourceKinds)[number]['fields'])[];
  const toLine = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    '## What the platforms mean',
    '',
    toLine(['field', ...sourceKinds.map(({ title }) => title)]),
    `|${'---|'.repeat(sourceKinds.length + 1)}`,
    ...keys.map((key) => toLine([`\`${key}\``, ...sourceKinds.map(({ fields }) => fields[key])])),
  ].join('\n');
}

describe('a device of report.json', () => {
  const types: Readonly<Record<ColumnType, object>> = {
    text: { type: 'string' },
    word: { type: 'string' },
    time: { type: 'string', format: 'date-time' },
    slot: { type: 'string', format: 'date' },
    flag: { type: 'boolean' },
    count: { type: 'integer' },
    percent: { type: 'number' },
  };
  const transition = {
    type: 'object',
    properties: { slot: types.slot, from: types.text, to: types.text },
    required: ['slot', 'to'],
    additionalProperties: false,
  };
  /** Fields that are no columns: a new one does not compile without its form here. */
  const besides: Readonly<Record<Exclude<keyof ReportedDevice, DeviceFieldKey>, object>> = {
    replacedBy: {
      type: 'object',
      description: 'Of a superseded record: the record that stands for the machine',
      properties: { source: types.text, id: types.text },
      required: ['source', 'id'],
      additionalProperties: false,
    },
    contradictedByConsole: {
      const: true,
      description: 'Not Installed, though the agent’s own console has seen the device lately',
    },
    acknowledged: {
      type: 'object',
      description: 'Who knows of the device, until when it is not named in reminders, and their ticket',
      properties: { by: types.text, until: types.slot, ticket: types.text },
      required: ['by', 'until', 'ticket'],
      additionalProperties: false,
    },
    contradicted: {
      const: true,
      description: 'Another kind of source says the contrary of the same machine, with proof',
    },
    answers: {
      type: 'array',
      description: 'Every answer, where the platform gave more than one',
      items: {
        type: 'object',
        properties: { value: types.text, at: types.time, detail: types.text },
        required: ['value'],
        additionalProperties: false,
      },
    },
    transitions: { type: 'array', description: 'The last 20 changes of status, oldest first', items: transition },
  };
  const fields: readonly DeviceField[] = deviceFields;
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'muster.device.v1',
    title: 'A device of report.json, version 1',
    description: 'What is not known is absent. Version 1 only grows.',
    type: 'object',
    required: [
      'source',
      'platform',
      'id',
      'status',
      'reason',
      'proven',
      'stale',
      'counted',
      'answeredOn',
      'transitions',
    ],
    additionalProperties: false,
    properties: {
      ...Object.fromEntries(fields.map(({ key, type, description }) => [key, { ...types[type], description }])),
      ...besides,
    },
  };

  it('has a schema made from the fields', async () => {
    await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(
      join(docs, 'schemas', 'muster.device.v1.json'),
    );
  });

  it('meets it', () => {
    const validate = new Ajv2020({ formats: { 'date-time': true, date: true } }).compile(schema);
    const { devices } = getReportDocument(picture());
    expect(devices.length).toBeGreaterThan(3);
    for (const device of devices) {
      expect(validate(JSON.parse(JSON.stringify(device))), JSON.stringify(validate.errors)).toBe(true);
    }
  });

  it('is described field by field in docs/report.md', async () => {
    const file = join(docs, 'report.md');
    const listed = deviceFields.map(({ key }) => `\`${key}\``).join(', ');
    const page = readFileSync(file, 'utf8').replace(/(?<=<!-- fields -->\n)[^\n]*/, listed);
    expect(page).toContain(listed);
    await expect(page).toMatchFileSnapshot(file);
  });
});
