/** What the families of alerts read: one judged night, and what the run before it left. */

import { omitUndefined } from '../../base/omit-undefined.ts';
import { readValue } from '../device/judge-device.ts';
import { foldSerialNumber } from '../device/serial-numbers.ts';
import type { DeviceIdentity, EventDevice, ListedDevice } from '../facts/alert-event.ts';
import { pickPlaces } from '../facts/device-places.ts';
import type { Facts } from '../facts/facts.ts';
import type {
  Change,
  FindMatch,
  JudgedAcknowledgement,
  JudgedDevice,
  JudgedExemption,
  JudgedSource,
} from '../facts/judged.ts';
import type { JudgedLists } from '../facts/lists.ts';
import type { AlertState } from '../facts/remembered.ts';
import type { Coverage, HeldBack, SourceState, State } from '../facts/state.ts';

export interface NightAlertInput {
  readonly facts: Facts;
  readonly previous: State | undefined;
  readonly sources: readonly SourceAlertInput[];
  readonly findMatch: FindMatch;
  /** A device of a complete source, by the key of its alert. */
  readonly findDevice: (key: string) => JudgedDevice | undefined;
  /** Records of machines that have another record now, as `toDeviceKey` names them. */
  readonly movedAway: ReadonlySet<string>;
  /** The row for all sources. */
  readonly total: Coverage;
  readonly exemptions: readonly JudgedExemption[];
  readonly acknowledgements: readonly JudgedAcknowledgement[];
  readonly lists: JudgedLists;
  /** Runs past their retention that are kept until a person confirms it. */
  readonly heldBack: HeldBack | undefined;
}

export interface SourceAlertInput {
  readonly source: JudgedSource;
  readonly coverage: Coverage;
  readonly devices: readonly JudgedDevice[];
  readonly changes: readonly Change[];
  /** What the night was compared with. */
  readonly compared: SourceState | undefined;
  /** Devices that were stale in the baseline, and are gone. */
  readonly cleanedUp: number;
  /** Folded serial numbers of machines about which no event is raised. */
  readonly canarySerialNumbers: ReadonlySet<string>;
}

/** Alerts that were reported and have not ended, by key. */
export type ReportedAlerts = ReadonlyMap<string, AlertState>;

export function describeWhere({ name, operatingSystem }: JudgedSource) {
  return { source: name, platform: operatingSystem };
}

/** The device of an event: which it is, and what a person needs to find it and to act. */
export function toAlertDetails(device: JudgedDevice) {
  return { source: device.source, platform: device.facts.operatingSystem, device: toEventDevice(device) };
}

export function toListedDevice(device: JudgedDevice): ListedDevice {
  return { ...toEventDevice(device), source: device.source };
}

/** The reason is another where it is no longer counted. */
export function toEventDevice(
  device: JudgedDevice,
  reason: EventDevice['reason'] = device.judgement.reason,
): EventDevice {
  const { status, notInstalledSince: since, proven, acknowledgement: acknowledged } = device.judgement;
  const value = readValue(device);
  return {
    ...toDeviceIdentity(device.facts),
    status,
    reason,
    proven,
    ...omitUndefined({ since, value, acknowledged }),
  };
}

export function toDeviceIdentity(facts: DeviceIdentity): DeviceIdentity {
  const { id, name, serialNumber, user, lastSeenAt } = facts;
  return { id, ...omitUndefined({ name, serialNumber, user, lastSeenAt }), ...pickPlaces(facts) };
}

/** Kept on purpose as it is, so it asks nothing of anybody. */
export function isCanary({ facts }: JudgedDevice, { canarySerialNumbers }: SourceAlertInput): boolean {
  return facts.serialNumber !== undefined && canarySerialNumbers.has(foldSerialNumber(facts.serialNumber));
}
