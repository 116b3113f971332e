/** Settings of the lists of machines that should exist, and of those that report: their files, columns and maximum ages. */
import * as v from 'valibot';
import { type ListName, listColumns } from '../core/facts/lists.ts';
import {
  defineBlock,
  defineNumber,
  defineOptionalBlock,
  describeOptional,
  describeOptionalText,
  describeSetting,
  textSchema,
} from './fields.ts';

function defineFiles(list: ListName, days: number, meaning: string) {
  const columns = Object.entries(listColumns[list]).map(([column, what]) => [
    column,
    describeOptionalText(`the column with ${what}, where it has another name`),
  ]);
  const file = defineBlock({
    file: describeSetting(textSchema, 'a CSV file: its path, or `s3://bucket/key`'),
    columns: defineOptionalBlock(
      Object.fromEntries(columns) as Record<string, ReturnType<typeof describeOptionalText>>,
    ),
    maxAgeDays: describeOptional(defineNumber(0, 3650), 'an older file makes the list `stale`', days),
  });
  const files = v.pipe(v.array(file, 'must be a list of files'), v.nonEmpty('must name a file'));
  return describeOptional(files, `${meaning} ([lists.md](lists.md))`);
}

export const listsSchema = defineOptionalBlock({
  expected: defineFiles('expected', 31, 'files that name the machines that should exist'),
  reporting: defineFiles(
    'reporting',
    2,
    'files from the agent’s own console, which name the machines that it has seen',
  ),
});

export type ListSettings = v.InferOutput<typeof listsSchema>;
