/**
 * Which records are the same machine: by real serial number, unless records of one kind that share it live at once. Two
 * kinds of sources may well know one machine at once.
 */

import { millisecondsPerDay, parseTime } from '../facts/calendar.ts';
import type { DeviceFacts, SourceKindName } from '../facts/facts.ts';
import type { DeviceReference, DeviceStanding, JudgedDevice } from '../facts/judged.ts';
import type { SourceRules } from '../facts/rules.ts';
import { compareCodePoints, compareIds } from '../text/order.ts';
import { isOlderThan, readAgeTime } from './ages.ts';
import type { JudgedAnswer } from './judge-device.ts';
import { readRealSerialNumber } from './serial-numbers.ts';

/** One machine with one operating system, wherever it is enrolled; undefined without a real serial number. */
export function toMachineKey(device: Pick<DeviceFacts, 'operatingSystem' | 'serialNumber'>): string | undefined {
  const serial = readRealSerialNumber(device);
  return serial === undefined ? undefined : `${device.operatingSystem}\u0000${serial}`;
}

type Enrolment = JudgedDevice<DeviceStanding>;

export interface Duplicates {
  /** The record that takes a record's place: a newer one of its kind, or the one that is counted of several kinds. */
  readonly supersededBy: ReadonlyMap<Enrolment, Enrolment>;
  /** Records that share a serial number and are several machines, a list for each serial number. */
  readonly shared: readonly (readonly Enrolment[])[];
  /** Records of one machine that say the contrary of each other with proof; the first is counted. */
  readonly contradicted: readonly (readonly Enrolment[])[];
}

/** A record that no source lists any more; it is never counted, but it may have lived beside another. */
export interface GoneRecord {
  readonly kind: SourceKindName;
  readonly facts: DeviceFacts;
}

interface DuplicateContext {
  readonly moment: string;
  readonly staleAfterDays: number;
  readonly gone: readonly GoneRecord[];
  readonly judgeAlone: (record: Enrolment) => Pick<JudgedAnswer, 'status' | 'proven'>;
}

/** `records` are judged by their own facts alone so far. */
export function findDuplicates(records: readonly Enrolment[], context: DuplicateContext): Duplicates {
  const supersededBy = new Map<Enrolment, Enrolment>();
  const shared: (readonly Enrolment[])[] = [];
  const contradicted: (readonly Enrolment[])[] = [];
  const gone = Map.groupBy(context.gone, ({ facts }) => toMachineKey(facts));
  const machines = Map.groupBy(records, ({ facts }) => toMachineKey(facts));
  machines.delete(undefined);
  for (const [machine, group] of [...machines].filter(([, own]) => own.length > 1)) {
    const kinds = Map.groupBy(group, ({ judgement }) => judgement.rules.kind);
    const left = Map.groupBy(gone.get(machine) ?? [], ({ kind }) => kind);
    const isShared = (kind: SourceKindName) => {
      const devices = (kinds.get(kind) ?? []).map(({ facts }) => facts);
      const departed = (left.get(kind) ?? []).map(({ facts }) => facts);
      return haveLivedAtOnce([...devices, ...departed]) || areHeardFromUndated(devices, context);
    };
    // Also kinds of which no source lists a record any more: what shared the number there may be what others list now.
    const ofSeveral = new Set([...kinds.keys(), ...left.keys()].filter(isShared));
    for (const [kind, ofKind] of kinds) {
      if (ofSeveral.has(kind)) {
        shared.push(...(ofKind.length > 1 ? [ofKind] : []));
        continue;
      }
      const newest = ofKind.filter(canReplace).toSorted(compareEnrolments).at(-1);
      for (const record of ofKind) {
        if (newest !== undefined && compareEnrolments(newest, record) > 0) {
          supersededBy.set(record, newest);
        }
      }
    }
    const isSeenByKinds = ofSeveral.size === 0 && kinds.size > 1;
    const remaining = isSeenByKinds ? group.filter((record) => !supersededBy.has(record)) : [];
    const [counted, ...others] = rankKinds(remaining, context);
    if (counted !== undefined) {
      for (const other of others) {
        supersededBy.set(other, counted);
      }
      const contrary = others.filter((other) => isContrary(other, counted, context));
      contradicted.push(...(contrary.length > 0 ? [[counted, ...contrary]] : []));
    }
  }
  return { supersededBy, shared, contradicted };
}

/** Those that would be counted, each the only one of its kind: the one that can be proven is first, then the newer. */
function rankKinds(records: readonly Enrolment[], { judgeAlone }: DuplicateContext): Enrolment[] {
  const isProven = (record: Enrolment) => Number(judgeAlone(record).proven);
  return records
    .filter(({ judgement }) => judgement.counted)
    .sort((left, right) => isProven(right) - isProven(left) || compareEnrolments(right, left));
}

function isContrary(other: Enrolment, counted: Enrolment, { judgeAlone }: DuplicateContext): boolean {
  const { status, proven } = judgeAlone(other);
  return proven && status !== judgeAlone(counted).status;
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
function areHeardFromUndated(devices: readonly DeviceFacts[], { moment, staleAfterDays }: DuplicateContext): boolean {
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
