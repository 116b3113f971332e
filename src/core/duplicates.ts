/** Which records are the same machine: by real serial number, unless the records that share it live at once. */
import { isOlderThan, parseTime, readAgeTime } from './ages.ts';
import { millisecondsPerDay } from './calendar.ts';
import type { DeviceFacts } from './facts.ts';
import { compareCodePoints, compareIds } from './order.ts';
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
      if (newest !== undefined && newest !== record && compareAge(newest, record) > 0) {
        supersededBy.set(record, newest);
      }
    }
  }
  return { supersededBy, shared };
}

/** Only machines with more than one record. */
function groupByMachine<T extends Enrolment>(records: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const record of records) {
    const key = toMachineKey(record.facts);
    if (key === undefined) {
      continue;
    }
    const group = groups.get(key);
    if (group) {
      group.push(record);
    } else {
      groups.set(key, [record]);
    }
  }
  for (const [key, group] of groups) {
    if (group.length < 2) {
      groups.delete(key);
    }
  }
  return groups;
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
  const heard = devices.filter(({ lastSeenAt }) => !isOlderThan(parseTime(lastSeenAt), moment, staleAfterDays));
  return heard.length > 1 && heard.some(({ enrolledAt }) => parseTime(enrolledAt) === undefined);
}

function findNewest<T extends Enrolment>(records: readonly T[]): T | undefined {
  let newest: T | undefined;
  for (const record of records) {
    if (newest === undefined || compareAge(record, newest) > 0) {
      newest = record;
    }
  }
  return newest;
}

/** By age date, then by higher id, then by source so that two servers' equal ids still have an order. */
function compareAge(left: Enrolment, right: Enrolment): number {
  const difference = readRecordAge(left) - readRecordAge(right);
  if (difference !== 0) {
    return difference;
  }
  return compareIds(left.facts.id, right.facts.id) || compareCodePoints(left.source, right.source);
}

function readRecordAge({ facts, rules }: Enrolment): number {
  return readAgeTime(facts, rules) ?? -Number.MAX_VALUE;
}
