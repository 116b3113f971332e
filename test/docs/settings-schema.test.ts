/**
 * The JSON Schema of muster.yaml, for editors, is made from the schemas of the settings; to make it anew:
 * `npm run test:one test/docs/settings-schema.test.ts -- -u`.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ConversionConfig, toJsonSchema } from '@valibot/to-json-schema';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { startSimulator } from '../../simulator/simulator.ts';
import { readSettings } from '../../src/compose/read-settings.ts';
import { settingsSchema } from '../../src/compose/settings-schema.ts';
import { sourceKinds } from '../../src/compose/source-kinds.ts';
import { least } from '../settings/least.ts';

const root = join(import.meta.dirname, '..', '..');

/** A schema that depends on the value knows its alternatives only together with what is piped behind it. */
const alternatives = new Map<unknown, readonly v.GenericSchema[]>();

function collectAlternatives(node: unknown, seen: Set<unknown>): void {
  if (typeof node !== 'object' || node === null || seen.has(node)) {
    return;
  }
  seen.add(node);
  if ('pipe' in node && Array.isArray(node.pipe)) {
    const { alternatives: found } = v.getMetadata(node as never) as { alternatives?: v.GenericSchema[] };
    alternatives.set(node.pipe[0], found ?? []);
  }
  for (const value of Object.values(node)) {
    collectAlternatives(value, seen);
  }
}

for (const one of [settingsSchema, ...sourceKinds.map(({ schema }) => schema)]) {
  collectAlternatives(one, new Set());
}

/** What JSON Schema has no word for (a rule of our own, a change of the value) is left to `muster check`. */
const config: ConversionConfig = {
  target: 'draft-2020-12',
  typeMode: 'input',
  errorMode: 'ignore',
  overrideSchema({ valibotSchema }) {
    if (valibotSchema.type !== 'lazy') {
      return undefined;
    }
    const known = alternatives.get(valibotSchema) ?? [];
    const choices = known.length === 0 ? [v.string(), v.array(v.string())] : known;
    return { anyOf: choices.map((one) => convert(one)) };
  },
};

function convert(schema: v.GenericSchema) {
  const { $schema: _, ...rest } = toJsonSchema(schema as never, config);
  return rest;
}

const settings = convert(settingsSchema);
const schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Settings of Muster (muster.yaml)',
  ...settings,
  properties: {
    ...settings.properties,
    sources: {
      ...(settings.properties?.sources as object),
      items: { anyOf: sourceKinds.map((kind) => convert(kind.schema)) },
    },
  },
};

const validate = new Ajv2020({ strict: false, allErrors: true }).compile(schema as object);

it('the schema of the settings is made from the settings', async () => {
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(
    join(root, 'docs', 'schemas', 'settings.schema.json'),
  );
});

/** Whole files of settings; a part of one is in no such list, since it has no sources. */
const examples = [
  ...['README.md', ...globSync('docs/*.md', { cwd: root })].flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/```yaml\n([\s\S]*?)```/g)].map(
      ([, yaml = ''], index) => [`${file} ${index + 1}`, yaml] as const,
    ),
  ),
  ['the least settings', least] as const,
];

it.each(examples)('accepts %s as far as the settings do', (_, yaml) => {
  const whole = /^sources:/m.test(yaml) ? yaml : `${least}\n${yaml}`;
  const isValid = readSettings(whole).problems.length === 0;
  const errors = validate(parse(whole, { logLevel: 'silent' })) ? [] : validate.errors;
  expect(isValid ? errors : []).toEqual([]);
});

it('accepts the simulator’s settings, and names a wrong name, a missing one and a wrong value', async () => {
  const simulator = await startSimulator({ devices: 0 });
  const good = parse(simulator.settings());
  await simulator.close();
  expect([validate(good), validate.errors]).toEqual([true, null]);
  const wrong = [
    { ...good, agnt: {} },
    { sources: good.sources },
    { ...good, policy: { staleAfterDays: 'soon' } },
    { ...good, sources: [{ ...good.sources[0], groups: { installed: 'x' } }] },
    { ...good, deployment: { windows: { detection: { file: 'a\\b' } } } },
  ];
  expect(wrong.map((one) => validate(one))).toEqual(wrong.map(() => false));
});
