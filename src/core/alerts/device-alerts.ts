/** Events about single devices: who lost the agent, who came without it, who is overdue, who recovered, who left. */
import type { DeviceFacts, Policy } from '../facts.ts';
import type { JudgedDevice } from '../judged.ts';
import { toDeviceKey } from '../match-devices.ts';
import { isOverdue } from '../needs-action.ts';
import { foldSerialNumber } from '../serial-numbers.ts';
import type { BaselineDevice, SourceState } from '../state.ts';
import { countDaysBetween, type EventDevice, reminderIntervalDays, toDeviceAlertKey } from './alert-event.ts';
import type { AlertLog } from './alert-log.ts';
import type { AlertState } from './alert-state.ts';
import type { EventKind } from './event-kinds.ts';

export interface DeviceAlertInput {
  readonly source: string;
  readonly platform: string;
  readonly slot: string;
  readonly moment: string;
  readonly policy: Policy;
  readonly devices: readonly JudgedDevice[];
  /** What the night was compared with. */
  readonly before: SourceState | undefined;
  /** Folded serial numbers of machines about which no event is raised. */
  readonly canarySerialNumbers: ReadonlySet<string>;
  /** By `deviceKey`: records of machines that live on under another one. */
  readonly movedAway: ReadonlySet<string>;
  /** Those of them whose new record is in a source that did not answer well tonight. */
  readonly waiting: ReadonlySet<string>;
}

/** Of a source that is complete tonight, and was before. */
export function decideDeviceAlerts(scene: DeviceAlertInput, memory: AlertLog): void {
  const present = new Set<string>();
  for (const device of scene.devices) {
    const key = toDeviceAlertKey(scene.source, device.facts.id);
    present.add(key);
    // Nothing is said of a record while a newer one speaks for the machine.
    if (device.excludedBecause === 'superseded') {
      continue;
    }
    if (isCanary(device, scene)) {
      memory.forget(key);
      continue;
    }
    if (device.status === 'Installed' && !device.isBeforeRepair) {
      resolveRecovered(device, key, scene, memory);
    } else if (!device.counted) {
      resolveRemovedFromScope(key, scene, memory, toEventDevice(device, device.excludedBecause ?? device.reason));
    } else if (device.status === 'Not Installed') {
      raiseNeedsAction(device, key, scene, memory);
    }
  }
  const start = toDeviceAlertKey(scene.source, '');
  const missing = memory.keys(start).filter((key) => !present.has(key));
  if (missing.length === 0) {
    return;
  }
  const before = new Map(scene.before?.baseline?.devices.map((known) => [known.facts.id, known]));
  for (const key of missing) {
    const id = key.slice(start.length);
    closeUnlistedDevice(key, id, before.get(id), scene, memory);
  }
}

/** On a source's first night its devices are told by one `baseline` event, and remembered by it. */
export function recordBaselineDevices(
  source: string,
  input: Pick<DeviceAlertInput, 'devices' | 'canarySerialNumbers'>,
  slot: string,
  memory: AlertLog,
): void {
  const { devices } = input;
  const present = new Set(devices.map(({ facts }) => toDeviceAlertKey(source, facts.id)));
  // The name may have been another kind's until last night.
  for (const key of memory.keys(toDeviceAlertKey(source, ''))) {
    if (!present.has(key)) {
      memory.forget(key);
    }
  }
  for (const device of devices) {
    if (!device.counted || device.status === 'Installed' || isCanary(device, input)) {
      continue;
    }
    const key = toDeviceAlertKey(source, device.facts.id);
    if (memory.find(key) === undefined) {
      memory.record({ key, kind: 'baseline', since: slot, last: slot });
    }
  }
}

/** Counted and Not Installed. */
function raiseNeedsAction(device: JudgedDevice, key: string, scene: DeviceAlertInput, memory: AlertLog): void {
  if (device.isBeforeRepair) {
    return;
  }
  const told = memory.find(key);
  if (told === undefined) {
    // Held back, not forgotten: it is looked at again every night until its grace is over.
    if (isInGrace(device, scene)) {
      return;
    }
    const kind: EventKind = hadAgent(device) ? 'device.lost' : 'device.new-not-installed';
    memory.raise(key, kind, toAlertDetails(device, scene));
  } else if (isOverdue(device.notInstalledSince, scene.slot, scene.policy) && isReminderDue(told, scene)) {
    const phase = told.overdue === undefined ? 'first' : 'again';
    memory.emit(key, 'device.overdue', phase, told.since, toAlertDetails(device, scene));
    memory.record({ ...told, overdue: scene.slot });
  }
}

/** Kept on purpose as it is, so it asks nothing of anybody. */
export function isCanary(
  { facts }: JudgedDevice,
  { canarySerialNumbers }: Pick<DeviceAlertInput, 'canarySerialNumbers'>,
): boolean {
  return facts.serialNumber !== undefined && canarySerialNumbers.has(foldSerialNumber(facts.serialNumber));
}

/** A person had as long as the policy allows, or a week, to act on the last alert. */
function isReminderDue(told: AlertState, { slot, policy }: DeviceAlertInput): boolean {
  if (told.overdue !== undefined) {
    return countDaysBetween(told.overdue, slot) >= reminderIntervalDays;
  }
  return countDaysBetween(told.last, slot) >= Math.min(reminderIntervalDays, policy.overdueAfterDays);
}

function resolveRecovered(device: JudgedDevice, key: string, scene: DeviceAlertInput, memory: AlertLog): void {
  memory.resolve(key, 'device.recovered', toAlertDetails(device, scene));
}

/** Told, and no longer listed. */
function closeUnlistedDevice(
  key: string,
  id: string,
  known: BaselineDevice | undefined,
  scene: DeviceAlertInput,
  memory: AlertLog,
): void {
  const record = toDeviceKey(scene.source, id);
  if (scene.waiting.has(record)) {
    return;
  }
  // Another record speaks for the machine, or it had left the count before.
  if (scene.movedAway.has(record) || known?.counted === false) {
    memory.forget(key);
  } else {
    resolveRemovedFromScope(key, scene, memory, {
      ...toDeviceIdentity(known?.facts ?? { id }),
      status: 'Not Installed',
      reason: 'removed',
    });
  }
}

/** Not Installed and no longer counted: the number improves, and nobody made it better. */
function resolveRemovedFromScope(key: string, scene: DeviceAlertInput, memory: AlertLog, device: EventDevice): void {
  const { source, platform } = scene;
  memory.resolve(key, 'count.left', { source, platform, device });
}

/** Its last known change was from Installed; a device that was held back may have changed some nights ago. */
function hadAgent({ match }: JudgedDevice): boolean {
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

function toAlertDetails(device: JudgedDevice, { source, platform }: DeviceAlertInput) {
  return { source, platform, device: toEventDevice(device, device.reason) };
}

export function toEventDevice(device: JudgedDevice, reason: EventDevice['reason']): EventDevice {
  return {
    ...toDeviceIdentity(device.facts),
    status: device.status,
    reason,
    ...(device.notInstalledSince === undefined ? {} : { since: device.notInstalledSince }),
  };
}

export function toDeviceIdentity({
  id,
  name,
  serialNumber,
  user,
}: Pick<DeviceFacts, 'id' | 'name' | 'serialNumber' | 'user'>) {
  return {
    id,
    ...(name === undefined ? {} : { name }),
    ...(serialNumber === undefined ? {} : { serialNumber }),
    ...(user === undefined ? {} : { user }),
  };
}
