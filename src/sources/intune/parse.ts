/** Turns one managed device of Graph and its report rows into facts: pure. */

import { omitUndefined } from '../../base/omit-undefined.ts';
import type { Answer, DeviceFacts } from '../../core/facts/facts.ts';
import { boundText, longestText, readText } from '../reading/fields.ts';
import type { ReportRow } from './report/rows.ts';

/** The requested fields; v1.0 calls the owner `managedDeviceOwnerType`. */
export const managedDeviceFields = [
  'id',
  'deviceName',
  'serialNumber',
  'userPrincipalName',
  'operatingSystem',
  'osVersion',
  'model',
  'lastSyncDateTime',
  'enrolledDateTime',
  'managementState',
  'managementAgent',
  'managedDeviceOwnerType',
  'deviceCategoryDisplayName',
] as const;

export type ManagedDevice = { readonly id: string } & {
  readonly [Field in (typeof managedDeviceFields)[number]]?: unknown;
};

/** The service may ignore a filter silently, so every row is checked again. */
export function isWindows(device: ManagedDevice): boolean {
  return typeof device.operatingSystem === 'string' && device.operatingSystem.trim().toLowerCase() === 'windows';
}

/** The id of a row, or undefined where it is not usable; a shortened id could be another device's. */
export function readDeviceId({ id }: Readonly<Record<string, unknown>>): string | undefined {
  return typeof id === 'string' && id.trim() !== '' && id.length <= longestText ? id : undefined;
}

/** A device of the list. */
export interface ListedDevice {
  readonly id: string;
  /** Only Windows devices have them; their answers are in the apps' reports. */
  readonly facts?: DeviceFacts;
}

export function parseListedDevice(device: ManagedDevice): ListedDevice {
  return isWindows(device) ? { id: device.id, facts: parseDevice(device, []) } : { id: device.id };
}

export function parseDevice(device: ManagedDevice, rows: readonly ReportRow[]): DeviceFacts {
  const known = {
    name: readText(device.deviceName),
    serialNumber: readText(device.serialNumber),
    user: readText(device.userPrincipalName),
    osVersion: readText(device.osVersion),
    model: readText(device.model),
    lastSeenAt: parseGraphTime(device.lastSyncDateTime),
    enrolledAt: parseGraphTime(device.enrolledDateTime),
    managementState: readText(device.managementState),
    managementAgent: readText(device.managementAgent),
    ownership: readText(device.managedDeviceOwnerType),
    category: readCategory(device.deviceCategoryDisplayName),
  };
  return { id: device.id, operatingSystem: 'windows', ...omitUndefined(known), answers: parseReportAnswers(rows) };
}

/** Intune calls the category of a device that has none "Unknown". */
function readCategory(value: unknown): string | undefined {
  const category = readText(value);
  return category === 'Unknown' ? undefined : category;
}

/** Report rows by folded device id. */
export type RowsByDevice = Map<string, ReportRow[]>;

export function groupRowsByDevice(rows: readonly ReportRow[]): RowsByDevice {
  return Map.groupBy(rows, ({ deviceId }) => foldDeviceId(deviceId));
}

/** Ids are GUIDs, which the device list and the report spell differently: case, braces and blanks mean nothing. */
export function foldDeviceId(id: string): string {
  return id.replace(/[\s{}]/g, '').toLowerCase();
}

/** Devices, not rows, that only the report names. `listed` are all devices of the list, whatever their operating system, each once. */
export function countUnlistedDevices(rows: RowsByDevice, listed: readonly ListedDevice[]): number {
  let unlisted = rows.size - Number(rows.has(''));
  for (const { id } of listed) {
    const key = foldDeviceId(id);
    unlisted -= Number(key !== '' && rows.has(key));
  }
  return unlisted;
}

/** Keeps every row, in an order that does not depend on the platform's own. */
export function parseReportAnswers(rows: readonly ReportRow[]): Answer[] {
  return rows
    .map((row) => {
      const at = parseGraphTime(row.modifiedAt);
      const detail = formatDetail(row);
      const answer = omitUndefined({ value: boundText(row.state), detail, at });
      return { answer, order: JSON.stringify([at ?? '', row.state, row.userId, detail ?? '']) };
    })
    .sort((one, other) => (one.order < other.order ? -1 : one.order > other.order ? 1 : 0))
    .map(({ answer }) => answer);
}

/** `error -2016345060 (0x87D1041C), state detail 2000`: codes that a person can look up. */
function formatDetail(row: ReportRow): string | undefined {
  const error = readNonZero(row.errorCode);
  const hexadecimal = readNonZero(row.hexErrorCode);
  const stateDetail = readNonZero(row.stateDetail);
  const parts: string[] = [];
  if (error !== undefined) {
    parts.push(`error ${error}${hexadecimal === undefined ? '' : ` (${hexadecimal})`}`);
  } else if (hexadecimal !== undefined) {
    parts.push(`error ${hexadecimal}`);
  }
  if (stateDetail !== undefined) {
    parts.push(`state detail ${stateDetail}`);
  }
  return parts.length === 0 ? undefined : boundText(parts.join(', '));
}

/** Undefined for any spelling of zero, of which an empty text is one. */
function readNonZero(code: string): string | undefined {
  const trimmed = code.trim();
  return Number(trimmed) === 0 ? undefined : trimmed;
}

/**
 * A time as ISO 8601 UTC with milliseconds. Report times carry no zone and are UTC, with up to seven digits of a
 * second; with years 1 and 9999 the service means "not known".
 */
export function parseGraphTime(value: unknown): string | undefined {
  if (typeof value !== 'string') {
    return undefined;
  }
  const parts = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,12}))?(Z|[+-]\d\d:\d\d)?$/i.exec(
    value.trim(),
  );
  if (!parts) {
    return undefined;
  }
  const [, year = '', month = '', day = '', hour, minute, second, fraction = '', zone = 'Z'] = parts;
  if (Number(year) <= 1 || year === '9999') {
    return undefined;
  }
  // Date.parse would read 30 February as 2 March.
  if (Number(day) > new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()) {
    return undefined;
  }
  const milliseconds = fraction.slice(0, 3).padEnd(3, '0');
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${milliseconds}${zone.toUpperCase()}`);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
