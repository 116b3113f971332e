/** Parses one managed device of Graph and its report rows into facts. Pure. */

import { omitUndefined } from '../../base/omit-undefined.ts';
import type { Answer, DeviceFacts } from '../../core/facts/facts.ts';
import { createUnreadableAnswerError } from '../../http/body.ts';
import { boundText, longestText, readRecord, readString, readText, readTime } from '../reading/fields.ts';
import type { ReportRow } from './report/rows.ts';

/** Fields to request; v1.0 calls the owner `managedDeviceOwnerType`. */
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
];

/**
 * Says which of a co-managed device's workloads are Intune's. v1.0 documents it, but the list sends it on request
 * alone: https://learn.microsoft.com/graph/api/resources/intune-devices-configurationmanagerclientenabledfeatures
 */
export const workloadsField = 'configurationManagerClientEnabledFeatures';

export interface ListedDevice {
  readonly id: string;
  /** Undefined for a device without Windows; the answers of the others are in the apps' reports. */
  readonly facts?: DeviceFacts;
}

type DeviceRow = Readonly<Record<string, unknown>>;

export function parseListedDevice(row: DeviceRow, who: string): ListedDevice {
  const { id } = row;
  // A shortened id could be another device's.
  if (typeof id !== 'string' || id.trim() === '' || id.length > longestText) {
    throw createUnreadableAnswerError(who, 'a device without a usable id');
  }
  return isWindows(row) ? { id, facts: parseWindowsDevice(id, row) } : { id };
}

/** Checks the operating system, because the service may ignore a filter silently. */
function isWindows({ operatingSystem }: DeviceRow): boolean {
  return readString(operatingSystem).trim().toLowerCase() === 'windows';
}

function parseWindowsDevice(id: string, row: DeviceRow): DeviceFacts {
  const known = {
    name: readText(row.deviceName),
    serialNumber: readText(row.serialNumber),
    user: readText(row.userPrincipalName),
    osVersion: readText(row.osVersion),
    model: readText(row.model),
    lastSeenAt: readTime(row.lastSyncDateTime, 'Z'),
    enrolledAt: readTime(row.enrolledDateTime, 'Z'),
    managementState: readText(row.managementState),
    managementAgent: readText(row.managementAgent),
    clientAppsWorkload: readRecord(row[workloadsField])?.modernApps === false ? 'configurationManager' : undefined,
    ownership: readText(row.managedDeviceOwnerType),
    category: readCategory(row.deviceCategoryDisplayName),
  };
  return { id, operatingSystem: 'windows', ...omitUndefined(known), answers: [] };
}

/** The category; undefined for "Unknown", Intune's name for none. */
function readCategory(value: unknown): string | undefined {
  const category = readText(value);
  return category === 'Unknown' ? undefined : category;
}

export type RowsByDevice = Map<string, ReportRow[]>;

export function groupRowsByDevice(rows: readonly ReportRow[]): RowsByDevice {
  return Map.groupBy(rows, ({ deviceId }) => foldDeviceId(deviceId));
}

/** Folds an id: ids are GUIDs, which the device list and the report spell with different case, braces and blanks. */
export function foldDeviceId(id: string): string {
  return id.replace(/[\s{}]/g, '').toLowerCase();
}

/** Folded ids that only the report names, ordered. `listed` are all devices of the list, of any operating system. */
export function listUnlistedDevices(rows: RowsByDevice, listed: readonly ListedDevice[]): string[] {
  const known = new Set(listed.map(({ id }) => foldDeviceId(id)));
  return [...rows.keys()].filter((key) => key !== '' && !known.has(key)).sort();
}

/** Parses every row, in an order that does not depend on the platform's. */
export function parseReportAnswers(rows: readonly ReportRow[]): Answer[] {
  return rows
    .map((row) => {
      const at = readTime(row.modifiedAt, 'Z');
      const detail = formatDetail(row);
      const answer = omitUndefined({ value: boundText(row.state), detail, at, app: row.app });
      return { answer, order: JSON.stringify([at ?? '', row.state, row.userId, detail ?? '', row.app ?? '']) };
    })
    .sort((one, other) => (one.order < other.order ? -1 : one.order > other.order ? 1 : 0))
    .map(({ answer }) => answer);
}

/** Codes that a person can look up: `error -2016345060 (0x87D1041C), state detail 2000`. */
function formatDetail(row: ReportRow): string | undefined {
  const error = readNonZero(row.errorCode);
  const hexadecimal = readNonZero(row.hexErrorCode);
  const stateDetail = readNonZero(row.stateDetail);
  const code = error && hexadecimal ? `${error} (${hexadecimal})` : (error ?? hexadecimal);
  const parts = [code && `error ${code}`, stateDetail && `state detail ${stateDetail}`].filter(Boolean);
  return parts.length === 0 ? undefined : boundText(parts.join(', '));
}

/** Undefined for any spelling of zero, and for an empty text. */
function readNonZero(code: string): string | undefined {
  const trimmed = code.trim();
  return Number(trimmed) === 0 ? undefined : trimmed;
}
