import { expect, it } from 'vitest';
import { splitFirstSentence } from '../../src/core/text/first-sentence.ts';

it.each([
  ['It is off. Turn it on.', 'It is off.', 'Turn it on.'],
  ['It is off. Turn it on. Run again.', 'It is off.', 'Turn it on. Run again.'],
  ['version 11.2 of agent.example.com is old. update it', 'version 11.2 of agent.example.com is old. update it', ''],
  ['It lacks "Corp. Agent". Add it.', 'It lacks "Corp. Agent".', 'Add it.'],
  ['It is off.', 'It is off.', ''],
  ['', '', ''],
])('"%s" begins with one sentence', (text, first, rest) => {
  expect(splitFirstSentence(text)).toEqual([first, rest]);
});
