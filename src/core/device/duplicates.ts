/** Which records are the same machine: by real serial number, unless the records that share it live at once. */

import { millisecondsPerDay, parseTime } from '../facts/calendar.ts';
import type { DeviceFacts } from '../facts/facts.ts';
import type { DeviceReference, DeviceStanding, JudgedDevice } from '../facts/judged.ts';
import type { SourceRules } from '../facts/rules.ts';
import { compareCodePoints, compareIds } from '../text/order.ts';
import { isOlderThan, readAgeTime } from './ages.ts';
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
    const newest = group.filter(canReplace).toSorted(compareEnrolments).at(-1);
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
  const groups = Map.groupBy(records, ({ facts }) => toMachineKey(facts));
  groups.delete(undefined);
  return [...groups.values()].filter((group) => group.length > 1);
}

/** An unmanaged or retiring record never takes the place of another. */
function canReplace({ judgement: { excludedBecause } }: Enrolment): boolean {
  return excludedBecause !== 'unmanaged' && excludedBecause !== 'retiring';
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

function compareEnrolments(left: Enrolment, right: Enrolment): number {
  return compareRecords(toDatedRecord(left, left.judgement.rules), toDatedRecord(right, right.judgement.rules));
}

/** A record of a device, with what says whether it is newer than another. */
export interface DatedRecord extends DeviceReference {
  /** A record of unknown age is older than any. */
  readonly age: number;
}

export function toDatedRecord(
  { source, facts }: Pick<JudgedDevice, 'source' | 'facts'>,
  rules: SourceRules,
): DatedRecord {
  return { source, id: facts.id, age: readAgeTime(facts, rules) ?? -Number.MAX_VALUE };
}

/** The newest is last: age date decides, then the higher id, then the source, as two servers can have equal ids. */
export function compareRecords(left: DatedRecord, right: DatedRecord): number {
  return left.age - right.age || compareIds(left.id, right.id) || compareCodePoints(left.source, right.source);
}
