/** The rows of a list as machines: the machine of each row, the rows without effect, and the statements about a device. */

import type { DeviceFacts, Facts } from '../facts/facts.ts';
import type { JudgedDevice } from '../facts/judged.ts';
import type { DeviceLists, JudgedList, ListFacts, ListRow } from '../facts/lists.ts';
import type { SourceRules } from '../facts/rules.ts';
import { readRealSerialNumber } from '../machine/serial-numbers.ts';
import { millisecondsPerDay } from '../time/calendar.ts';
import { findDateProblem, readDay, readTime } from '../time/written-dates.ts';

/** The statement about each machine; undefined where its rows cannot be read, or several machines have its name. */
export interface ListIndex<Entry> extends Pick<JudgedList, 'ignored'> {
  readonly list: ListFacts;
  /** Keyed by folded serial number. */
  readonly bySerial: ReadonlyMap<string, Entry | undefined>;
  /** Machines without a serial number, keyed by folded name. */
  readonly byName: ReadonlyMap<string, Entry | undefined>;
}

export interface ExpectedMachine {
  readonly row: ListRow;
  readonly file: string;
  readonly isExpected: boolean;
}

/** The folded serial number of a row, without the placeholders of any operating system, which a list does not name. */
export function readListSerial({
  serialNumber = '',
}: {
  readonly serialNumber?: string | undefined;
}): string | undefined {
  return readRealSerialNumber({ serialNumber, operatingSystem: '' });
}

function foldName({ name = '' }: { readonly name?: string }): string | undefined {
  return name.normalize('NFKC').trim().toLowerCase() || undefined;
}

/** Indexes the expected machines; the first row of a machine counts, and a row whose `until` is no date is ignored. */
export function indexExpectedRows(list: ListFacts, slot: string): ListIndex<ExpectedMachine> {
  const fileOfRow = list.files.flatMap((file) => Array<string>(file.rows).fill(file.name));
  const read = (row: ListRow, index: number): ExpectedMachine | undefined => {
    const until = readDay(row.until?.trim() || slot);
    return until === undefined ? undefined : { row, file: fileOfRow[index] ?? '', isExpected: slot <= until };
  };
  return indexRows(list, read, (first) => first);
}

/** Indexes the times at which the console last saw each machine, in milliseconds since 1970. */
export function indexReportingRows(list: ListFacts): ListIndex<number> {
  return indexRows(list, (row) => readSeenAt(row.seen_at, list.readAt), Math.max);
}

function indexRows<Entry>(
  list: ListFacts,
  read: (row: ListRow, index: number) => Entry | undefined,
  choose: (first: Entry, next: Entry) => Entry,
): ListIndex<Entry> {
  const keyed = list.rows.map((row, index) => {
    const serial = readListSerial({ serialNumber: row.serial });
    return { serial, name: foldName(row), entry: read(row, index) };
  });
  const named = keyed.filter(({ serial, name }) => (serial ?? name) !== undefined);
  const unread = named.filter(({ entry }) => entry === undefined);
  const bySerial = new Map<string, Entry | undefined>();
  const byName = new Map<string, Entry | undefined>();
  // Readable rows first: a machine keeps the place of its first readable row.
  for (const { serial, name = '', entry } of [...named.filter((row) => row.entry !== undefined), ...unread]) {
    if (serial === undefined) {
      byName.set(name, byName.has(name) ? undefined : entry);
    } else {
      const known = bySerial.get(serial);
      bySerial.set(serial, known !== undefined && entry !== undefined ? choose(known, entry) : (known ?? entry));
    }
  }
  return { list, bySerial, byName, ignored: { machine: list.rows.length - named.length, date: unread.length } };
}

/** The reason why a date of the row cannot be read, or undefined. A machine that the console never saw has no date. */
export function findListRowProblem({ until = '', seen_at = '' }: ListRow): string | undefined {
  if (seen_at === '' || readWrittenTime(seen_at) !== undefined) {
    return until === '' ? undefined : findDateProblem('until', until);
  }
  return findDateProblem('seen_at', seen_at) ?? `seen_at is "${seen_at}", which has no time of a day`;
}

