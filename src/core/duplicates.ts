/** Which records are the same machine: by real serial number, and by nothing else. */
import type { DeviceFacts } from './facts.ts';
import { compareCodePoints, compareIds } from './order.ts';
import type { SourceRules } from './rules.ts';

/** What firmware says when nobody filled the serial number in. Folded, because some makers shout. */
const placeholderSerialNumbers = new Set(['', '0', 'system serial number', 'to be filled by o.e.m.', 'default string']);

/** A serial number fit for comparing, or undefined when it is a placeholder. */
function normalizeSerialNumber(serial: string | undefined): string | undefined {
  const folded = serial?.trim().toLowerCase() ?? '';
  return placeholderSerialNumbers.has(folded) ? undefined : folded;
}

/** One machine with one operating system, wherever it is enrolled. */
export function toMachineKey(device: Pick<DeviceFacts, 'platform' | 'serialNumber'>): string | undefined {
  const serial = normalizeSerialNumber(device.serialNumber);
  return serial === undefined ? undefined : `${device.platform}\u0000${serial}`;
}

export interface Enrolment {
  readonly source: string;
  readonly facts: DeviceFacts;
  readonly rules: SourceRules;
  /** Itself unmanaged or retiring: such a record never supersedes another. */
  readonly passive: boolean;
}

/** The records that a newer record of the same machine replaces. */
export function findSuperseded<T extends Enrolment>(records: readonly T[]): Set<T> {
  const newest = new Map<string, T>();
  for (const record of records) {
    const key = toMachineKey(record.facts);
    if (key === undefined || record.passive) {
      continue;
    }
    const known = newest.get(key);
    if (known === undefined || compareAge(record, known) > 0) {
      newest.set(key, record);
    }
  }
  const replaced = new Set<T>();
  for (const record of records) {
    const key = toMachineKey(record.facts);
    const best = key === undefined ? undefined : newest.get(key);
    if (best !== undefined && best !== record && compareAge(best, record) > 0) {
      replaced.add(record);
    }
  }
  return replaced;
}

/** By the platform's own date, then by higher id, then by source so that two servers' equal ids still have an order. */
function compareAge(left: Enrolment, right: Enrolment): number {
  const difference = readRecordAge(left) - readRecordAge(right);
  if (difference !== 0) {
    return difference;
  }
  return compareIds(left.facts.id, right.facts.id) || compareCodePoints(left.source, right.source);
}

function readRecordAge(record: Enrolment): number {
  const date = record.facts[record.rules.age];
  return date === undefined ? -Number.MAX_VALUE : Date.parse(date);
}
