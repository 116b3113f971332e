import { expect, test } from 'vitest';
import { compareRows } from '../../../src/sources/intune/compare-rows.ts';

test.each([
  { rows: 100, total: 100, baseline: 100, is: 'fits' },
  { rows: 95, total: 100, baseline: undefined, is: 'fits' },
  { rows: 94, total: 100, baseline: undefined, is: 'off' },
  { rows: 106, total: 100, baseline: undefined, is: 'off' },
  { rows: 9_951, total: 10_000, baseline: undefined, is: 'fits' },
  { rows: 9_950, total: 10_000, baseline: undefined, is: 'fits' },
  { rows: 9_949, total: 10_000, baseline: undefined, is: 'off' },
  { rows: 50, total: 12_000, baseline: 12_000, is: 'off' },
  { rows: 0, total: 0, baseline: undefined, is: 'fits' },
  { rows: 0, total: 0, baseline: 0, is: 'fits' },
  { rows: 0, total: 0, baseline: 1, is: 'empty' },
  { rows: 0, total: 3, baseline: undefined, is: 'empty' },
  // A tenant may shrink: the baseline only says that an empty report is not believable.
  { rows: 10, total: 10, baseline: 900, is: 'fits' },
])('$rows rows of $total, baseline $baseline: $is', ({ rows, total, baseline, is }) => {
  expect(compareRows(rows, total, baseline)).toBe(is);
});
