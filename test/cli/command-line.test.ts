/** A mistyped command line is refused with a code and a sentence, before anything is read. */
import { expect, test } from 'vitest';
import { inFolder, muster } from './muster.ts';

const refuse = (words: readonly string[]) => inFolder((folder) => muster(words, { folder }));

test.each<[string, readonly string[], string]>([
  ['a command', ['artifcats'], "Unknown command 'artifcats'. Did you mean artifacts?"],
  ['a command below another', ['alerts', 'tset'], "Unknown command 'tset'. Did you mean test?"],
  ['an option', ['run', '--slto', '2026-11-20'], "Unknown option '--slto'. Did you mean --slot?"],
  [
    'a date',
    ['run', '--slot', '2026-02-30'],
    "Option '--slot <date>' argument '2026-02-30' is invalid. It must be a date such as 2026-11-20.",
  ],
  [
    'a count',
    ['demo', '--nights', '0'],
    "Option '--nights <count>' argument '0' is invalid. It must be a whole number from 1 to 400.",
  ],
  ['an option left out', ['rebuild', '2026-11-20'], "Required option '--to <folder>' not specified."],
  ['a word too many', ['run', 'now'], "Too many arguments for 'run'. Expected 0 arguments but got 1."],
])('%s', async (_what, words, sentence) => {
  expect(await refuse(words)).toEqual({
    code: 2,
    output: '',
    errors: `muster [command-line]: ${sentence} See muster --help.\n`,
  });
});

test.each([[[]], [['alerts']]])('without a command (%j) the help says which there are', async (words) => {
  const { code, output, errors } = await refuse(words);
  expect([code, output]).toEqual([2, '']);
  expect(errors).toMatch(
    /^Usage: muster [\s\S]*\nmuster \[command-line\]: No command is given\. See muster --help\.\n$/,
  );
});

test('help and version are no errors', async () => {
  for (const word of ['--help', '--version']) expect(await refuse([word])).toMatchObject({ code: 0, errors: '' });
});
