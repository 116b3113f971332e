/** The whole stack of the least settings, and what each option changes of it: one file each, in `snapshots/`. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { options, planOption } from './stack-options.ts';
import { describeDifference, describeStack, listParts } from './template-lines.ts';

const folder = join(import.meta.dirname, 'snapshots');
const names = Object.keys(options);
const toFile = (name: string) => `${name.replace(/[^a-z]+/gi, '-').toLowerCase()}.txt`;

it.each(names)('the stack is as it was, with %s', async (name) => {
  const parts = listParts(planOption(name));
  const lines =
    name === 'least'
      ? describeStack(parts)
      : describeDifference(listParts(planOption(options[name]?.beside ?? 'least')), parts);
  expect(lines.length).toBeGreaterThan(0);
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(join(folder, toFile(name)));
});

it('every snapshot is of an option', () => {
  expect(readdirSync(folder).sort()).toEqual(names.map(toFile).sort());
});
