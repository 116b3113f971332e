/** Which records are one machine: folded serial numbers, records that live at once, and newer records. */
import type { DeviceFacts } from '../../src/core/facts/facts.ts';
import { findAgeDate } from './answers.ts';
import { findKindModel } from './kinds.ts';
import { day, readTime } from './rows.ts';

/** A record of a device, wherever it was seen; `isGone`: no source lists it tonight. */
export interface DeviceRecord {
  source: string;
  kind: string;
  facts: DeviceFacts;
  isGone?: boolean;
}

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

/** Those of the machine that a device belongs to; none where its serial number is not real. */
export function filterSameMachine<T extends { facts: DeviceFacts }>(records: readonly T[], device: DeviceFacts): T[] {
  const serial = readRealSerial(device);
  return serial === undefined
    ? []
    : records.filter(
        ({ facts }) => facts.operatingSystem === device.operatingSystem && readRealSerial(facts) === serial,
      );
}

/** Two kinds may know one machine at once; within a kind, records that live at once are several machines. */
export function isSharedSerial(records: readonly DeviceRecord[], moment: number, staleAfterDays: number): boolean {
  return records.some((one, index) =>
    records
      .slice(index + 1)
      .some((other) => other.kind === one.kind && livedAtOnce(one, other, moment, staleAfterDays)),
  );
}

/** The one enrolled earlier was heard from more than 7 days after the later one was enrolled. */
function livedAtOnce(one: DeviceRecord, other: DeviceRecord, moment: number, staleAfterDays: number): boolean {
  const enrolled = readTime(one.facts.enrolledAt);
  const otherEnrolled = readTime(other.facts.enrolledAt);
  if (enrolled === undefined || otherEnrolled === undefined) {
    if (one.isGone === true || other.isGone === true) {
      return false;
    }
    return [one, other].every(
      ({ facts }) => moment - (readTime(facts.lastSeenAt) ?? -Infinity) <= staleAfterDays * day,
    );
  }
  if (enrolled > otherEnrolled) {
    return livedAtOnce(other, one, moment, staleAfterDays);
  }
  return (readTime(one.facts.lastSeenAt) ?? -Infinity) > otherEnrolled + 7 * day;
}

/** A date more than a day after the source was read is not known, nor an enrolment in 1970. */
export function dropUnknownDates(device: DeviceFacts, readAt: number): DeviceFacts {
  const isAhead = (date: string | undefined) => (readTime(date) ?? readAt) > readAt + day;
  const known = { ...device };
  for (const field of ['lastSeenAt', 'reportedAt', 'enrolledAt'] as const) {
    if (isAhead(device[field])) {
      delete known[field];
    }
  }
  if (device.enrolledAt !== undefined && new Date(device.enrolledAt).getUTCFullYear() <= 1970) {
    delete known.enrolledAt;
  }
  const answers = device.answers.map((answer) => {
    const { at: _at, ...rest } = answer;
    return isAhead(answer.at) ? rest : answer;
  });
  return { ...known, answers };
}

/** By age date, then by higher id, then by source. */
export function isNewer(left: DeviceRecord, right: DeviceRecord): boolean {
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

export function isUnmanaged({ managementState }: DeviceFacts, kind: string): boolean {
  return findKindModel(kind).isUnmanaged(managementState);
}

export function isRetiring({ managementState }: DeviceFacts, kind: string): boolean {
  return findKindModel(kind).retiring.includes(managementState ?? '');
}

/** Two records of several machines. */
export function areSeveral<T extends DeviceRecord>(left: T, right: T, isShared: (record: T) => boolean): boolean {
  const isSame = left.source === right.source && left.facts.id === right.facts.id;
  const serial = readRealSerial(left.facts);
  const isOneMachine =
    serial !== undefined &&
    serial === readRealSerial(right.facts) &&
    left.facts.operatingSystem === right.facts.operatingSystem;
  return !isSame && (!isOneMachine || isShared(left) || isShared(right));
}
