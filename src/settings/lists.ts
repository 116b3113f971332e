/** The lists of machines that should exist, and of those that report: which files, with which columns, how old they may be. */
import * as v from 'valibot';
import {
  defineBlock,
  defineNumber,
  defineOptionalBlock,
  describeOptional,
  describeOptionalText,
  describeSetting,
  textSchema,
} from './fields.ts';

const fileSchema = describeSetting(textSchema, 'a CSV file: its path, or `s3://bucket/key`');

function defineMaximumAge(days: number) {
  return describeOptional(defineNumber(0, 3650), 'an older file makes the list `stale`', days);
}

const describeColumn = (what: string) => describeOptionalText(`the column with ${what}, where it has another name`);

const expectedFileSchema = defineBlock({
  file: fileSchema,
  columns: defineOptionalBlock({
    serial: describeColumn('the serial number'),
    owner: describeColumn('who has the machine'),
    site: describeColumn('where it should be'),
    bought: describeColumn('when it was bought'),
    until: describeColumn('the last day on which it is expected, such as `2027-12-31`'),
    note: describeColumn('a note'),
  }),
  maxAgeDays: defineMaximumAge(31),
});

const reportingFileSchema = defineBlock({
  file: fileSchema,
  columns: defineOptionalBlock({
    serial: describeColumn('the serial number'),
    name: describeColumn('the machine’s name, which is used where there is no serial number'),
    seen_at: describeColumn('when the console saw it last: ISO 8601, or seconds or milliseconds since 1970'),
  }),
  maxAgeDays: defineMaximumAge(2),
});

function defineFiles<const Schema extends v.GenericSchema>(schema: Schema, meaning: string) {
  return describeOptional(v.pipe(v.array(schema, 'must be a list of files'), v.nonEmpty('must name a file')), meaning);
}

export const listsSchema = defineOptionalBlock({
  expected: defineFiles(expectedFileSchema, 'files that name the machines that should exist ([lists.md](lists.md))'),
  reporting: defineFiles(
    reportingFileSchema,
    'files from the agent’s own console, which name the machines that it has seen ([lists.md](lists.md))',
  ),
});
