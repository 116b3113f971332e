/** Schemas of single settings: text, numbers, dates, names of sources. The other schemas use these. */
import * as v from 'valibot';
import { publicSchema, secretSchema } from './secret-references.ts';
import { defineBlock } from './sentences.ts';

export const textSchema = v.pipe(
  v.string('must be text (put it in quotes)'),
  v.trim(),
  v.nonEmpty('must not be empty'),
);

const mustBeDate = 'must be a date such as 2026-12-31';
export const dateSchema = v.pipe(v.string(mustBeDate), v.isoDate(mustBeDate));

export function defineNumber(minimum: number, maximum = Number.MAX_SAFE_INTEGER) {
  const message = `must be a number from ${minimum}${maximum === Number.MAX_SAFE_INTEGER ? ' up' : ` to ${maximum}`}`;
  return v.pipe(v.number(message), v.finite(message), v.minValue(minimum, message), v.maxValue(maximum, message));
}

export function defineWholeNumber(minimum: number, maximum?: number) {
  return v.pipe(defineNumber(minimum, maximum), v.integer('must be a whole number'));
}

/** A block that may be left out; its own defaults then apply. */
export function defineOptionalBlock<const Entries extends v.ObjectEntries>(entries: Entries) {
  const schema = defineBlock(entries);
  return v.optional(schema, () => v.parse(schema, {}) as v.InferInput<typeof schema>);
}

/** The name of a source, the same for every kind. */
export const sourceNameSchema = v.pipe(
  v.string('must be text'),
  v.regex(
    /^[A-Za-z0-9][A-Za-z0-9._ -]{0,62}$/,
    'must be letters, digits, spaces, dots, hyphens and underscores, beginning with a letter or digit, at most 63',
  ),
  v.check((name) => name.trim() === name && !name.endsWith('.'), 'must not end with a space or a dot'),
  v.check((name) => name.toLowerCase() !== 'all', 'must not be "all", which reports use for the total'),
);

export const clientCredentialEntries = { clientId: publicSchema, clientSecret: secretSchema };

/** Whether a block has a key. A schema is chosen by it, so that an error names the path of the wrong value. */
export function hasKey(value: unknown, key: string): boolean {
  return typeof value === 'object' && value !== null && key in value;
}
