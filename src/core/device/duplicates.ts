/** Which records are the same machine: by real serial number, unless the records that share it live at once. */

import { millisecondsPerDay, parseTime } from '../facts/calendar.ts';
import type { DeviceFacts } from '../facts/facts.ts';
import type { DeviceStanding, JudgedDevice } from '../facts/judged.ts';
import type { SourceRules } from '../facts/rules.ts';
import { compareCodePoints, compareIds } from '../text/order.ts';
import { isOlderThan, readAgeTime } from './ages.ts';
import { isUnmanagedOrRetiring } from './exclusions.ts';
import { readRealSerialNumber } from './serial-numbers.ts';

/** One machine with one operating system, wherever it is enrolled; undefined without a real serial number. */
export function toMachineKey(device: Pick<DeviceFacts, 'operatingSystem' | 'serialNumber'>): string | undefined {
  const serial = readRealSerialNumber(device);
  return serial === undefined ? undefined : `${device.operatingSystem}\u0000${serial}`;
}

type Enrolment = JudgedDevice<DeviceStanding>;

export interface Duplicates {
  /** The newer record that takes a record's place. */
  readonly supersededBy: ReadonlyMap<Enrolment, Enrolment>;
  /** Records that share a serial number and are several machines, a list for each serial number. */
  readonly shared: readonly (readonly Enrolment[])[];
}

/** `records` are judged by their own facts alone so far. */
export function findDuplicates(
  records: readonly Enrolment[],
  night: { readonly moment: string; readonly staleAfterDays: number },
): Duplicates {
  const supersededBy = new Map<Enrolment, Enrolment>();
  const shared: Enrolment[][] = [];
  for (const group of groupByMachine(records)) {
    const devices = group.map(({ facts }) => facts);
    if (haveLivedAtOnce(devices) || areHeardFromUndated(devices, night)) {
      shared.push(group);
      continue;
    }
    const newest = findNewest(group.filter(({ judgement }) => !isUnmanagedOrRetiring(judgement.excludedBecause)));
    for (const record of group) {
      if (newest !== undefined && newest !== record && compareEnrolments(newest, record) > 0) {
        supersededBy.set(record, newest);
      }
    }
  }
  return { supersededBy, shared };
}

/** Only machines with more than one record. */
function groupByMachine(records: readonly Enrolment[]): Enrolment[][] {
  const groups = new Map<string, Enrolment[]>();
  const mayRepeat = countKeys(records);
  for (const record of records) {
    const machine = toMachineKey(record.facts);
    if (machine !== undefined && mayRepeat(machine)) {
      appendToList(groups, machine, record);
    }
  }
  return [...groups.values()].filter((group) => group.length > 1);
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
      const enrolled = parseTime(device.enrolledAt);
      const heard = parseTime(device.lastSeenAt) ?? Number.NEGATIVE_INFINITY;
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
  const heard = devices.filter((device) => !isOlderThan(parseTime(device.lastSeenAt), moment, staleAfterDays));
  return heard.length > 1 && heard.some((device) => parseTime(device.enrolledAt) === undefined);
}

function findNewest(records: readonly Enrolment[]): Enrolment | undefined {
  let newest: Enrolment | undefined;
  for (const record of records) {
    if (newest === undefined || compareEnrolments(record, newest) > 0) {
      newest = record;
    }
  }
  return newest;
}

function compareEnrolments(left: Enrolment, right: Enrolment): number {
  return compareRecords(
    { source: left.source, id: left.facts.id, age: readRecordAge(left.facts, left.judgement.rules) },
    { source: right.source, id: right.facts.id, age: readRecordAge(right.facts, right.judgement.rules) },
  );
}

interface RecordAge {
  readonly source: string;
  readonly id: string;
  /** `readRecordAge` of the record. */
  readonly age: number;
}

/** The newest is last: age date decides, then the higher id, then the source, as two servers can have equal ids. */
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
