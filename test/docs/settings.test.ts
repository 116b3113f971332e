/**
 * The tables of docs/settings.md are made from the schemas; to make them anew:
 * `npm run test:one test/docs/settings.test.ts -- -u`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { settingsSchema } from '../../src/compose/settings-schema.ts';
import { sourceKinds } from '../../src/compose/source-kinds.ts';
import { type Check, type CheckDescription, runCheck } from '../../src/deployment/checks/check.ts';
import { makeContext } from '../deployment/judging.ts';
import { kindsUnderTest } from '../kinds.ts';

const file = join(import.meta.dirname, '..', '..', 'docs', 'settings.md');

interface Setting {
  readonly path: string;
  /** Null where there is none, undefined where it must be set. */
  readonly standard: unknown;
  /** Part of a block that may be left out, or of one of several. */
  readonly isConditional: boolean;
  readonly meaning: string | undefined;
  readonly isSecret: boolean;
}

type Schema = v.GenericSchema & {
  readonly type: string;
  readonly entries?: Readonly<Record<string, Schema>>;
  readonly item?: Schema;
  readonly options?: readonly Schema[];
  readonly wrapped?: Schema;
  readonly literal?: unknown;
};

interface Place {
  readonly path: string;
  readonly standard?: unknown;
  readonly isConditional?: boolean;
}

/** Every setting below a schema. */
function listSettings(schema: Schema, place: Place): Setting[] {
  const { path, standard, isConditional = false } = place;
  if (schema.wrapped !== undefined) {
    return listSettings(schema.wrapped, { ...place, standard: v.getDefault(schema as never) ?? null });
  }
  const metadata = v.getMetadata(schema) as { alternatives?: Schema[]; isSecret?: true };
  if (schema.entries !== undefined) {
    return Object.entries(schema.entries).flatMap(([key, entry]) =>
      listSettings(entry, {
        path: path === '' ? key : `${path}.${key}`,
        isConditional: isConditional || standard !== undefined,
      }),
    );
  }
  if (metadata.alternatives !== undefined) {
    return metadata.alternatives.flatMap((option) => listSettings(option, { path, isConditional: true }));
  }
  if (schema.type === 'variant') {
    return listVariantSettings(schema, path);
  }
  const { isSecret = false } = metadata;
  const setting = { path, standard, isConditional, isSecret, meaning: v.getDescription(schema) };
  const hasBlocks = (schema.item?.entries ?? schema.item?.options) !== undefined;
  const items = hasBlocks && schema.item ? listSettings(schema.item, { path: `${path}[]`, isConditional: true }) : [];
  return [setting, ...items];
}

/** The words of `type` in one row, then each key with the words that it stands with, unless it stands with all. */
function listVariantSettings({ options = [] }: Schema, path: string): Setting[] {
  const words = options.map(({ entries }) => String(entries?.type?.literal));
  const rows = new Map<string, { setting: Setting; words: Set<string> }>();
  options.forEach(({ entries = {} }, index) => {
    const { type: _, ...others } = entries;
    for (const setting of listSettings({ ...options[index], entries: others } as Schema, {
      path,
      isConditional: true,
    })) {
      const key = `${setting.path} ${setting.meaning}`;
      const row = rows.get(key) ?? { setting, words: new Set() };
      row.words.add(words[index] ?? '');
      rows.set(key, row);
    }
  });
  const type = { path: `${path}.type`, standard: undefined, meaning: listWords(words) };
  return [
    { ...type, isConditional: true, isSecret: false },
    ...[...rows.values()].map(({ setting, words: some }) => ({
      ...setting,
      meaning: setting.meaning && (some.size === words.length ? '' : `${listWords([...some])}: `) + setting.meaning,
    })),
  ];
}

function listWords(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(', ');
}

/** Of several alternatives with the same key, one row. */
function listDistinctSettings(schema: v.GenericSchema, path: string): Setting[] {
  const settings = listSettings(schema as unknown as Schema, { path });
  return settings.filter(
    (setting, index) =>
      settings.findIndex((other) => other.path === setting.path && other.meaning === setting.meaning) === index,
  );
}

