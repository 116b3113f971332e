/** The machines of a random history: records that come, go, answer, fall silent, and enrol again. */

import { omitUndefined } from '../../src/base/omit-undefined.ts';
import type { Answer, DeviceFacts } from '../../src/core/facts/facts.ts';
import { type FleetRecord, type KindModel, pickDate } from './kind.ts';
import { findKindModel, findKindOf } from './kinds.ts';
import type { Random } from './random.ts';
import { compareText, day } from './rows.ts';

export interface Fleet {
  sources: readonly string[];
  records: FleetRecord[];
  /** Records that are gone, and may come back under their ids. */
  gone: FleetRecord[];
  lastId: number;
}

const serials = ['C02AAA1', 'C02BBB2', 'C02CCC3', 'PF0DDD4', 'PF0EEE5', 'PF0FFF6', 'PF0GGG7', 'HJK08'];
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

export function makeFleet(random: Random, sources: readonly string[], moment: number): Fleet {
  const fleet: Fleet = { sources, records: [], gone: [], lastId: random.pick([7, 97]) };
  for (let count = random.pick([0, 3, 6, 8, 8, 10, 12]); count > 0; count -= 1) {
    fleet.records.push(makeFleetRecord(random, fleet, random.pick(sources), moment));
  }
  return fleet;
}

function findDraws(source: string): KindModel['draws'] {
  return findKindModel(findKindOf(source)).draws;
}

/** Whether a device's record has the date of its last report, which is its answer's. */
function hasReports(source: string): boolean {
  return findKindModel(findKindOf(source)).ageDates.includes('reportedAt');
}

function makeFleetRecord(random: Random, fleet: Fleet, source: string, moment: number, serial?: string): FleetRecord {
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

function refreshDates(random: Random, record: FleetRecord, moment: number): void {
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

function refreshAnswers(random: Random, record: FleetRecord, moment: number): void {
  record.answers = findDraws(record.source).answers(random, record, moment);
}

/** A day in the life of the fleet: mostly quiet, now and then a flood of one kind. */
export function liveOneNight(random: Random, fleet: Fleet, moment: number): void {
  const flood = random.chance(0.15)
    ? random.pick(['vanish', 'unmanaged', 'flip', 'personal', 'serial', 'enrol'] as const)
    : undefined;
  const flooded = random.pick(fleet.sources);
  for (const record of [...fleet.records]) {
    const happens = (kind: typeof flood, usually: number) =>
      random.chance(flood === kind && record.source === flooded ? 0.6 : usually);
    refreshDates(random, record, moment);
    if (happens('flip', 0.12)) {
      refreshAnswers(random, record, moment);
    } else if (hasReports(record.source)) {
      record.answers = record.answers.map((answer) => ({ ...answer, at: record.reported }));
    }
    if (happens('unmanaged', 0.04)) {
      const draws = findDraws(record.source);
      record.managementState = flood === 'unmanaged' ? draws.unmanaged : draws.management(random);
    }
    if (happens('personal', 0.02) && record.ownership !== undefined) {
      record.ownership = random.pick(['personal', 'company']);
    }
    if (happens('serial', 0.02)) {
      record.serialNumber = random.pick(serials);
    }
    if (happens('enrol', 0.05)) {
      enrolAgain(random, fleet, record, moment);
    }
    if (random.chance(0.03)) {
      enrolTwin(random, fleet, record, moment);
    }
    if (happens('vanish', 0.04)) {
      removeRecord(fleet, record);
    }
  }
  if (fleet.gone.length > 0 && random.chance(0.15)) {
    comeBack(random, fleet, moment);
  }
  if (random.chance(0.25)) {
    fleet.records.push(makeFleetRecord(random, fleet, random.pick(fleet.sources), moment));
  }
}

/** Under a new id, seldom in another source; the old record goes, falls silent, or is still heard from. */
function enrolAgain(random: Random, fleet: Fleet, old: FleetRecord, moment: number): void {
  const source = random.chance(0.8) ? old.source : random.pick(fleet.sources);
  const record = makeFleetRecord(random, fleet, source, moment, old.serialNumber);
  if (random.chance(0.7)) {
    record.enrolled = moment - random.pick([0.02, 0.4, 3]) * day - fleet.lastId;
    record.seen = moment - 0.01 * day;
    record.reported = hasReports(source) ? moment - 0.01 * day : undefined;
    record.managementState = 'managed';
  }
  if (random.chance(0.2) && findKindOf(source) === findKindOf(old.source)) {
    record.answers = old.answers.map((answer) => (hasReports(source) ? { ...answer, at: record.reported } : answer));
  }
  fleet.records.push(record);
  const fate = random.pick(['gone', 'gone', 'silent', 'heard from']);
  if (fate === 'gone') {
    removeRecord(fleet, old);
  } else if (fate === 'silent') {
    old.seen = moment - 1.5 * day;
    old.reported = hasReports(old.source) ? old.seen : undefined;
  } else if (record.enrolled !== undefined && random.chance(0.5)) {
    old.seen = record.enrolled + 7 * day + random.pick([0, 1]);
  }
}

/** In a source of another kind, which lists the same machine. */
function enrolTwin(
  random: Random,
  fleet: Fleet,
  { source, operatingSystem, serialNumber }: FleetRecord,
  moment: number,
) {
  const others = fleet.sources.filter(
    (other) => findKindOf(other) !== findKindOf(source) && findDraws(other).operatingSystems.includes(operatingSystem),
  );
  if (others.length > 0) {
    fleet.records.push({
      ...makeFleetRecord(random, fleet, random.pick(others), moment, serialNumber),
      operatingSystem,
    });
  }
}

function removeRecord(fleet: Fleet, record: FleetRecord): void {
  fleet.records = fleet.records.filter((other) => other !== record);
  fleet.gone.push(record);
}

/** Sometimes as it was, sometimes heard from again. */
function comeBack(random: Random, fleet: Fleet, moment: number): void {
  const record = random.pick(fleet.gone);
  fleet.gone = fleet.gone.filter((other) => other !== record);
  if (!fleet.records.some(({ source, id }) => source === record.source && id === record.id)) {
    fleet.records.push(record);
    refreshDates(random, record, moment);
  }
}

export function listDevices(fleet: Fleet, source: string): DeviceFacts[] {
  return fleet.records
    .filter((record) => record.source === source)
    .map(showRecord)
    .sort((left, right) => compareText(left.id, right.id));
}

function showRecord(record: FleetRecord): DeviceFacts {
  const { source, seen, reported, enrolled, answers, ...facts } = record;
  return omitUndefined({
    ...facts,
    lastSeenAt: showDate(seen),
    reportedAt: showDate(reported),
    enrolledAt: showDate(enrolled),
    answers: answers.map(({ at, ...answer }): Answer => omitUndefined({ ...answer, at: showDate(at) })),
  });
}

function showDate(time: number | undefined): string | undefined {
  return time === undefined ? undefined : new Date(Math.round(time)).toISOString();
}
