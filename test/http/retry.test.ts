import { describe, expect, it } from 'vitest';
import { computeBackoff, parseRetryAfter } from '../../src/http/retry.ts';

const now = new Date('2026-10-07T05:15:00Z');

describe('Retry-After', () => {
  it.each([
    ['3', 3_000],
    [' 1.5 ', 1_500],
    ['Wed, 07 Oct 2026 05:15:20 GMT', 20_000],
    ['Wednesday, 07-Oct-26 05:15:20 GMT', 20_000],
    ['Wed, 07 Oct 2026 05:14:00 GMT', undefined],
    ['0', undefined],
    ['-5', undefined],
    ['', undefined],
    ['soon', undefined],
    ['maybe in 2099', undefined],
    ['Infinity', undefined],
    [null, undefined],
  ])('%s means %s milliseconds [H1]', (header, milliseconds) => {
    expect(parseRetryAfter(header, now)).toBe(milliseconds);
  });
});

describe('our own wait', () => {
  it('doubles its ceiling and stops at a minute [H5]', () => {
    expect([1, 2, 3, 4, 5, 6, 7].map((failures) => computeBackoff(failures, 1))).toEqual([
      2e3, 4e3, 8e3, 16e3, 32e3, 60e3, 60e3,
    ]);
  });

  it('is at least half of its ceiling [H5]', () => {
    expect([1, 2, 3].map((failures) => computeBackoff(failures, 0))).toEqual([1e3, 2e3, 4e3]);
  });
});
