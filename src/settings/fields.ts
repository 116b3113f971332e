/**
 * Schemas of single settings: text, numbers, dates, names of sources, from which the other schemas are made. Issues
 * become sentences: the path in the file, what is wrong, and the right names.
 */
import * as v from 'valibot';
import { isRecord } from '../base/is-record.ts';
import { findNearest } from '../core/text/nearest-name.ts';

export const textSchema = v.pipe(
  v.string('must be text (put it in quotes)'),
  v.trim(),
  v.nonEmpty('must not be empty'),
);

export const flagSchema = v.boolean('must be true or false');

const mustBeDate = 'must be a date such as 2026-12-31';
export const dateSchema = v.pipe(v.string(mustBeDate), v.isoDate(mustBeDate));

export function defineNumber(minimum: number, maximum = Number.MAX_SAFE_INTEGER) {
  const message = `must be a number from ${minimum}${maximum === Number.MAX_SAFE_INTEGER ? ' up' : ` to ${maximum}`}`;
  return v.pipe(v.number(message), v.finite(message), v.minValue(minimum, message), v.maxValue(maximum, message));
}

export function defineWholeNumber(minimum: number, maximum?: number) {
  return v.pipe(defineNumber(minimum, maximum), v.integer('must be a whole number'));
}

/** A text that matches a form. */
export function defineForm(form: RegExp, message: string) {
  return v.pipe(textSchema, v.regex(form, message));
}

/** A custom rule: `find` returns the problem of a value, or undefined. */
export function refuse<Value>(find: (value: Value) => string | undefined) {
  return v.rawCheck<Value>(({ dataset, addIssue }) => {
    const message = dataset.typed ? find(dataset.value) : undefined;
    if (message !== undefined) {
      addIssue({ message });
    }
  });
}

/** A setting with its meaning, from which `docs/settings.md` is made. Piping the schema keeps its default. */
export function describeSetting<const Schema extends v.GenericSchema>(schema: Schema, meaning: string) {
  return v.pipe(schema, v.description(meaning));
}

/** An optional setting, with its default as the last argument. */
export function describeOptional<
  const Schema extends v.GenericSchema,
  const Default extends v.Default<Schema, undefined> = undefined,
>(schema: Schema, meaning: string, standard?: Default) {
  return v.optional(describeSetting(schema, meaning), standard as Default);
}

export function describeOptionalText(meaning: string) {
  return describeOptional(textSchema, meaning);
}

/** One of several blocks: the first whose key is present, otherwise the last, so that errors name the wrong value's path. */
export function chooseBlock<
  const Choices extends Readonly<Record<string, v.GenericSchema>>,
  const Otherwise extends v.GenericSchema,
>(choices: Choices, otherwise: Otherwise) {
  type Chosen = Choices[keyof Choices] | Otherwise;
  const keys: readonly (keyof Choices & string)[] = Object.keys(choices);
  return v.pipe(
    v.lazy((value): Chosen => {
      const key = keys.find((candidate) => isRecord(value) && candidate in value);
      return key === undefined ? otherwise : choices[key];
    }),
    v.metadata({ alternatives: [...new Set<v.GenericSchema>([otherwise, ...Object.values(choices)])] }),
  );
}

/** An optional block, whose own defaults apply when it is missing. */
export function defineOptionalBlock<const Entries extends v.ObjectEntries>(entries: Entries) {
  const schema = defineBlock(entries);
  return v.optional(schema, () => v.parse(schema, {}) as v.InferInput<typeof schema>);
}

/** The name of a source, the same for every kind. */
export const sourceNameSchema = describeSetting(
  v.pipe(
    v.string('must be text'),
    v.regex(
      /^[A-Za-z0-9][A-Za-z0-9._ -]{0,62}$/,
      'must be letters, digits, spaces, dots, hyphens and underscores, beginning with a letter or digit, at most 63',
    ),
    v.check((name) => name.trim() === name && !name.endsWith('.'), 'must not end with a space or a dot'),
    v.check((name) => name.toLowerCase() !== 'all', 'must not be "all", which reports use for the total'),
  ),
  'the source’s name in reports: letters, digits, space, `.`, `_`, `-`',
);

