/** Which serial numbers identify a machine, and how a finding names those that do not. */
import { describe, expect, it } from 'vitest';
import { foldSerialNumber, readRealSerialNumber } from '../../src/core/machine/serial-numbers.ts';
import { findMachineFindings } from '../../src/core/source/listing.ts';

it.each([
  ['C02FX1', 'C02FX1'],
  ['', ''],
  [' c02-fx/1\n', 'C02FX1'],
  ['Ｃ０２', 'C02'],
  ['ä٣', 'Ä٣'],
  ['-', ''],
])('%j is folded to %j', (serialNumber, folded) => {
  expect(foldSerialNumber(serialNumber)).toBe(folded);
});

it.each([
  ['macos', 'ABCD1', 'ABCD1'],
  ['macos', 'ABC1', undefined],
  ['macos', 'ABCDE', 'ABCDE'],
  ['windows', 'ABCDE', undefined],
  ['linux', 'ABCDE', undefined],
  ['windows', 'ABCDE٣', 'ABCDE٣'],
  ['macos', 'to be filled by O.E.M.', undefined],
  ['macos', undefined, undefined],
  ['macos', '11111', undefined],
  ['macos', '11112', '11112'],
  ['macos', '11121', '11121'],
  ['macos', '12345', undefined],
  ['macos', '12344', '12344'],
  ['macos', '1234A', '1234A'],
  ['macos', '89012', undefined],
  ['macos', '21098', undefined],
  ['macos', '13579', '13579'],
  ['macos', '24680', '24680'],
  // Each character is the next of the alphabet, or of the table of characters: not digits that count up.
  ['macos', 'ABCDEF', 'ABCDEF'],
  ['macos', '789AB', '789AB'],
  ['macos', 'A1234', 'A1234'],
  ['macos', '3456A', '3456A'],
])('on %s, %j identifies %j', (platform, serialNumber, real) => {
  expect(
    readRealSerialNumber({ operatingSystem: platform, ...(serialNumber === undefined ? {} : { serialNumber }) }),
  ).toBe(real);
});

it.each(['', ' ', '0', 'System Serial Number', 'ToBeFilledByO.E.M.', 'Default string', 'None', 'X-1', '00000000'])(
  'the placeholder %j identifies nothing',
  (serialNumber) => {
    expect(readRealSerialNumber({ operatingSystem: 'macos', serialNumber })).toBeUndefined();
  },
);

describe('a finding about serial numbers that several machines have', () => {
  const group = (...places: string[]) =>
    places.map((place) => {
      const [source = '', id = ''] = place.split('/');
      return { source, facts: { id, name: `mac-${id}`, serialNumber: 'C02SAME' } };
    });
  const find = (...sharing: ReturnType<typeof group>[]) => findMachineFindings('macs', { sharing, contradicted: [] });

  it('names the serial number and each machine, then its id, with the source where it is another', () => {
    const nameless = [{ source: 'macs', facts: { id: '5', name: '\u200b', serialNumber: 'C02SAME' } }];
    const others = group('windows/8', 'windows/9');

    expect(find(group('macs/1', 'macs/2'), others, [...group('windows/3'), ...nameless])).toEqual([
      {
        check: 'devices.shared-serial',
        result: 'fail',
        instrument: false,
        expected: 'no serial number on several machines',
        found: '2 serial numbers on 4 devices: C02SAME: mac-1 (1) and mac-2 (2); C02SAME: mac-3 (windows/3) and 5',
        // The same step for a Mac, whose firmware nobody writes (L7).
        advice: expect.stringMatching(/Compare each number with the one that the machine itself shows/),
      },
    ]);
    expect(find(others)).toEqual([]);
  });

  it('names twelve records and counts the rest; no id is cut, and no name is long', () => {
    const ids = Array.from({ length: 13 }, (_, index) => `macs/${index + 1}`);
    const named = Array.from({ length: 12 }, (_, index) => `mac-${index + 1} (${index + 1})`).join(' and ');

    expect(find(group(...ids.slice(0, 12)))[0]?.found).toBe(`1 serial number on 12 devices: C02SAME: ${named}`);
    expect(find(group(...ids))[0]?.found).toBe(`1 serial number on 13 devices: C02SAME: ${named} and 1 more`);
    const long = [{ source: 'macs', facts: { id: '7', name: 'x'.repeat(61), serialNumber: 'C02SAME' } }];
    expect(find([...long, ...group('macs/8')])[0]?.found).toContain(`: ${'x'.repeat(60)}… (7) and`);
  });
});
