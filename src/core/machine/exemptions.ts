/** Exemptions: the devices that a person has exempted, until when, and the rows of the file that have no effect. */

import type { ExemptionRow } from '../facts/company.ts';
import type { JudgedExemption } from '../facts/judged.ts';
import type { ExemptionResult } from '../facts/vocabulary.ts';
import type { JudgedRecord } from '../record/judge-record.ts';
import { countDaysBetween } from '../time/calendar.ts';
import { findDateProblem, readDay } from '../time/written-dates.ts';
import { foldSerialNumber } from './serial-numbers.ts';

const exemptionMatches: readonly string[] = ['serial', 'device_id', 'device_name', 'user'];

/** Fields that are easily changed on the machine itself, so that such a row must name a source. */
const changeableMatches = new Set(['device_name', 'user']);
const expiryWarningDays = 14;

/** Judges the rows. `standing` are the machines' standing records; those excluded for a reason of their own are skipped. */
export function judgeExemptions(
  rows: readonly ExemptionRow[],
  standing: readonly JudgedRecord[],
  slot: string,
): { readonly rows: readonly JudgedExemption[]; readonly exempted: ReadonlySet<JudgedRecord> } {
  const index = indexRecords(
    rows,
    standing.filter(({ exclusion }) => exclusion === undefined),
  );
  const exempted = new Set<JudgedRecord>();
  const judged = rows.map((written): JudgedExemption => {
    if (findExemptionProblem(written) !== undefined) {
      return { ...written, devices: 0, result: 'invalid' };
    }
    const row = { ...written, expires: readDay(written.expires) ?? '' };
    const fits = findMatchingRecords(row, index);
    const result = decideExemptionResult(row, fits.length, slot);
    if (result === 'active' || result === 'expiring') {
      for (const record of fits) {
        exempted.add(record);
      }
    }
    return { ...row, devices: fits.length, result };
  });
  return { rows: judged, exempted };
}

/** The reason why a run must ignore this row, or undefined. */
export function findExemptionProblem(row: ExemptionRow): string | undefined {
  if (row.problem !== undefined) {
    return row.problem;
  }
  if (!exemptionMatches.includes(row.match)) {
    return `match is "${row.match}"; it must be one of ${exemptionMatches.join(', ')}`;
  }
  if (row.value === '') {
    return 'value is empty';
  }
  if (row.source === '' && changeableMatches.has(row.match)) {
    return `source is empty, which ${row.match} does not allow: it can be changed on the machine itself`;
  }
  const empty = (['owner', 'reason'] as const).find((field) => row[field] === '');
  if (empty !== undefined) {
    return `${empty} is empty`;
  }
  return findDateProblem('expires', row.expires);
}

/** The result of a row, which holds through its day. A row that fits several devices by a changeable field exempts none. */
function decideExemptionResult(row: ExemptionRow, fits: number, slot: string): ExemptionResult {
  if (slot > row.expires) {
    return 'expired';
  }
  if (fits === 0) {
    return 'unmatched';
  }
  if (fits > 1 && changeableMatches.has(row.match)) {
    return 'ambiguous';
  }
  return countDaysBetween(slot, row.expires) <= expiryWarningDays ? 'expiring' : 'active';
}

/** Maps what a row asks for to the records that fit. */
type RecordIndex = Map<string, JudgedRecord[]>;

/** Indexes records by the rows' fields alone; a serial number without a letter or digit fits no device. */
function indexRecords(rows: readonly ExemptionRow[], records: readonly JudgedRecord[]): RecordIndex {
  const index: RecordIndex = new Map(rows.map(({ match, value }) => [toIndexKey(match, value), []]));
  index.delete(toIndexKey('serial', ''));
  for (const record of index.size === 0 ? [] : records) {
    const { serialNumber, id, name, user } = record.facts;
    for (const [match, value] of Object.entries({ serial: serialNumber, device_id: id, device_name: name, user })) {
      index.get(toIndexKey(match, value ?? ''))?.push(record);
    }
  }
  return index;
}

function toIndexKey(match: string, value: string): string {
  return `${match}\u0000${match === 'serial' ? foldSerialNumber(value) : value}`;
}

function findMatchingRecords({ match, value, source }: ExemptionRow, index: RecordIndex): readonly JudgedRecord[] {
  const fits = index.get(toIndexKey(match, value)) ?? [];
  return source === '' ? fits : fits.filter((record) => record.source === source);
}
