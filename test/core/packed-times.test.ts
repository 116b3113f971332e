/** Dates as numbers, from which the same text comes back. One that has no number stays a text, which takes more memory. */
import { expect, it } from 'vitest';
import { decodeMilliseconds, decodeTime, encodeTime } from '../../src/core/packed-times.ts';

it.each([
  ['1970-01-01T00:00:00.000Z', 0],
  ['1970-01-01T00:00:00Z', 1],
  ['1970-01-01T00:00:00.001Z', 2],
  ['1969-12-31T23:59:59Z', -1_999],
  ['2026-11-20T21:09:47.025Z', 2 * 1_795_208_987_025],
  ['2026-11-20T21:09:47Z', 2 * 1_795_208_987_000 + 1],
])('%s is %i', (text, encoded) => {
  expect(encodeTime(text)).toBe(encoded);
  // Twice: the second time its day is known.
  expect([decodeTime(encoded), decodeTime(encoded)]).toEqual([text, text]);
  expect(decodeMilliseconds(encoded)).toBe(Date.parse(text));
});

it.each(['2026-11-20', '2026-02-30T00:00:00Z', '2026-11-20T08:00:00.1234567Z', '2026-11-20T08:00:00+01:00', 'never'])(
  '%s has no number',
  (text) => {
    expect(encodeTime(text)).toBeUndefined();
  },
);
