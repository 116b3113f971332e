/** The machines of a random history: records that come, go, answer, fall silent, and enrol again. */

import { omitUndefined } from '../../src/base/omit-undefined.ts';
import type { Answer, DeviceFacts } from '../../src/core/facts/facts.ts';
import { comeBack, enrolAgain, enrolTwin, migrate, mixNumbers, removeRecord } from './generate-moves.ts';
import {
  type Fleet,
  findDraws,
  hasReports,
  makeFleetRecord,
  refreshAnswers,
  refreshDates,
  serials,
} from './generate-records.ts';
import type { FleetRecord } from './kind.ts';
import { findKindModel, findKindOf } from './kinds.ts';
import type { Random } from './random.ts';
import { compareText } from './rows.ts';

export function makeFleet(random: Random, sources: readonly string[], moment: number): Fleet {
  const fleet: Fleet = { sources, records: [], gone: [], lastId: random.pick([7, 97]) };
  for (let count = random.pick([0, 3, 6, 8, 8, 10, 12]); count > 0; count -= 1) {
    fleet.records.push(makeFleetRecord(random, fleet, random.pick(sources), moment));
  }
  return fleet;
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
    if (happens('flip', record.isUnsteady ? 0.95 : 0.12)) {
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
    if (random.chance(0.05)) {
      enrolTwin(random, fleet, record, moment);
    }
    // A company of few devices stays one.
    if (happens('vanish', fleet.records.length > 14 ? 0.25 : 0.04)) {
      removeRecord(fleet, record);
    }
  }
  migrate(random, fleet, moment);
  mixNumbers(random, fleet);
  if (fleet.gone.length > 0 && random.chance(0.3)) {
    comeBack(random, fleet, moment);
  }
  if (random.chance(0.25)) {
    fleet.records.push(makeFleetRecord(random, fleet, random.pick(fleet.sources), moment));
  }
}

export function listDevices(fleet: Fleet, source: string): DeviceFacts[] {
  return fleet.records
    .filter((record) => record.source === source)
    .map(showRecord)
    .sort((left, right) => compareText(left.id, right.id));
}

function showRecord(record: FleetRecord): DeviceFacts {
  const { source, seen, reported, enrolled, answers, isUnsteady: _isUnsteady, ...facts } = record;
  return omitUndefined({
    ...facts,
    ...findPlaces(record),
    lastSeenAt: showDate(seen),
    reportedAt: showDate(reported),
    enrolledAt: showDate(enrolled),
    answers: answers.map(({ at, ...answer }): Answer => omitUndefined({ ...answer, at: showDate(at) })),
  });
}

/** The last character of its id says where a device is. */
function findPlaces({ source, id }: FleetRecord): Pick<DeviceFacts, 'site' | 'department' | 'category'> {
  const { knowsSites, knowsDepartments } = findKindModel(findKindOf(source));
  const pick = (...names: string[]) => names[(id.codePointAt(id.length - 1) ?? 0) % (names.length + 1)];
  return omitUndefined({
    site: knowsSites ? pick('Berlin', 'Oslo') : undefined,
    department: knowsDepartments ? pick('Sales', 'Board', 'Field') : undefined,
    category: knowsSites ? undefined : pick('Kiosk'),
  });
}

function showDate(time: number | undefined): string | undefined {
  return time === undefined ? undefined : new Date(Math.round(time)).toISOString();
}
