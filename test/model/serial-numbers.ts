/** Serial numbers as records have them, and which of two records is newer. */
import type { DeviceFacts } from '../../src/core/facts/facts.ts';
import { findAgeDate } from './answers.ts';
import type { Row } from './rows.ts';

const placeholders = [
  'Default string',
  'System Serial Number',
  'To be filled by O.E.M.',
  'None',
  'N/A',
  'INVALID',
  'Not Specified',
  '123456789',
  '0123456789',
  '00000000',
  'XXXXXXXX',
].map(foldSerial);

export function foldSerial(serial: string | undefined): string {
  return (serial ?? '').toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
}

/** The folded serial number of a real machine, or undefined. */
export function readRealSerial(device: DeviceFacts): string | undefined {
  const serial = foldSerial(device.serialNumber);
  const isRun = [...serial].every((character) => character === serial[0]);
  const isCounting = [...serial].every((character, index) => {
    const previous = serial[index - 1];
    return /\d/.test(character) && (previous === undefined || (Number(previous) + 1) % 10 === Number(character));
  });
  const isPlaceholder = placeholders.includes(serial);
  const isMissingDigit = ['windows', 'linux'].includes(device.operatingSystem) && !/\d/.test(serial);
  return serial.length < 5 || isRun || isCounting || isPlaceholder || isMissingDigit ? undefined : serial;
}

/** Every device is compared with every other, and its number does not change. */
const knownNumbers = new WeakMap<DeviceFacts, { readonly number: string | undefined }>();

/** "The same operating system and the same real serial number." */
export function readNumber(device: DeviceFacts): string | undefined {
  const known = knownNumbers.get(device) ?? { number: makeNumber(device) };
  knownNumbers.set(device, known);
  return known.number;
}

function makeNumber(device: DeviceFacts): string | undefined {
  const serial = readRealSerial(device);
  return serial === undefined ? undefined : `${device.operatingSystem}/${serial}`;
}

/** By age date, then by higher id, then by source. */
export function isNewer(left: Row, right: Row): boolean {
  const leftDate = findAgeDate(left.facts, left.kind) ?? -Infinity;
  const rightDate = findAgeDate(right.facts, right.kind) ?? -Infinity;
  if (leftDate !== rightDate) {
    return leftDate > rightDate;
  }
  const isSameId = left.facts.id === right.facts.id;
  return isSameId ? left.source > right.source : isHigherId(left.facts.id, right.facts.id);
}

function isHigherId(left: string, right: string): boolean {
  const areNumbers = /^\d+$/.test(left) && /^\d+$/.test(right);
  return areNumbers ? Number(left) > Number(right) : left > right;
}
