/** The rows of a list as machines: which one each row is about, and which rows say nothing. */

import { readRealSerialNumber } from '../device/serial-numbers.ts';
import { isCalendarDate, millisecondsPerDay } from '../facts/calendar.ts';
import type { ExpectedRow, JudgedList, ListFacts, ReportingRow } from '../facts/lists.ts';

/** What is known of each machine; undefined where its rows cannot be read, or several machines have its name. */
export interface ListIndex<Entry> extends Pick<JudgedList, 'ignored' | 'doubled'> {
  /** The keys are folded serial numbers. */
  readonly bySerial: ReadonlyMap<string, Entry | undefined>;
  /** Machines without one; the keys are folded names. */
  readonly byName: ReadonlyMap<string, Entry | undefined>;
}

export interface ExpectedMachine {
  readonly row: ExpectedRow;
  readonly file: string;
  readonly isExpired: boolean;
}

/** A list does not say which operating system a machine has. */
export function readListSerial({ serialNumber = '' }: { readonly serialNumber?: string }): string | undefined {
  return readRealSerialNumber({ serialNumber, operatingSystem: '' });
}

export function foldName({ name = '' }: { readonly name?: string }): string | undefined {
  return name.normalize('NFKC').trim().toLowerCase() || undefined;
}

/** The first row of a machine counts. One whose `until` is no date says nothing. */
export function indexExpectedRows({ rows, files }: ListFacts<ExpectedRow>, slot: string): ListIndex<ExpectedMachine> {
  const fileOfRow = files.flatMap((file) => (file.problem ? [] : Array<string>(file.rows).fill(file.name)));
  const read = (row: ExpectedRow, index: number): ExpectedMachine | undefined => {
    const until = row.until?.trim().slice(0, 10) || slot;
    return isCalendarDate(until) ? { row, file: fileOfRow[index] ?? '', isExpired: slot > until } : undefined;
  };
  return indexRows(rows, read, (first) => first);
}

/** The values are when the console saw a machine last. */
export function indexReportingRows({ rows, readAt }: ListFacts<ReportingRow>): ListIndex<number> {
  return indexRows(rows, (row) => readSeenAt(row.seen_at, readAt), Math.max);
}

function indexRows<Row extends ReportingRow, Entry>(
  rows: readonly Row[],
  read: (row: Row, index: number) => Entry | undefined,
  choose: (first: Entry, next: Entry) => Entry,
): ListIndex<Entry> {
  const bySerial = new Map<string, Entry | undefined>();
  const byName = new Map<string, Entry | undefined>();
  const ignored = { machine: 0, date: 0 };
  let doubled = 0;
  for (const [index, row] of rows.entries()) {
    const serial = readListSerial({ serialNumber: row.serial ?? '' });
    const key = serial ?? foldName({ name: row.name ?? '' });
    const machines = serial === undefined ? byName : bySerial;
    const entry = read(row, index);
    if (key === undefined) {
      ignored.machine += 1;
      continue;
    }
    ignored.date += Number(entry === undefined);
    doubled += Number(entry !== undefined && machines.has(key));
    const known = machines.get(key);
    const isAmbiguous = serial === undefined && machines.has(key);
    const joined = known !== undefined && entry !== undefined ? choose(known, entry) : (known ?? entry);
    if (known === undefined) {
      // Its place in the list is that of its first row that can be read.
      machines.delete(key);
    }
    machines.set(key, isAmbiguous ? undefined : joined);
  }
  return { bySerial, byName, ignored, doubled };
}

const timeForm = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?) ?(Z|UTC|[+-]\d{2}:?\d{2})?)?$/;

/**
 * ISO 8601, in UTC where no zone is named, or seconds or milliseconds since 1970. Other forms can be read in two ways. A
 * time more than a day after the list was read is not known.
 */
function readSeenAt(text = '', readAt: string): number | undefined {
  const value = text.trim();
  const [, date = '', clock = '00:00', zone = 'Z'] = timeForm.exec(value) ?? [];
  const offset = zone === 'UTC' ? 'Z' : zone.replace(/(\d{2}):?(\d{2})$/, '$1:$2');
  const iso = isCalendarDate(date) ? Date.parse(`${date}T${clock}${offset}`) : Number.NaN;
  const time = /^\d{10}(\d{3})?$/.test(value) ? Number(value.padEnd(13, '0')) : iso;
  return time <= Date.parse(readAt) + millisecondsPerDay ? time : undefined;
}
