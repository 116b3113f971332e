import { expect, test } from 'vitest';
import { fillText, formatNumber, listTexts } from '../../src/reports/page/texts.ts';

test.each([
  [0, 'Copied 0 rows.'],
  [1, 'Copied 1 row.'],
  [1_001, 'Copied 1,001 rows.'],
])('the form of a word fits the number that is filled in: %i', (count, text) => {
  expect(fillText(listTexts.copied, { count: formatNumber(count) })).toBe(text);
});
