/** Events about single devices: who lost the agent, who came without it, who is overdue, who recovered, who left. */
import type { DeviceFacts, Policy } from '../facts.ts';
import type { JudgedDevice } from '../judged.ts';
import { type Ancestor, deviceKey } from '../match-devices.ts';
import type { KnownDevice, SourceState } from '../state.ts';
import type { Memory } from './alert-log.ts';
import type { Told } from './alert-state.ts';
import { daysBetween, deviceMatter, type EventDevice, repeatDays } from './event.ts';
import type { EventKind } from './event-kinds.ts';

export interface DeviceScene {
  readonly source: string;
  readonly platform: string;
  readonly slot: string;
  readonly moment: string;
  readonly policy: Policy;
  readonly devices: readonly JudgedDevice[];
  readonly ancestorOf: ReadonlyMap<JudgedDevice, Ancestor>;
  /** What the night was compared with. */
  readonly before: SourceState | undefined;
  /** Measured before the instrument was repaired: says nothing until it is measured again. */
  readonly unrepaired: ReadonlySet<JudgedDevice>;
  /** By `deviceKey`: records of machines that live on under another one. */
  readonly movedAway: ReadonlySet<string>;
  /** Those of them whose new record is in a source that did not answer well tonight. */
  readonly waiting: ReadonlySet<string>;
}

/** Of a source that is complete tonight, and was before. */
export function deviceEvents(scene: DeviceScene, memory: Memory): void {
  const present = new Set<string>();
  for (const device of scene.devices) {
    const key = deviceMatter(scene.source, device.facts.id);
    present.add(key);
    // Nothing is said of a record while a newer one speaks for the machine.
    if (device.excludedBecause === 'superseded') continue;
    if (device.status === 'Installed' && !scene.unrepaired.has(device)) recover(device, key, scene, memory);
    else if (!device.counted) leave(key, scene, memory, eventDevice(device, device.excludedBecause ?? device.reason));
    else if (device.status === 'Not Installed') chase(device, key, scene, memory);
  }
  const start = deviceMatter(scene.source, '');
  const missing = memory.keys(start).filter((key) => !present.has(key));
  if (missing.length === 0) return;
  const before = new Map(scene.before?.baseline?.devices.map((known) => [known.facts.id, known]));
  for (const key of missing) {
    const id = key.slice(start.length);
    miss(key, id, before.get(id), scene, memory);
  }
}

/** On a source's first night its devices are told by one `baseline` event, and remembered by it. */
export function noteBaseline(source: string, devices: readonly JudgedDevice[], slot: string, memory: Memory): void {
  const present = new Set(devices.map(({ facts }) => deviceMatter(source, facts.id)));
  // The name may have been another kind's until last night.
  for (const key of memory.keys(deviceMatter(source, ''))) if (!present.has(key)) memory.forget(key);
  for (const device of devices) {
    if (!device.counted || device.status === 'Installed') continue;
    const key = deviceMatter(source, device.facts.id);
    if (memory.recall(key) === undefined) memory.note({ key, kind: 'baseline', since: slot, last: slot });
  }
}

/** Counted and Not Installed. */
function chase(device: JudgedDevice, key: string, scene: DeviceScene, memory: Memory): void {
  if (scene.unrepaired.has(device)) return;
  const told = memory.recall(key);
  if (told === undefined) {
    // Held back, not forgotten: it is looked at again every night until its grace is over.
    if (isInGrace(device, scene)) return;
    const kind: EventKind = hadIt(device, scene) ? 'device.lost' : 'device.new-not-installed';
    memory.stands(key, kind, newsOf(device, scene));
  } else if (isOverdue(told, device.notInstalledSince ?? scene.slot, scene)) {
    const phase = told.overdue === undefined ? 'first' : 'again';
    memory.tell(key, 'device.overdue', phase, told.since, newsOf(device, scene));
    memory.note({ ...told, overdue: scene.slot });
  }
}

/** Missing for long, and a person had as long, or a week, to act on what was told last. */
function isOverdue(told: Told, since: string, { slot, policy }: DeviceScene): boolean {
  if (daysBetween(since, slot) < policy.overdueAfterDays) return false;
  if (told.overdue !== undefined) return daysBetween(told.overdue, slot) >= repeatDays;
  return daysBetween(told.last, slot) >= Math.min(repeatDays, policy.overdueAfterDays);
}

function recover(device: JudgedDevice, key: string, scene: DeviceScene, memory: Memory): void {
  memory.over(key, 'device.recovered', newsOf(device, scene));
}

/** Told, and no longer listed. */
function miss(key: string, id: string, known: KnownDevice | undefined, scene: DeviceScene, memory: Memory): void {
  const record = deviceKey(scene.source, id);
  if (scene.waiting.has(record)) return;
  // Another record speaks for the machine, or it had left the count before.
  if (scene.movedAway.has(record) || known?.counted === false) memory.forget(key);
  else leave(key, scene, memory, { ...wordsOf(known?.facts ?? { id }), status: 'Not Installed', reason: 'removed' });
}

/** Not Installed and no longer counted: the number improves, and nobody made it better. */
function leave(key: string, scene: DeviceScene, memory: Memory, device: EventDevice): void {
  const { source, platform } = scene;
  memory.over(key, 'count.left', { source, platform, device });
}

/** Its last known change was from Installed; a device that was held back may have changed some nights ago. */
function hadIt(device: JudgedDevice, { ancestorOf }: DeviceScene): boolean {
  const known = ancestorOf.get(device)?.known;
  if (known === undefined || !known.counted) return false;
  return known.status === 'Installed' || known.transitions.at(-1)?.from === 'Installed';
}

function isInGrace({ facts }: JudgedDevice, { moment, policy }: DeviceScene): boolean {
  if (facts.enrolledAt === undefined) return false;
  return Date.parse(moment) - Date.parse(facts.enrolledAt) < policy.graceHours * 3_600_000;
}

function newsOf(device: JudgedDevice, { source, platform }: DeviceScene) {
  return { source, platform, device: eventDevice(device, device.reason) };
}

export function eventDevice(device: JudgedDevice, reason: EventDevice['reason']): EventDevice {
  return {
    ...wordsOf(device.facts),
    status: device.status,
    reason,
    ...(device.notInstalledSince === undefined ? {} : { since: device.notInstalledSince }),
  };
}

export function wordsOf({ id, name, serialNumber, user }: Pick<DeviceFacts, 'id' | 'name' | 'serialNumber' | 'user'>) {
  return {
    id,
    ...(name === undefined ? {} : { name }),
    ...(serialNumber === undefined ? {} : { serialNumber }),
    ...(user === undefined ? {} : { user }),
  };
}
