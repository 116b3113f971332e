/** The records of a random history, and how their dates and answers are drawn. */
import { type FleetRecord, type KindModel, pickDate } from './kind.ts';
import { findKindModel, findKindOf } from './kinds.ts';
import type { Random } from './random.ts';
import { day } from './rows.ts';

export interface Fleet {
  sources: readonly string[];
  records: FleetRecord[];
  /** Records that are gone, and may come back under their ids. */
  gone: FleetRecord[];
  lastId: number;
  /** All devices of one source move to another over some runs. */
  migration?: { from: string; to: string } | undefined;
}

export const serials = ['C02AAA1', 'C02BBB2', 'C02CCC3', 'PF0DDD4', 'PF0EEE5', 'PF0FFF6', 'PF0GGG7', 'HJK08'];
const spellings = ['c02aaa1', ' C02-AAA1 ', 'pf0ddd4'];
const unreal = [
  '',
  'S1',
  'Default string',
  'Defaultstring',
  'System Serial Number',
  'XXXXXXXX',
  '00000000',
  '123456789',
  '23456789',
  '7777777',
  'AAAAAAA',
  'ABCDEFGH',
];
const people = ['ada', 'bob', 'cyd', '__proto__'];

export function findDraws(source: string): KindModel['draws'] {
  return findKindModel(findKindOf(source)).draws;
}

/** Whether a device's record has the date of its last report, which is its answer's. */
export function hasReports(source: string): boolean {
  return findKindModel(findKindOf(source)).ageDates.includes('reportedAt');
}

export function makeFleetRecord(
  random: Random,
  fleet: Fleet,
  source: string,
  moment: number,
  serial?: string,
): FleetRecord {
  fleet.lastId += 1;
  const draws = findDraws(source);
  const record: FleetRecord = {
    source,
    operatingSystem: random.pick(draws.operatingSystems),
    id: random.chance(0.02) ? random.pick(['__proto__', 'constructor']) : String(fleet.lastId),
    name: random.chance(0.95)
      ? random.pick(['desk', 'lab', `name-${fleet.lastId}`, `name-${fleet.lastId}`])
      : undefined,
    serialNumber: serial ?? pickSerial(random, fleet),
    user: random.pick([...people, undefined]),
    managementState: draws.management(random),
    ...draws.ownFields(random),
    seen: moment - 0.5 * day,
    reported: undefined,
    // No two records are enrolled in the same millisecond.
    enrolled: pickEnrolment(random, moment, fleet.lastId),
    answers: [],
    isUnsteady: random.chance(0.1),
  };
  if (fleet.records.some((other) => other.source === record.source && other.id === record.id)) {
    record.id = String(fleet.lastId);
  }
  refreshDates(random, record, moment);
  refreshAnswers(random, record, moment);
  return record;
}

function pickSerial(random: Random, { lastId }: Fleet): string | undefined {
  if (random.chance(0.55)) {
    return `C02M${lastId}X`;
  }
  const kind = random.next();
  return kind < 0.6 ? random.pick(serials) : random.pick(kind < 0.75 ? spellings : [...unreal, undefined]);
}

function pickEnrolment(random: Random, moment: number, id: number): number | undefined {
  const ago = random.pick([0.01, 0.5, 3, 6.5, 7, 7.5, 20, 100, 100, 300]);
  if (random.chance(0.12)) {
    return random.pick([undefined, undefined, id, moment + 0.05 * day - id, moment + 400 * day - id]);
  }
  return moment - ago * day - id;
}

export function refreshDates(random: Random, record: FleetRecord, moment: number): void {
  if (random.chance(0.75)) {
    record.seen = random.chance(0.6) ? moment - 0.2 * day : pickDate(random, moment);
  } else if (random.chance(0.05)) {
    record.seen = undefined;
  }
  if (hasReports(record.source) && random.chance(0.75)) {
    record.reported = random.chance(0.6) ? moment - 0.3 * day : pickDate(random, moment);
    if (random.chance(0.04)) {
      record.reported = undefined;
    }
  }
}

export function refreshAnswers(random: Random, record: FleetRecord, moment: number): void {
  const { answers } = findDraws(record.source);
  const [before] = record.answers;
  record.answers = answers(random, record, moment);
  for (let tries = 5; tries > 0 && record.isUnsteady && record.answers[0]?.value === before?.value; tries -= 1) {
    record.answers = answers(random, record, moment);
  }
}
