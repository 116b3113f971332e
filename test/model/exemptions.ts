/** The rows of the exemptions file: which devices they fit, and what became of them. */
import type { ExemptionRow } from '../../src/core/facts/company.ts';
import type { Facts } from '../../src/core/facts/facts.ts';
import { day, type ExemptionResultRow, isCounted, type Row } from './rows.ts';
import { foldSerial } from './serial-numbers.ts';

/** "Exemptions look only at records that stand": `rows` are those, before exemptions. */
export function judgeExemption(
  exemption: ExemptionRow,
  facts: Facts,
  rows: readonly Row[],
): ExemptionResultRow & { excused: Row[] } {
  if (!isValid(exemption)) {
    return { result: 'invalid', devices: 0, excused: [] };
  }
  const excused = rows
    .filter((row) => fits(exemption, row))
    // "A row's result counts the *counted-but-for-it* machines that it excuses."
    .filter(isCounted);
  const isPersons = ['device_name', 'user'].includes(exemption.match);
  const daysLeft = (Date.parse(exemption.expires) - Date.parse(facts.slot)) / day;
  if (daysLeft < 0) {
    return { result: 'expired', devices: excused.length, excused: [] };
  }
  if (excused.length === 0) {
    return { result: 'unmatched', devices: 0, excused: [] };
  }
  if (isPersons && excused.length > 1) {
    return { result: 'ambiguous', devices: excused.length, excused: [] };
  }
  return { result: daysLeft <= 14 ? 'expiring' : 'active', devices: excused.length, excused };
}

function isValid({ match, value, source, reason, owner, expires }: ExemptionRow): boolean {
  const isKnownMatch = ['serial', 'device_id', 'device_name', 'user'].includes(match);
  const isMissingSource = ['device_name', 'user'].includes(match) && source === '';
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(expires) && !Number.isNaN(Date.parse(expires));
  return isKnownMatch && !isMissingSource && value !== '' && reason !== '' && owner !== '' && isDate;
}

function fits({ match, value, source }: ExemptionRow, { source: name, facts }: Row): boolean {
  if (source !== '' && source !== name) {
    return false;
  }
  if (match === 'serial') {
    return foldSerial(value) === foldSerial(facts.serialNumber) && foldSerial(value) !== '';
  }
  if (match === 'device_id') {
    return value === facts.id;
  }
  return value === (match === 'device_name' ? facts.name : facts.user);
}
