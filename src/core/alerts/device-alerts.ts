/** Events about single devices: who lost the agent, who came without it, who recovered, who keeps changing, who left. */

import { omitUndefined } from '../../omit-undefined.ts';
import { countDaysBetween } from '../calendar.ts';
import type { DeviceFacts, Policy } from '../facts.ts';
import type { JudgedDevice, MatchedDevice } from '../judged.ts';
import { toDeviceKey } from '../match-devices.ts';
import { createIdFinder } from '../order.ts';
import { foldSerialNumber } from '../serial-numbers.ts';
import type { BaselineDevice, SourceState } from '../state.ts';
import { type EventDevice, removedReason, toDeviceAlertKey } from './alert-event.ts';
import type { AlertLog } from './alert-log.ts';
import type { EventKind } from './event-kinds.ts';

export interface DeviceAlertInput {
  readonly source: string;
  readonly platform: string;
  readonly slot: string;
  readonly moment: string;
  readonly policy: Policy;
  readonly devices: readonly MatchedDevice[];
  /** What the night was compared with. */
  readonly before: SourceState | undefined;
  /** Folded serial numbers of machines about which no event is raised. */
  readonly canarySerialNumbers: ReadonlySet<string>;
  /** By `deviceKey`: records of machines that live on under another one. */
  readonly movedAway: ReadonlySet<string>;
  /** Those of them whose new record is in a source that is not complete in this run. */
  readonly waiting: ReadonlySet<string>;
}

/** Of a source that is complete in this run, and was before. */
export function decideDeviceAlerts(input: DeviceAlertInput, alertLog: AlertLog): void {
  const start = toDeviceAlertKey(input.source, '');
  const unlisted = new Set(alertLog.keys(start));
  for (const device of input.devices) {
    const key = toDeviceAlertKey(input.source, device.facts.id);
    unlisted.delete(key);
    // The machine's newer record has the alert.
    if (device.excludedBecause === 'superseded') {
      continue;
    }
    if (isCanary(device, input)) {
      alertLog.close(key, { ...toAlertDetails(device), text: 'It is a canary now (deployment.canaries).' });
      continue;
    }
    if (decideFlappingAlert(device, key, input, alertLog)) {
      continue;
    }
    if (device.status === 'Installed' && !device.isBeforeRepair) {
      resolveRecovered(device, key, alertLog);
    } else if (!device.counted) {
      resolveRemovedFromScope(key, input, alertLog, toEventDevice(device, device.excludedBecause ?? device.reason));
    } else if (device.status === 'Not Installed') {
      raiseNeedsAction(device, key, input, alertLog);
    }
  }
  if (unlisted.size === 0) {
    return;
  }
  const before = createIdFinder(input.before?.baseline?.devices ?? [], ({ facts }) => facts.id);
  for (const key of unlisted) {
    const id = key.slice(start.length);
    closeUnlistedDevice(key, id, before.find(id), input, alertLog);
  }
}

/** In a source's first run, one `baseline` event reports its devices and opens their alerts. */
export function recordBaselineDevices(
  source: string,
  input: Pick<DeviceAlertInput, 'devices' | 'canarySerialNumbers'>,
  slot: string,
  alertLog: AlertLog,
): void {
  const { devices } = input;
  const present = new Set(devices.map(({ facts }) => toDeviceAlertKey(source, facts.id)));
  // Until the last run, the name may have been that of a source of another kind.
  for (const key of alertLog.keys(toDeviceAlertKey(source, ''))) {
    if (!present.has(key)) {
      alertLog.close(key, {
        source,
        text: 'The name of its source belongs to another source now.',
        isBookkeeping: true,
      });
    }
  }
  for (const device of devices) {
    if (!device.counted || device.status === 'Installed' || isCanary(device, input)) {
      continue;
    }
    const key = toDeviceAlertKey(source, device.facts.id);
    if (alertLog.find(key) === undefined) {
      alertLog.record({ key, kind: 'baseline', since: slot, last: slot });
    }
  }
}

/** Counted and Not Installed. */
function raiseNeedsAction(device: MatchedDevice, key: string, input: DeviceAlertInput, alertLog: AlertLog): void {
  if (device.isBeforeRepair) {
    return;
  }
  const alert = alertLog.find(key);
  // Held back, not forgotten: every run looks at it until its grace ends.
  if (alert === undefined ? isInGrace(device, input) : alert.kind !== 'device.flapping') {
    return;
  }
  const kind: EventKind =
    hadAgent(device) || alert?.kind === 'device.flapping' ? 'device.lost' : 'device.new-not-installed';
  alertLog.raise(key, kind, toAlertDetails(device));
}

