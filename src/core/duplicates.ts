/** Which records are the same machine: by real serial number, unless the records that share it live at once. */
import { isOlderThan, readAgeTime } from './ages.ts';
import { millisecondsPerDay } from './calendar.ts';
import type { DeviceFacts } from './facts.ts';
import { compareCodePoints, compareIds } from './order.ts';
import { readDeviceTime } from './packed-devices.ts';
import type { SourceRules } from './rules.ts';
import { readRealSerialNumber } from './serial-numbers.ts';

/** One machine with one operating system, wherever it is enrolled; undefined without a real serial number. */
export function toMachineKey(device: Pick<DeviceFacts, 'platform' | 'serialNumber'>): string | undefined {
  const serial = readRealSerialNumber(device);
  return serial === undefined ? undefined : `${device.platform}\u0000${serial}`;
}

export interface Enrolment {
  readonly source: string;
  readonly facts: DeviceFacts;
  readonly rules: SourceRules;
  /** Itself unmanaged or retiring: such a record never supersedes another. */
  readonly passive: boolean;
}

export interface Duplicates<T> {
  /** The newer record that takes a record's place. */
  readonly supersededBy: ReadonlyMap<T, T>;
  /** By machine key: records that share a serial number and are several machines. */
  readonly shared: ReadonlyMap<string, readonly T[]>;
}

export function findDuplicates<T extends Enrolment>(
  records: readonly T[],
  night: { readonly moment: string; readonly staleAfterDays: number },
): Duplicates<T> {
  const supersededBy = new Map<T, T>();
  const shared = new Map<string, readonly T[]>();
  for (const [key, group] of groupByMachine(records)) {
    const devices = group.map(({ facts }) => facts);
    if (haveLivedAtOnce(devices) || areHeardFromUndated(devices, night)) {
      shared.set(key, group);
      continue;
    }
    const newest = findNewest(group.filter(({ passive }) => !passive));
    for (const record of group) {
      if (newest !== undefined && newest !== record && compareEnrolments(newest, record) > 0) {
        supersededBy.set(record, newest);
      }
    }
  }
  return { supersededBy, shared };
}

/** Only machines with more than one record. */
function groupByMachine<T extends Enrolment>(records: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  const mayRepeat = countKeys(records);
  for (const record of records) {
    const machine = toMachineKey(record.facts);
    if (machine !== undefined && mayRepeat(machine)) {
      appendToList(groups, machine, record);
    }
  }
  for (const [key, group] of groups) {
    if (group.length < 2) {
      groups.delete(key);
    }
  }
  return groups;
}

/**
 * False where no two records have this machine key, and for most keys only then. Keys are counted by their hash: a list
 * of all keys of a large fleet would take much memory.
 */
function countKeys(records: readonly Enrolment[]): (key: string) => boolean {
  const counts = new Uint8Array(2 ** Math.ceil(Math.log2(records.length * 8 + 1)));
  const place = (key: string) => hashText(key) & (counts.length - 1);
  for (const { facts } of records) {
    const machine = toMachineKey(facts);
    if (machine !== undefined) {
      counts[place(machine)] = Math.min((counts[place(machine)] ?? 0) + 1, 2);
    }
  }
  return (key) => (counts[place(key)] ?? 0) > 1;
}

/** FNV-1a of the UTF-16 code units. */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash;
}

/** A server that is being replaced is still contacted for a while after the move. */
const handoverDays = 7;

/** One of two was heard from more than a week after the other, enrolled later, was enrolled. */
export function haveLivedAtOnce(devices: readonly DeviceFacts[]): boolean {
  const dated = devices
    .flatMap((device) => {
      const enrolled = readDeviceTime(device, 'enrolledAt');
      const heard = readDeviceTime(device, 'lastSeenAt') ?? Number.NEGATIVE_INFINITY;
      return enrolled === undefined ? [] : [{ enrolled, heard }];
    })
    .sort((left, right) => left.enrolled - right.enrolled || left.heard - right.heard);
  let lastHeard = Number.NEGATIVE_INFINITY;
  for (const { enrolled, heard } of dated) {
    if (lastHeard > enrolled + handoverDays * millisecondsPerDay) {
      return true;
    }
    lastHeard = Math.max(lastHeard, heard);
  }
  return false;
}

/** Nobody knows when one of two was enrolled, and both were heard from lately. */
function areHeardFromUndated(
  devices: readonly DeviceFacts[],
  { moment, staleAfterDays }: { readonly moment: string; readonly staleAfterDays: number },
): boolean {
  const heard = devices.filter((device) => !isOlderThan(readDeviceTime(device, 'lastSeenAt'), moment, staleAfterDays));
  return heard.length > 1 && heard.some((device) => readDeviceTime(device, 'enrolledAt') === undefined);
}

function findNewest<T extends Enrolment>(records: readonly T[]): T | undefined {
  let newest: T | undefined;
  for (const record of records) {
    if (newest === undefined || compareEnrolments(record, newest) > 0) {
      newest = record;
    }
  }
  return newest;
}

function compareEnrolments(left: Enrolment, right: Enrolment): number {
  return compareRecords(
    { source: left.source, id: left.facts.id, age: readRecordAge(left.facts, left.rules) },
    { source: right.source, id: right.facts.id, age: readRecordAge(right.facts, right.rules) },
  );
}

interface RecordAge {
  readonly source: string;
  readonly id: string;
  /** `readRecordAge` of the record. */
  readonly age: number;
}

/** By age date, then by higher id, then by source so that two servers' equal ids still have an order: the newest last. */
export function compareRecords(left: RecordAge, right: RecordAge): number {
  return left.age - right.age || compareIds(left.id, right.id) || compareCodePoints(left.source, right.source);
}

/** A record of unknown age is older than any. */
export function readRecordAge(device: DeviceFacts, rules: SourceRules): number {
  return readAgeTime(device, rules) ?? -Number.MAX_VALUE;
}

export function appendToList<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key);
  if (list) {
    list.push(item);
  } else {
    lists.set(key, [item]);
  }
}
