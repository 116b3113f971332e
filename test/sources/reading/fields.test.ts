import { afterEach, describe, expect, it } from 'vitest';
import { longestText, readId, readTime } from '../../../src/sources/reading/fields.ts';

it.each([
  [7, '7'],
  [' a-1 ', 'a-1'],
  ['x'.repeat(longestText), 'x'.repeat(longestText)],
  ['x'.repeat(longestText + 1), undefined],
  [1.5, undefined],
  [2 ** 53, undefined],
  [' ', undefined],
  [null, undefined],
])('the id %j is %j [H28]', (value, id) => {
  expect(readId(value)).toBe(id);
});

describe('a time', () => {
  const zone = process.env.TZ;

  afterEach(() => {
    process.env.TZ = zone;
    if (zone === undefined) {
      delete process.env.TZ;
    }
  });

  it.each([
    ['2026-10-06T23:57:00.65Z', '2026-10-06T23:57:00.650Z'],
    ['2026-10-06T23:57:00.123456789012Z', '2026-10-06T23:57:00.123Z'],
    ['2026-10-06T23:57:00-0130', '2026-10-07T01:27:00.000Z'],
    [' 2026-10-06T23:57:00+02:00\n', '2026-10-06T21:57:00.000Z'],
    ['2026-10-06t22:10:33z', '2026-10-06T22:10:33.000Z'],
    ['2026-10-06T24:00:00Z', '2026-10-07T00:00:00.000Z'],
    ['2026-04-01T10:24:24Z', '2026-04-01T10:24:24.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2026-12-31', '2026-12-31T00:00:00.000Z'],
    ['9998-12-31T00:00:00Z', '9998-12-31T00:00:00.000Z'],
    ['1970-01-02T00:00:00.001Z', '1970-01-02T00:00:00.001Z'],
    ['1969-12-30T23:59:59Z', '1969-12-30T23:59:59.000Z'],
  ])('%j is %s [X13]', (value, expected) => {
    expect(readTime(value)).toBe(expected);
  });

  it.each([
    ...['2026-02-29', '2026-04-31', '2026-04-00', '2026-00-10', '2026-13-10', '2026-10-06T24:57:00Z'],
    ...['2026-10-06T23:57:00', '2026-10-06T23:57:00.Z', 'x2026-10-06', '2026-10-06x', '11/19/2026 10:10:33 PM'],
    ...['1970-01-02T00:00:00Z', '0000-01-01T00:00:00Z', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59.9999999Z'],
    ...['', null, 1_700_000_000_000],
  ])('%j is none, or not known [X13]', (value) => {
    expect(readTime(value)).toBeUndefined();
  });

  it('has the assumed zone where it has none, wherever Muster runs', () => {
    process.env.TZ = 'America/New_York';
    expect(new Date('2026-11-19T22:10:33').toISOString()).toBe('2026-11-20T03:10:33.000Z');
    expect(readTime('2026-11-19 22:10:33.0000000', 'Z')).toBe('2026-11-19T22:10:33.000Z');
    expect(readTime('2026-11-19T22:10:33.5+02:00', 'Z')).toBe('2026-11-19T20:10:33.500Z');
  });
});
