/** Exemptions: which devices a person has exempted, until when, and which rows of the file have no effect. */

import { countDaysBetween, findDateProblem } from '../facts/calendar.ts';
import type { ExemptionRow } from '../facts/facts.ts';
import type { JudgedDevice } from '../facts/judged.ts';
import type { RememberedExemption } from '../facts/state.ts';
import type { ExemptionResult } from '../facts/vocabulary.ts';
import { foldSerialNumber } from './serial-numbers.ts';

const exemptionMatches: readonly string[] = ['serial', 'device_id', 'device_name', 'user'];

/** Names and users are easily changed on the machine itself, so such a row must say in which source. */
const changeableMatches = new Set(['device_name', 'user']);
const expiryWarningDays = 14;

type ExemptionCandidate = Pick<JudgedDevice, 'source' | 'facts'>;

/** `devices` are those that would be counted. `remembered` has the sources whose facts of this run cannot say of all devices whether a row means them. */
export function judgeExemptions<T extends ExemptionCandidate>(
  rows: readonly ExemptionRow[],
  devices: readonly T[],
  slot: string,
  remembered: ReadonlyMap<string, ExemptionMemory>,
) {
  const recalled = recallExemptions(rows, remembered);
  const index = indexDevices(devices, recalled.flatMap(listRowKeys));
  const exempted = new Set<T>();
  const judged = recalled.map((row) => {
    const { devices: _, ...written } = row;
    if (findExemptionProblem(row) !== undefined) {
      return { ...written, devices: 0, result: 'invalid' as const };
    }
    const fits = findMatchingDevices(row, index);
    const result = decideExemptionResult(row, fits.length, slot);
    if (result === 'active' || result === 'expiring') {
      for (const device of fits) {
        exempted.add(device);
      }
    }
    return { ...written, devices: fits.length, result };
  });
  return { rows: judged, devices: exempted };
}

/** What the next nights need where users are left out and the source cannot be read. */
export function rememberExemptions(rows: readonly ExemptionRow[], source: string): RememberedExemption[] {
  return rows.flatMap((row) =>
    row.devices === undefined || row.source !== source
      ? []
      : [{ row: toRowKey(row), ids: row.devices.map(([, id]) => id) }],
  );
}

/** What a source's baseline says of `user` rows, where users are left out of the facts. */
export interface ExemptionMemory {
  readonly entries: readonly RememberedExemption[];
  /** The devices of which this run cannot say whose they are; undefined where it can say nothing of any. */
  readonly unread: ReadonlyMap<string, unknown> | undefined;
}

/** The user is left out of a row too: it is known again by what does not change when it is renewed, and by its order. */
export function recallExemptions(
  rows: readonly ExemptionRow[],
  remembered: ReadonlyMap<string, ExemptionMemory>,
): readonly ExemptionRow[] {
  const unusedEntries = new Map([...remembered].map(([source, { entries }]) => [source, [...entries]]));
  return rows.map((row) => {
    const entries = row.devices === undefined ? undefined : unusedEntries.get(row.source);
    if (entries === undefined) {
      return row;
    }
    const at = entries.findIndex((entry) => entry.row === toRowKey(row));
    const [entry] = at === -1 ? [] : entries.splice(at, 1);
    const { unread } = remembered.get(row.source) ?? {};
    const ids = (entry?.ids ?? []).filter((id) => unread?.has(id) ?? true);
    const read = unread === undefined ? [] : (row.devices ?? []);
    return { ...row, devices: [...read, ...ids.map((id) => [row.source, id] as const)] };
  });
}

function toRowKey({ reason, owner }: ExemptionRow): string {
  return JSON.stringify([reason, owner]);
}

/** Why a run must ignore this row, or undefined. */
export function findExemptionProblem(row: ExemptionRow): string | undefined {
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

/** A row holds through the day it names. One that fits several devices by something changeable exempts none. */
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

/** The devices that fit what a row asks for. */
type DeviceIndex<T> = Map<string, T[]>;

/** Only by what the rows ask for; a serial number without a letter or digit fits no device. */
function indexDevices<T extends ExemptionCandidate>(devices: readonly T[], keys: readonly string[]): DeviceIndex<T> {
  const index: DeviceIndex<T> = new Map(keys.map((key) => [key, []]));
  index.delete(toIndexKey('serial', ''));
  for (const device of index.size === 0 ? [] : devices) {
    const { serialNumber, id, name, user } = device.facts;
    for (const [match, value] of Object.entries({ serial: serialNumber, device_id: id, device_name: name, user })) {
      index.get(toIndexKey(match, value ?? ''))?.push(device);
    }
  }
  return index;
}

function toIndexKey(match: string, value: string): string {
  return `${match}\u0000${match === 'serial' ? foldSerialNumber(value) : value}`;
}

/** Where users are left out, a row holds the devices that it means; otherwise it asks by its own value. */
function listRowKeys({ match, value, devices }: ExemptionRow): string[] {
  return devices?.map(([, id]) => toIndexKey('device_id', id)) ?? [toIndexKey(match, value)];
}

function findMatchingDevices<T extends ExemptionCandidate>(row: ExemptionRow, index: DeviceIndex<T>): readonly T[] {
  const fits = listRowKeys(row).flatMap((key) => index.get(key) ?? []);
  return row.source === '' ? fits : fits.filter((device) => device.source === row.source);
}
