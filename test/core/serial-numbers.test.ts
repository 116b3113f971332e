import { describe, expect, it } from 'vitest';
import { foldSerialNumber, isRealSerialNumber } from '../../src/core/serial-numbers.ts';

it('a serial number is folded to upper-case letters and digits', () => {
  expect(foldSerialNumber(' c02-aaaa 00001.')).toBe('C02AAAA00001');
});

describe('a serial number', () => {
  it.each([
    ['of a Mac', 'C02AAAA00001', true, true],
    ['of a PC', 'PF2ABCDE', true, true],
    ['of a Mac without a digit', 'XKQWJHRTPL', true, false],
    ['of five', 'PF2AB', true, true],
    ['of four', 'PF2A', false, false],
    ['of nothing', '', false, false],
    ['of one character', 'XXXXXXXX', false, false],
    ['of zeros', '00000000', false, false],
    ['that counts', '0123456789', false, false],
    ['that counts from 1', '123456789', false, false],
    ['that nobody filled in', 'To be filled by O.E.M.', false, false],
    ['with its blanks stripped', 'Defaultstring', false, false],
    ['that is a word', 'None', false, false],
    ['that is a phrase', 'System Serial Number', false, false],
  ])('%s: "%s"', (_what, serial, onMac, onWindows) => {
    const folded = foldSerialNumber(serial);
    expect([isRealSerialNumber(folded, 'macos'), isRealSerialNumber(folded, 'windows')]).toEqual([onMac, onWindows]);
  });
});
