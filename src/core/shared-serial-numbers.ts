/** Serial numbers that several machines have: each machine is counted by itself, and a finding names the records. */
import type { Finding } from './facts.ts';
import { pluralize } from './pluralize.ts';
import type { DeviceReference } from './source-input.ts';

const check = 'devices.shared-serial';
const maximumNamedRecords = 20;

/** `sharing` has the records of all sources, a list for each serial number; no finding where the source has none. */
export function findSharedSerialNumbers(source: string, sharing: readonly (readonly DeviceReference[])[]): Finding[] {
  const concerned = sharing.filter((group) => group.some((record) => record.source === source));
  if (concerned.length === 0) {
    return [];
  }
  const records = concerned.flat();
  const named = concerned.map((group) => group.map((record) => nameRecord(record, source)).join(' and ')).join('; ');
  const first =
    records.length <= maximumNamedRecords
      ? named
      : `${listFirst(records, source)} and ${records.length - maximumNamedRecords} more`;
  const finding: Finding = {
    ...{ check, result: 'fail', instrument: false },
    expected: 'no serial number on several machines',
    found: `${concerned.length} ${pluralize(concerned.length, 'serial number')} on ${records.length} devices: ${first}`,
    advice: 'Each of them is counted as a machine. Write a serial number of its own into the firmware of each.',
  };
  return [finding];
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
