/** Random lists of machines: right, half, doubled, stale, shrunk, in other spellings, and now and then none. */
import type { ListFacts, ListFile, ListRow, ListsFacts } from '../../src/core/facts/lists.ts';
import type { FleetRecord } from './kind.ts';
import type { Random } from './random.ts';
import { day } from './rows.ts';

const strangers = ['C02GONE1', 'c02-gone2', 'PF0GONE3', 'ABCDEFGH', 'Default string', '0000000', 'X1', ''];

export function makeLists(random: Random, records: readonly FleetRecord[], moment: number): ListsFacts | undefined {
  const lists: { -readonly [Name in keyof ListsFacts]: ListsFacts[Name] } = {};
  if (random.chance(0.7)) {
    lists.expected = makeList(random, moment, () => makeExpectedRow(random, records, moment));
  }
  if (random.chance(0.7)) {
    lists.reporting = makeList(random, moment, () => makeReportingRow(random, records, moment));
  }
  return random.chance(0.1) ? undefined : lists;
}

function makeList(random: Random, moment: number, makeRow: () => ListRow): ListFacts {
  const files: ListFile[] = [];
  const rows: ListRow[] = [];
  for (let count = random.pick([1, 1, 1, 2]); count > 0; count -= 1) {
    const own = Array.from({ length: random.pick([0, 1, 4, 8, 8, 12, 16]) }, makeRow);
    const date = new Date(moment + random.pick([-9, -6.5, -1, -1, -1, -1, 0, 0.5, 1.5]) * day).toISOString();
    const code = random.pick(['list-unreadable', 'list-incomplete']);
    const hasProblem = random.chance(0.05);
    files.push({
      name: `list-${count}.csv`,
      rows: hasProblem ? 0 : own.length,
      columns: ['serial'],
      maxAgeDays: 7,
      ...(random.chance(0.97) && { date }),
      ...(hasProblem && { problem: { code, message: 'It is not what it should be.' } }),
    });
    rows.push(...(hasProblem ? [] : own));
  }
  return { readAt: new Date(moment + random.pick([0, 0.1, 2]) * day).toISOString(), files, rows };
}

function pickSerial(random: Random, records: readonly FleetRecord[]): string {
  const serial = random.pick([...records.map(({ serialNumber }) => serialNumber), undefined]);
  const spelt = random.chance(0.2) ? ` ${serial?.toLowerCase() ?? ''}-` : serial;
  return random.chance(0.2) ? random.pick(strangers) : (spelt ?? '');
}

function makeExpectedRow(random: Random, records: readonly FleetRecord[], moment: number): ListRow {
  const until = new Date(moment + random.pick([-400, -1, 0, 30]) * day).toISOString().slice(0, 10);
  return {
    ...(random.chance(0.97) && { serial: pickSerial(random, records) }),
    ...(random.chance(0.3) && { until: random.chance(0.1) ? 'soon' : until }),
    ...(random.chance(0.4) && { site: random.pick(['Berlin', 'Paris', 'Wien']) }),
    ...(random.chance(0.3) && { department: random.pick(['Sales', 'Works council']) }),
    ...(random.chance(0.3) && { note: `note ${random.between(1, 99)}` }),
  };
}

function makeReportingRow(random: Random, records: readonly FleetRecord[], moment: number): ListRow {
  const time = moment - random.pick([0, 1, 1, 2, 6.99, 7, 7.01, 8, 20, -0.5, -1.5, -3]) * day;
  const seconds = Math.floor(time / 1000);
  const iso = new Date(time).toISOString();
  const forms = [
    iso,
    iso,
    iso,
    `${iso.slice(0, 10)} ${iso.slice(11, 16)}`,
    `${seconds}`,
    `${seconds}000`,
    iso.slice(0, 10),
  ];
  const name = random.pick([...records.map((record) => record.name), 'nobody']);
  const hasSerial = random.chance(0.7);
  return {
    ...(hasSerial && { serial: pickSerial(random, records) }),
    ...((!hasSerial || random.chance(0.3)) &&
      name !== undefined && { name: random.chance(0.2) ? ` ${name.toUpperCase()}` : name }),
    ...(random.chance(0.97) && { seen_at: random.chance(0.05) ? '02/03/2026' : random.pick(forms) }),
  };
}
