/** Which serial numbers identify a machine, and how a finding names those that do not. */
import { describe, expect, it } from 'vitest';
import { foldSerialNumber, readRealSerialNumber } from '../../src/core/device/serial-numbers.ts';
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
  const group = (...names: string[]) =>
    names.map((name) => ({ source: name.split('/')[0] ?? '', id: name.split('/')[1] ?? '' }));

  it('names its own records by id and others with their source, and no serial number that is not its own', () => {
    const sharing = [group('macs/1', 'macs/2'), group('windows/8', 'windows/9'), group('windows/3', 'macs/4')];

    expect(findMachineFindings('macs', { sharing, contradicted: [] })).toEqual([
      {
        check: 'devices.shared-serial',
        result: 'fail',
        instrument: false,
        expected: 'no serial number on several machines',
        found: '2 serial numbers on 4 devices: 1 and 2; windows/3 and 4',
        advice: 'Each of them is counted as a machine. Write a serial number of its own into the firmware of each.',
      },
    ]);
    expect(findMachineFindings('other', { sharing, contradicted: [] })).toEqual([]);
  });

  it('names twenty records and counts the rest', () => {
    const ids = Array.from({ length: 21 }, (_, index) => `macs/${index + 1}`);
    const numbers = Array.from({ length: 20 }, (_, index) => index + 1);

    const [twenty] = findMachineFindings('macs', { sharing: [group(...ids.slice(0, 20))], contradicted: [] });
    const [more] = findMachineFindings('macs', { sharing: [group(...ids)], contradicted: [] });
    expect(twenty?.found).toBe(`1 serial number on 20 devices: ${numbers.join(' and ')}`);
    expect(more?.found).toBe(`1 serial number on 21 devices: ${numbers.join(', ')} and 1 more`);
  });
});