/** More changes than this within the window are one event of their own. */
const mostChanges = 3;
const changeWindowDays = 7;

/** True while the device keeps changing: each single change then says nothing new. */
function decideFlappingAlert(
  device: MatchedDevice,
  key: string,
  { slot }: DeviceAlertInput,
  alertLog: AlertLog,
): boolean {
  if (!device.counted || device.isBeforeRepair || countRecentChanges(device, slot) <= mostChanges) {
    return false;
  }
  alertLog.raise(key, 'device.flapping', toAlertDetails(device));
  return true;
}

function countRecentChanges({ match, status }: MatchedDevice, slot: string): number {
  if (match === undefined) {
    return 0;
  }
  const { known } = match;
  const isRecent = (changedOn: string) => countDaysBetween(changedOn, slot) < changeWindowDays;
  const past = known.transitions.filter(({ slot: changedOn, from }) => from !== undefined && isRecent(changedOn));
  return past.length + (known.status === status ? 0 : 1);
}

/** Kept on purpose as it is, so it asks nothing of anybody. */
export function isCanary(
  { facts }: JudgedDevice,
  { canarySerialNumbers }: Pick<DeviceAlertInput, 'canarySerialNumbers'>,
): boolean {
  return facts.serialNumber !== undefined && canarySerialNumbers.has(foldSerialNumber(facts.serialNumber));
}

function resolveRecovered(device: JudgedDevice, key: string, alertLog: AlertLog): void {
  alertLog.resolve(key, 'device.recovered', toAlertDetails(device));
}

/** An alert is open for it, and the platform no longer lists it. */
function closeUnlistedDevice(
  key: string,
  id: string,
  known: BaselineDevice | undefined,
  input: DeviceAlertInput,
  alertLog: AlertLog,
): void {
  const record = toDeviceKey(input.source, id);
  if (input.waiting.has(record)) {
    return;
  }
  // Another record stands for the machine, or it was removed from scope before.
  if (input.movedAway.has(record) || known?.counted === false) {
    const { source, platform } = input;
    const text = 'Another record stands for the machine, or it was removed from scope before.';
    alertLog.close(key, { source, platform, text, isBookkeeping: true });
  } else {
    resolveRemovedFromScope(key, input, alertLog, {
      ...toDeviceIdentity(known?.facts ?? { id }),
      status: 'Not Installed',
      reason: removedReason,
    });
  }
}

/** Not Installed and no longer counted: the number improves, and nobody made it better. */
function resolveRemovedFromScope(key: string, input: DeviceAlertInput, alertLog: AlertLog, device: EventDevice): void {
  const { source, platform } = input;
  alertLog.resolve(key, 'count.left', { source, platform, device });
}

/** Its last known change was from Installed; a device that was held back may have changed some nights ago. */
function hadAgent({ match }: MatchedDevice): boolean {
  const known = match?.known;
  // One that is back under its old id is new, as in the changes.
  if (known === undefined || !known.counted || match?.how === 'back') {
    return false;
  }
  return known.status === 'Installed' || known.transitions.at(-1)?.from === 'Installed';
}

function isInGrace({ facts }: JudgedDevice, { moment, policy }: DeviceAlertInput): boolean {
  if (facts.enrolledAt === undefined) {
    return false;
  }
  return Date.parse(moment) - Date.parse(facts.enrolledAt) < policy.graceHours * 3_600_000;
}

export function toAlertDetails(device: JudgedDevice) {
  return { source: device.source, platform: device.platform, device: toEventDevice(device, device.reason) };
}

export function toEventDevice(device: JudgedDevice, reason: EventDevice['reason']): EventDevice {
  const { status, notInstalledSince: since, value, proven, acknowledgement: acknowledged } = device;
  return {
    ...toDeviceIdentity(device.facts),
    status,
    reason,
    proven,
    ...omitUndefined({ since, value, acknowledged }),
  };
}

/** Which device it is, and what a person needs to find it. */
export function toDeviceIdentity(facts: Pick<DeviceFacts, 'id'> & Partial<DeviceFacts>) {
  const { id, name, serialNumber, user, lastSeenAt, site, department, building, category } = facts;
  return { id, ...omitUndefined({ name, serialNumber, user, lastSeenAt, site, department, building, category }) };
}