function formatDefault({ standard, isConditional }: Setting): string {
  if (standard === undefined) {
    return isConditional ? '' : 'required';
  }
  return standard === null || ['', '[]', '{}'].includes(toText(standard)) ? 'none' : `\`${toText(standard)}\``;
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function formatTable(settings: readonly Setting[], withChecks: boolean): string {
  const head = ['setting', 'default', 'meaning', ...(withChecks ? ['checks that use it'] : [])];
  const rows = settings.map((setting) => {
    const meaning = `${setting.meaning}${setting.isSecret ? '; a reference to a secret' : ''}`;
    const checks = withChecks ? [listWords(listChecks(setting))] : [];
    return [`\`${setting.path}\``, formatDefault(setting), meaning, ...checks];
  });
  const toLine = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [toLine(head), `|${'---|'.repeat(head.length)}`, ...rows.map(toLine)].join('\n');
}

/** The checks that use a setting; first those that are named after its block. */
function listChecks({ path }: Setting): string[] {
  const users = [...new Set(checks.filter((check) => listNamedSettings(check).includes(path)).map(({ id }) => id))];
  const isNamedAfterBlock = (id: string) => path.split('.').includes(id.split('.')[0] ?? '');
  return [...users.filter(isNamedAfterBlock), ...users.filter((id) => !isNamedAfterBlock(id))];
}

/** Those that a check needs, and those that change what it expects. */
function listNamedSettings({ needs = [], settings = [] }: CheckDescription): string[] {
  return [...needs, ...settings];
}

const checks = (await Promise.all(sourceKinds.map(({ loadChecks }) => loadChecks()))).flat();
const checksUnderTest = await Promise.all(kindsUnderTest.map(({ kind }) => kind.loadChecks()));
const all = listDistinctSettings(settingsSchema, '');
const sourceSettings = kindsUnderTest.map(
  ({ kind: { kind, schema } }) => [kind, listDistinctSettings(schema, 'sources[]')] as const,
);
const deployment = all.filter(({ path }) => path.startsWith('deployment.'));
const aws = all.filter(({ path }) => path.startsWith('aws.'));

/** Chosen by hand, in the order in which a company needs them: the settings that people set. */
const firstSettings: readonly string[] = [
  'sources[].url',
  'sources[].extensionAttribute',
  'sources[].tenantId',
  'sources[].app',
  'sources[].auth.clientSecret',
  'store',
  'schedule.cron',
  'schedule.timezone',
  'alerts.channels',
  'alerts.heartbeat',
  'alerts.reportUrl',
  'exemptions',
  'lists.expected',
  'policy.minimumCoverage',
  'privacy.users',
];

/** The row of a setting; of one that kinds of sources have, with the meaning that each gives it. */
function findFirstSetting(path: string): Setting {
  const shared = all.find((setting) => setting.path === path);
  const own = sourceKinds.flatMap(({ kind }) => {
    const found = new Map(sourceSettings).get(kind)?.find((setting) => setting.path === path);
    return found === undefined ? [] : [{ ...found, meaning: `\`${kind}\`: ${found.meaning}` }];
  });
  const [first = shared] = own;
  if (first === undefined) {
    throw new Error(`There is no setting ${path}.`);
  }
  return own.length === 0 ? first : { ...first, meaning: own.map(({ meaning }) => meaning).join('; ') };
}

const tables: Readonly<Record<string, string>> = {
  first: formatTable(firstSettings.map(findFirstSetting), false),
  'muster.yaml': formatTable(
    all.filter((setting) => !deployment.includes(setting) && !aws.includes(setting)),
    false,
  ),
  ...Object.fromEntries(sourceSettings.map(([kind, settings]) => [kind, formatTable(settings, false)])),
  deployment: formatTable(deployment, true),
  aws: formatTable(aws, false),
};

it('docs/settings.md has every setting with its default, as the schemas have them', async () => {
  const page = readFileSync(file, 'utf8');
  const shown = [...page.matchAll(/<!-- settings: (\S+) -->/g)].map(([, name]) => name);
  const others = ['first', 'muster.yaml', 'deployment', 'aws'];
  expect(shown.sort()).toEqual([...others, ...sourceKinds.map(({ kind }) => kind)].sort());
  const filled = page.replace(
    /(<!-- settings: (\S+) -->\n)[\s\S]*?(<!-- \/settings -->)/g,
    (_, before: string, name: string, after: string) => `${before}\n${tables[name]}\n\n${after}`,
  );
  await expect(filled).toMatchFileSnapshot(file);
});

it('the page begins with the fifteen settings that people set', () => {
  expect(new Set(firstSettings).size).toBe(15);
});

describe('the schemas', () => {
  const settings = [...all, ...sourceSettings.flatMap(([, some]) => some)];

  it('describe every setting', () => {
    expect(settings.length).toBeGreaterThan(60);
    expect(settings.filter(({ meaning }) => !meaning).map(({ path }) => path)).toEqual([]);
  });

  it.each(kindsUnderTest)('know which settings of $kind.kind are secrets', ({ kind: { kind, secretKeys } }) => {
    const secrets = sourceSettings
      .flatMap(([name, some]) => (name === kind ? some : []))
      .flatMap(({ path, isSecret }) => (isSecret ? [path.split('.').at(-1)] : []));
    expect([...secretKeys].sort()).toEqual(secrets.sort());
  });

  // A check is told what was read, which is nothing here.
  const made = checksUnderTest.flatMap((some) => some as readonly Check<object>[]);

  it.each(made)('have the settings that $id names, among them the one that it asks for', (check) => {
    const { id } = check;
    const named = listNamedSettings(check);
    const finding = runCheck(check, {}, makeContext());
    expect(named.filter((path) => !deployment.some((setting) => setting.path === path))).toEqual([]);
    const [, asked] = /^Set (deployment[\w.]+)/.exec(finding.advice) ?? [];
    expect(asked === undefined || id.startsWith('prerequisite.') || named.includes(asked)).toBe(true);
  });
});
