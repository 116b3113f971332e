/** The input of the rules of alerts: a judged run, and what the run before it left. */

import { omitUndefined } from '../../base/omit-undefined.ts';
import type { EventDevice, ListedDevice } from '../facts/alert-event.ts';
import type { CompanyFacts } from '../facts/company.ts';
import type { DeviceIdentity } from '../facts/device-places.ts';
import { pickPlaces } from '../facts/device-places.ts';
import type { PlatformFacts } from '../facts/facts.ts';
import type {
  Change,
  GoneMachine,
  JudgedAcknowledgement,
  JudgedDevice,
  JudgedExemption,
  JudgedMachine,
  JudgedSource,
} from '../facts/judged.ts';
import type { Entry } from '../facts/ledger.ts';
import type { JudgedLists } from '../facts/lists.ts';
import type { Coverage, State } from '../facts/state.ts';
import { readValue } from '../record/judge-record.ts';
import { isAnswerProven } from '../record/proof.ts';
import type { SourceInput } from '../source/source-input.ts';
import type { OpenAlerts } from './alert-rule.ts';

/** The facts that machines are judged by. */
export type JudgedFacts = PlatformFacts & CompanyFacts;

export interface AlertInput {
  readonly facts: JudgedFacts;
  readonly previous: State | undefined;
  readonly sources: readonly SourceAlertInput[];
  readonly machines: readonly JudgedMachine[];
  readonly machinesByName: ReadonlyMap<string, JudgedMachine>;
  /** Entries after the run, by name, also those that the run dropped from the ledger. */
  readonly entries: ReadonlyMap<string, Entry>;
  /** Machines that are gone from this run on, by name. */
  readonly gone: ReadonlyMap<string, GoneMachine>;
  /** Names of machines about which no event is raised. */
  readonly canaries: ReadonlySet<string>;
  /** The row for all sources. */
  readonly total: Coverage;
  readonly exemptions: readonly JudgedExemption[];
  readonly acknowledgements: readonly JudgedAcknowledgement[];
  readonly lists: JudgedLists;
  /** Alerts that were open before the run. */
  readonly open: OpenAlerts;
}

export interface SourceAlertInput {
  readonly source: JudgedSource;
  readonly coverage: Coverage;
  readonly devices: readonly JudgedDevice[];
  readonly changes: readonly Change[];
  readonly input: Pick<SourceInput, 'baseline' | 'instrumentMemory'>;
  /** Devices that were stale in the baseline, and are gone. */
  readonly cleanedUp: number;
}

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

/** The device of an event; `reason` replaces the reason of its status where it is no longer counted. */
export function toEventDevice(
  device: JudgedDevice,
  reason: EventDevice['reason'] = device.judgement.reason,
): EventDevice {
  const { status, notInstalledSince: since, acknowledgement: acknowledged } = device.judgement;
  const value = readValue(device);
  return {
    ...toDeviceIdentity(device.facts),
    status,
    reason,
    proven: isAnswerProven(device.judgement),
    ...omitUndefined({ since, value, acknowledged }),
  };
}

export function toDeviceIdentity(facts: DeviceIdentity): DeviceIdentity {
  const { id, name, serialNumber, user, lastSeenAt } = facts;
  return { id, ...omitUndefined({ name, serialNumber, user, lastSeenAt, ...pickPlaces(facts) }) };
}