/** A block of settings: refuses unknown names, with the right one if it is similar, and reports missing ones. */
export function defineBlock<const Entries extends v.ObjectEntries>(entries: Entries) {
  const schema = v.strictObject(entries, (issue) => {
    if (issue.expected === 'never') {
      return describeUnknownName(String(issue.input), entries);
    }
    if (issue.received === 'undefined') {
      return 'is missing';
    }
    return `must be a block with ${Object.keys(entries).join(', ')}`;
  });
  const run = schema['~run'].bind(schema);
  return Object.assign(schema, {
    '~run': (...[dataset, config]: Parameters<typeof run>) => {
      const block = dataset.value;
      return addUnknownNames(block, run(dataset, config), entries);
    },
  });
}

/** Unknown names in one block that are reported at once: an unrelated file can have thousands. */
const mostUnknownNames = 20;

/** Adds an issue for each further unknown name, since valibot reports only the first of a block. */
function addUnknownNames<Result extends v.OutputDataset<unknown, v.BaseIssue<unknown>>>(
  block: unknown,
  result: Result,
  entries: v.ObjectEntries,
): Result {
  const { issues } = result;
  const first = issues?.find(({ expected, path = [] }) => expected === 'never' && path.length === 1);
  if (issues === undefined || first === undefined || !isRecord(block)) {
    return result;
  }
  const [, ...others] = Object.keys(block).filter((name) => !Object.hasOwn(entries, name));
  const further = others.slice(0, mostUnknownNames - 1).map((name) => ({
    ...first,
    input: name,
    message: describeUnknownName(name, entries, 'short'),
    path: [{ type: 'object', origin: 'key', input: block, key: name, value: block[name] }] as typeof first.path,
  }));
  const left = others.length - further.length;
  const rest =
    left === 0 ? [] : [{ ...first, path: undefined, message: `has ${left} more names that are no settings` }];
  issues.push(...further, ...rest);
  return result;
}

/** A choice of a few words. */
export function defineChoice<const Words extends readonly string[]>(words: Words) {
  return v.picklist(words, (issue) =>
    issue.received === 'undefined' ? 'is missing' : describeUnknownWord(String(issue.input), words),
  );
}

export function describeUnknownWord(given: string, words: readonly string[]): string {
  const near = findNearest(given, words);
  return `is "${given}"; ${near === undefined ? '' : `did you mean "${near}"? `}it must be one of ${words.join(', ')}`;
}

/** The problem of an unknown name; the first of a block also lists the known names. */
function describeUnknownName(name: string, entries: v.ObjectEntries, length?: 'short'): string {
  const names = Object.keys(entries);
  const near = findInnerSetting(name, entries) ?? findNearest(name, names);
  if (near !== undefined) {
    return `is not a setting; did you mean "${near}"?`;
  }
  return length === 'short' ? 'is not a setting' : `is not a setting; settings here are ${names.join(', ')}`;
}

/** The path of an inner setting, such as `schedule.timezone` for `timezone`, if exactly one block has it. */
function findInnerSetting(name: string, entries: v.ObjectEntries): string | undefined {
  const blocks = Object.entries(entries).filter(([, entry]) => hasSetting(entry, name));
  return blocks.length === 1 ? `${blocks[0]?.[0]}.${name}` : undefined;
}

/** Whether a schema is a block, also an optional one, with a setting of this name. */
function hasSetting(schema: object, name: string): boolean {
  if ('wrapped' in schema) {
    return hasSetting(Object(schema.wrapped), name);
  }
  return 'entries' in schema && Object.hasOwn(Object(schema.entries), name);
}

/** Formats issues, one sentence for each problem: `sources[0].url: must begin with https://`. */
export function formatIssues(issues: readonly v.BaseIssue<unknown>[], at: readonly (string | number)[]): string[] {
  return issues.map((issue) => {
    const steps = [...at, ...(issue.path ?? []).map((item) => item.key)];
    return formatProblem(steps, issue.received === 'undefined' ? 'is missing' : issue.message);
  });
}

export function formatProblem(steps: readonly unknown[], message: string): string {
  return `${formatPath(steps)}: ${message}${/[.?!]$/.test(message) ? '' : '.'}`;
}

function formatPath(steps: readonly unknown[]): string {
  const path = steps.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');
  return path === '' ? 'settings' : path.replace(/^\./, '');
}
