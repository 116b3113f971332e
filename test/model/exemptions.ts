/** The rows of the exemptions file: which devices they fit, and what became of them. */
import type { ExemptionRow, Facts } from '../../src/core/facts/facts.ts';
import { day, type ExemptionResultRow, isCounted, listPublished, type Past, type Row } from './rows.ts';
import { foldSerial } from './serial-numbers.ts';

/**
 * "Exemptions look only at records that stand": `rows` are those, before exemptions. Of a row whose answer is older, the
 * devices that an exemption meant then count.
 */
export function judgeExemption(
  exemption: ExemptionRow,
  facts: Facts,
  rows: readonly Row[],
  past: Past,
): ExemptionResultRow & { excused: Row[] } {
  if (!isValid(exemption)) {
    return { result: 'invalid', devices: 0, excused: [] };
  }
  const excused = rows
    .filter((row) => fits(exemption, row, (findNight(past, row.answeredOn) ?? facts).exemptions))
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

/** The published attempt. */
function findNight(past: Past, slot: string | undefined): Facts | undefined {
  return listPublished(past).find(({ facts }) => facts.slot === slot)?.facts;
}

function isValid({ match, value, source, reason, owner, expires }: ExemptionRow): boolean {
  const isKnownMatch = ['serial', 'device_id', 'device_name', 'user'].includes(match);
  const isMissingSource = ['device_name', 'user'].includes(match) && source === '';
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(expires) && !Number.isNaN(Date.parse(expires));
  return isKnownMatch && !isMissingSource && value !== '' && reason !== '' && owner !== '' && isDate;
}

/** Where users are left out of the facts, the devices of a user's row are those of the night that is shown. */
function fits(exemption: ExemptionRow, row: Row, exemptionsThen: readonly ExemptionRow[]): boolean {
  const { match, value, source } = exemption;
  if (source !== '' && source !== row.source) {
    return false;
  }
  if (match === 'serial') {
    return foldSerial(value) === foldSerial(row.facts.serialNumber) && foldSerial(value) !== '';
  }
  if (match === 'device_id') {
    return value === row.facts.id;
  }
  if (match === 'device_name') {
    return value === row.facts.name;
  }
  if (exemption.devices === undefined) {
    return value === row.facts.user;
  }
  return exemptionsThen
    .filter((one) => one === exemption || isSameRow(one, exemption))
    .some((one) => one.devices?.some(([name, id]) => name === row.source && id === row.facts.id) === true);
}

/** Its date may have been moved since. */
function isSameRow(one: ExemptionRow, other: ExemptionRow): boolean {
  const fields = ['match', 'value', 'source', 'reason', 'owner'] as const;
  return fields.every((field) => one[field] === other[field]);
}
