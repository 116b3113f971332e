/**
 * Acknowledgements: devices that a person has confirmed to know about. They are left out of reminders until the date;
 * counts, status and columns stay as they are.
 */
import type { Acknowledgement, AcknowledgementRow } from '../facts/company.ts';
import type { DeviceFacts } from '../facts/facts.ts';
import type { JudgedAcknowledgement } from '../facts/judged.ts';
import type { JudgedRecord } from '../record/judge-record.ts';
import { findDateProblem, readDay } from '../time/written-dates.ts';
import { foldSerialNumber } from './serial-numbers.ts';

/** The reason why a run must ignore this row, or undefined. */
export function findAcknowledgementProblem(row: AcknowledgementRow): string | undefined {
  if (row.problem !== undefined) {
    return row.problem;
  }
  if (foldSerialNumber(row.serial) === '') {
    return 'serial is empty';
  }
  if (row.by === '') {
    return 'by is empty';
  }
  return findDateProblem('until', row.until);
}

/** Judges the rows; each holds through the day it names. `standing` are the machines' standing records. */
export function judgeAcknowledgements(
  rows: readonly AcknowledgementRow[],
  standing: readonly JudgedRecord[],
  slot: string,
): JudgedAcknowledgement[] {
  const listed = rows.length === 0 ? [] : standing.map(({ facts }) => foldSerialNumber(facts.serialNumber ?? ''));
  const bySerialNumber = Map.groupBy(listed, (serial) => serial);
  return rows.map((written) => {
    if (findAcknowledgementProblem(written) !== undefined) {
      return { ...written, devices: 0, result: 'invalid' };
    }
    const row = { ...written, until: readDay(written.until) ?? '' };
    const fits = bySerialNumber.get(foldSerialNumber(row.serial))?.length ?? 0;
    const result = slot > row.until ? 'expired' : fits === 0 ? 'unmatched' : 'active';
    return { ...row, devices: fits, result };
  });
}

/** Maps each folded serial number to the acknowledgement that holds longest. */
export function indexAcknowledgements(rows: readonly JudgedAcknowledgement[]): ReadonlyMap<string, Acknowledgement> {
  const found = new Map<string, Acknowledgement>();
  for (const { result, serial, by, until, ticket } of rows) {
    const key = foldSerialNumber(serial);
    if (result === 'active' && until > (found.get(key)?.until ?? '')) {
      found.set(key, { by, until, ticket });
    }
  }
  return found;
}

/** Finds a device's acknowledgement, without folding serial numbers where there is none, as in most companies. */
export function findAcknowledgement(
  { serialNumber = '' }: Pick<DeviceFacts, 'serialNumber'>,
  acknowledged: ReadonlyMap<string, Acknowledgement>,
): Acknowledgement | undefined {
  return acknowledged.size === 0 ? undefined : acknowledged.get(foldSerialNumber(serialNumber));
}
