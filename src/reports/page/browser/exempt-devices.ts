/** Which devices a row of the exemptions file fits, as the judgement finds them. */
import { foldSerialNumber } from '../../../core/serial-numbers.ts';
import type { PageData } from '../page-data.ts';
import { readFlag, readWord } from './unpack.ts';

type Exemption = PageData['exemptions'][number];

export function createExemptionTest({ devices }: PageData, exemption: Exemption): (row: number) => boolean {
  const { match, value, source, result } = exemption;
  const folded = foldSerialNumber(value);
  const isMatched = (row: number): boolean => {
    switch (match) {
      case 'serial':
        return folded !== '' && foldSerialNumber(devices.serialNumber[row] ?? '') === folded;
      case 'device_id':
        return devices.id[row] === value;
      case 'device_name':
        return devices.name[row] === value;
      case 'user':
        return devices.user[row] === value;
      default:
        return false;
    }
  };
  return (row) =>
    result !== 'invalid' &&
    (source === '' || readWord(devices.source, row) === source) &&
    // Not what is not counted for a reason of its own.
    (readFlag(devices.counted, row) === true || readWord(devices.excludedBecause, row) === 'exempt') &&
    isMatched(row);
}

export function countExemptDevices(data: PageData, exemption: Exemption): number {
  const test = createExemptionTest(data, exemption);
  let count = 0;
  for (let row = 0; row < data.devices.id.length; row += 1) {
    count += test(row) ? 1 : 0;
  }
  return count;
}
