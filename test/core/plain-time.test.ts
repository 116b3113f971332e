/** Dates read without the general parser are the same moments. */
import { expect, test } from 'vitest';
import { padPlainTime, parsePlainTime } from '../../src/core/plain-time.ts';

const plain = ['2026-11-20T05:15:00.000Z', '1971-01-01T00:00:00Z', '2024-02-28T23:59:59.9Z', '9999-12-28T12:34:56.78Z'];

test.each(plain)('%s is read as the general parser reads it', (text) => {
  expect(parsePlainTime(text)).toBe(Date.parse(text));
  expect(padPlainTime(text)).toBe(new Date(text).toISOString());
});

test('every month of four centuries is read alike', () => {
  const texts = Array.from({ length: 430 * 12 }, (_, index) => {
    const month = String((index % 12) + 1).padStart(2, '0');
    return `${1971 + Math.floor(index / 12)}-${month}-28T23:59:59.999Z`;
  });
  expect(texts.filter((text) => parsePlainTime(text) !== Date.parse(text))).toEqual([]);
});

const others = [
  ...['', 'Z', '2026-11-20', '2026-11-20T05:15:00', '2026-11-20T05:15:00.Z', '2026-11-20T05:15:00.0000Z'],
  ...['2026-11-20 05:15:00.000Z', '2026-11-20T05:15:00.000+', '2026-11-20T05:15:00,000Z', '2026-11-20T05:15:00.0 0Z'],
  ...['2026-11-29T05:15:00.000Z', '2026-02-30T05:15:00.000Z', '2026-00-20T05:15:00.000Z', '2026-13-20T05:15:00.000Z'],
  ...['2026-11-00T05:15:00.000Z', '2026-11-20T24:00:00.000Z', '2026-11-20T05:60:00.000Z', '2026-11-20T05:15:60.000Z'],
  ...['1970-06-01T05:15:00.000Z', '0001-01-01T00:00:00.000Z', '2026-11-2xT05:15:00.000Z', 'x026-11-20T05:15:00.000Z'],
];

test.each(others)('%j is left to the general parser', (text) => {
  expect(parsePlainTime(text)).toBeNaN();
});
