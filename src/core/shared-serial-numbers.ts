/** Serial numbers that several machines have: each machine is counted by itself, and a finding names the records. */
import type { Finding } from './facts.ts';
import { pluralize } from './pluralize.ts';
import type { DeviceReference } from './source-input.ts';

const check = 'devices.shared-serial';
const maximumNamedRecords = 20;

/** `sharing` has the records of all sources, a list for each serial number. */
export function findSharedSerialNumbers(source: string, sharing: readonly (readonly DeviceReference[])[]): Finding {
  const concerned = sharing.filter((group) => group.some((record) => record.source === source));
  const common = { check, expected: 'no serial number on several machines', instrument: false };
  if (concerned.length === 0) {
    return { ...common, result: 'pass', found: 'none', advice: '' };
  }
  const records = concerned.flat();
  const named = concerned.map((group) => group.map((record) => nameRecord(record, source)).join(' and ')).join('; ');
  const first =
    records.length <= maximumNamedRecords
      ? named
      : `${listFirst(records, source)} and ${records.length - maximumNamedRecords} more`;
  return {
    ...common,
    result: 'fail',
    found: `${concerned.length} ${pluralize(concerned.length, 'serial number')} on ${records.length} devices: ${first}`,
    advice: 'Each of them is counted as a machine. Write a serial number of its own into the firmware of each.',
  };
}

function listFirst(records: readonly DeviceReference[], source: string): string {
  return records
    .slice(0, maximumNamedRecords)
    .map((record) => nameRecord(record, source))
    .join(', ');
}

function nameRecord(record: DeviceReference, source: string): string {
  return record.source === source ? record.id : `${record.source}/${record.id}`;
}
