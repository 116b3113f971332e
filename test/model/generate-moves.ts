/** How records of a random history come to be of another source, number or id. */
import { type Fleet, findDraws, hasReports, makeFleetRecord, refreshDates } from './generate-records.ts';
import type { FleetRecord } from './kind.ts';
import { findKindOf } from './kinds.ts';
import type { Random } from './random.ts';
import { day } from './rows.ts';

/** Under a new id, seldom in another source; the old record goes, falls silent, or is still heard from. */
export function enrolAgain(random: Random, fleet: Fleet, old: FleetRecord, moment: number): void {
  const source = random.chance(0.7) ? old.source : random.pick(fleet.sources);
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
export function enrolTwin(
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

export function removeRecord(fleet: Fleet, record: FleetRecord): void {
  fleet.records = fleet.records.filter((other) => other !== record);
  fleet.gone.push(record);
}

/** Sometimes as it was, sometimes heard from again. */
export function comeBack(random: Random, fleet: Fleet, moment: number): void {
  const record = random.pick(fleet.gone);
  fleet.gone = fleet.gone.filter((other) => other !== record);
  if (!fleet.records.some(({ source, id }) => source === record.source && id === record.id)) {
    fleet.records.push(record);
    refreshDates(random, record, moment);
  }
}

/** A whole server: each run some of its devices are listed by the other, too, and later only there. */
export function migrate(random: Random, fleet: Fleet, moment: number): void {
  const [from, to] = [random.pick(fleet.sources), random.pick(fleet.sources)];
  if (fleet.migration === undefined && from !== to && findKindOf(from) === findKindOf(to) && random.chance(0.15)) {
    fleet.migration = { from, to };
  }
  const { migration } = fleet;
  if (migration === undefined) {
    return;
  }
  for (const old of fleet.records.filter(({ source }) => source === migration.from)) {
    const isListedThere = fleet.records.some(
      ({ source, serialNumber }) => source === migration.to && serialNumber === old.serialNumber,
    );
    if (isListedThere && random.chance(0.5)) {
      removeRecord(fleet, old);
    } else if (!isListedThere && random.chance(0.5)) {
      enrolElsewhere(random, fleet, old, migration.to, moment);
    }
  }
  fleet.migration = random.chance(0.1) ? undefined : migration;
}

/** As it was there, under a new id. */
function enrolElsewhere(random: Random, fleet: Fleet, old: FleetRecord, source: string, moment: number): void {
  const record = makeFleetRecord(random, fleet, source, moment, old.serialNumber);
  const seen = moment - random.pick([0.01, 0.2, 1, 2]) * day;
  fleet.records.push({
    ...old,
    ...{ source, id: record.id, seen, reported: hasReports(source) ? seen : undefined },
    enrolled: random.pick([record.enrolled, seen]),
    answers: old.answers.map((answer) => (hasReports(source) ? { ...answer, at: seen } : answer)),
  });
}

/** Numbers that are swapped, corrected, or typed like another's. */
export function mixNumbers(random: Random, fleet: Fleet): void {
  if (fleet.records.length < 2 || !random.chance(0.2)) {
    return;
  }
  const [one, other] = [random.pick(fleet.records), random.pick(fleet.records)];
  const { serialNumber } = one;
  one.serialNumber = random.pick([other.serialNumber, other.serialNumber, `C02M${one.id}X`, 'Default string']);
  if (random.chance(0.5)) {
    other.serialNumber = serialNumber;
  }
}
