import { expect, test } from 'vitest';
import { formatDuration } from '../../src/core/format-duration.ts';

test.each([
  [0, '0 minutes'],
  [29, '0 minutes'],
  [60, '1 minute'],
  [3_600, '1 hour'],
  [7_500, '2 hours 5 minutes'],
  [86_400, '1 day'],
  [90_060, '1 day 1 hour'],
  [31_536_000, '365 days'],
])('%i seconds are %s', (seconds, words) => {
  expect(formatDuration(seconds)).toBe(words);
});