/** Parses seconds or milliseconds since 1970, or a date. */
function readWrittenTime(text: string): number | undefined {
  return /^\d{10}(\d{3})?$/.test(text) ? Number(text.padEnd(13, '0')) : readTime(text);
}

/** Reads the time at which the console saw a machine; undefined if it is more than a day after the list was read. */
function readSeenAt(text = '', readAt: string): number | undefined {
  const time = readWrittenTime(text.trim());
  return time !== undefined && time <= Date.parse(readAt) + millisecondsPerDay ? time : undefined;
}

/** Undefined where its row cannot be read, or no serial number identifies the device. */
export function isExpected(facts: DeviceFacts, { bySerial }: ListIndex<ExpectedMachine>): boolean | undefined {
  const serial = readListSerial(facts) ?? '';
  if (bySerial.has(serial)) {
    return bySerial.get(serial)?.isExpected;
  }
  return readRealSerialNumber(facts) === undefined ? undefined : false;
}

/** The device with the places that its platform does not know, where its row names them. */
export function addListPlaces(
  facts: DeviceFacts,
  { bySerial }: ListIndex<ExpectedMachine>,
  { listPlaces }: Pick<SourceRules, 'listPlaces'>,
): DeviceFacts {
  const row = listPlaces.length === 0 ? undefined : bySerial.get(readListSerial(facts) ?? '')?.row;
  const named = listPlaces.flatMap((place) => {
    const name = row?.[place]?.trim();
    return name ? [[place, name] as const] : [];
  });
  return named.length === 0 ? facts : { ...facts, ...Object.fromEntries(named) };
}

/** Makes a function that says, by a sound list of that date, when the console saw a device, and if it is silent. */
export function createReportingReader(
  { bySerial, byName }: ListIndex<number>,
  date: string | undefined,
  devices: readonly JudgedDevice[],
  { moment, policy }: Pick<Facts, 'moment' | 'policy'>,
): (device: JudgedDevice) => Omit<DeviceLists, 'expected'> {
  const now = Date.parse(moment);
  const within = (policy.reportingWithinDays ?? 0) * millisecondsPerDay;
  // A list knows nothing about the days after it was written.
  const written = Math.min(now, Date.parse(date ?? moment));
  const keys = [
    { machines: bySerial, readKey: readRealSerialNumber },
    { machines: byName, readKey: foldName },
  ]
    .filter(({ machines }) => machines.size > 0)
    .map(({ machines, readKey }) => ({ readKey, machines: hideSharedKeys(machines, devices, readKey) }));
  return ({ facts, judgement: { status, counted } }) => {
    const isInstalled = counted && status === 'Installed';
    const found = keys.flatMap(({ machines, readKey }) => {
      const key = readKey(facts);
      return machines.has(key) ? [machines.get(key)] : [];
    });
    const times = found.filter((time) => time !== undefined);
    if (times.length === 0) {
      return isInstalled && found.length === 0 ? { silent: true } : {};
    }
    const seen = Math.max(...times);
    return {
      reportingAt: new Date(seen).toISOString(),
      ...(isInstalled && { silent: seen < written - within }),
      ...(counted && status === 'Not Installed' && seen >= now - within && { isContradicted: true }),
    };
  };
}

/** Hides the values of keys that several machines share, and of devices without a key. */
function hideSharedKeys(
  machines: ReadonlyMap<string | undefined, number | undefined>,
  devices: readonly JudgedDevice[],
  readKey: (facts: DeviceFacts) => string | undefined,
): ReadonlyMap<string | undefined, number | undefined> {
  const shown = new Map(machines).set(undefined, undefined);
  for (const [key, own] of Map.groupBy(devices, ({ facts }) => readKey(facts))) {
    if (machines.has(key) && new Set(own.map(({ machine }) => machine)).size > 1) {
      shown.set(key, undefined);
    }
  }
  return shown;
}
