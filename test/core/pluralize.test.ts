import { expect, test } from 'vitest';
import { pluralize } from '../../src/core/pluralize.ts';

test.each([
  [0, 'pages'],
  [1, 'page'],
  [2, 'pages'],
])('%i takes %s', (count, form) => {
  expect(pluralize(count, 'page')).toBe(form);
});

test('a word with forms of its own takes these', () => {
  expect([1, 2].map((count) => pluralize(count, 'is', 'are'))).toEqual(['is', 'are']);
});
