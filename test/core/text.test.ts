/** What texts are compared by (order, nearness, visibility), and how counts and durations are worded. */
import { describe, expect, it, test } from 'vitest';
import { findNearest } from '../../src/core/text/nearest-name.ts';
import { compareCodePoints, compareIds } from '../../src/core/text/order.ts';
import { isVisible, toReadableText } from '../../src/core/text/visible-text.ts';
import { formatDuration } from '../../src/core/time/calendar.ts';

describe('the name that a person may have meant', () => {
  const names = ['source', 'sources', 'alerts', 'id', 'maximumFleetDropPercent'];

  it.each([
    ['source', 'source'],
    ['sorce', 'source'],
    ['SOURCE', 'source'],
    ['sourcess', 'sources'],
    ['aelrts', 'alerts'],
    ['alert', 'alerts'],
    ['alrt', 'alerts'],
    ['ale', undefined],
    ['di', 'id'],
    ['kinds', undefined],
    ['maximumFleetDrop', 'maximumFleetDropPercent'],
    ['maximumFleetDrp', undefined],
    ['', 'id'],
  ])('%j: %s', (name, nearest) => {
    expect(findNearest(name, names)).toBe(nearest);
  });

  it('is the first of two that are as near', () => {
    expect(findNearest('bat', ['cat', 'rat'])).toBe('cat');
    expect(findNearest('anything', [])).toBeUndefined();
  });
});

describe('one order', () => {
  it('of texts: by code point, also above U+FFFF', () => {
    const ordered = ['', 'A', 'Z', 'a', 'aa', 'b', '\u00e4', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{10ffff}'];
    for (const [index, text] of ordered.entries()) {
      expect(compareCodePoints(text, text)).toBe(0);
      for (const later of ordered.slice(index + 1)) {
        expect(compareCodePoints(text, later)).toBeLessThan(0);
        expect(compareCodePoints(later, text)).toBeGreaterThan(0);
      }
    }
  });

  it('of ids: numbers by size and below all text', () => {
    const numbers = ['0', '00', '0009', '09', '9', '10', '100', '9007199254740993', '9007199254740995'];
    const ordered = [...numbers, '1a', 'a', 'a1'];
    for (const [index, id] of ordered.entries()) {
      expect(compareIds(id, id)).toBe(0);
      for (const later of ordered.slice(index + 1)) {
        expect([id, later, compareIds(id, later) < 0, compareIds(later, id) > 0]).toEqual([id, later, true, true]);
      }
    }
  });
});

it.each([
  ['a', true],
  [' a ', true],
  ['\u0301a', true],
  ['\u{1f600}', true],
  ['', false],
  [' \t\u00a0', false],
  ['\u200b\ufeff', false],
  ['\u0301', false],
  ['\u115f\u1160\u2800\u3164\uffa0', false],
  ['\ud800', true],
])('%j can be seen: %s', (text, visible) => {
  expect(isVisible(text)).toBe(visible);
});

it.each([
  ['a\nb', 'a b'],
  ['a\u202eb\u2066c', 'a b c'],
  ['a\u00a0\u2028b', 'a  b'],
  ['a\u00adb\uffff', 'a b '],
  ['\u200dab', 'ab'],
  ['1\u200c\u200d2', '12'],
  ['\u0646\u200c\u0647', '\u0646\u200c\u0647'],
  ['\u{1f469}\u{1f3fd}\u200d\u{1f4bb}', '\u{1f469}\u{1f3fd}\u200d\u{1f4bb}'],
])('%j is read as %j: a space for what deceives, and no joiner that joins nothing', (text, readable) => {
  expect(toReadableText(text)).toBe(readable);
});

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
