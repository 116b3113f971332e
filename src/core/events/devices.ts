/** Events about single devices: who lost the agent, who came without it, who is overdue, who recovered, who left. */
import type { Policy } from '../facts.ts';
import type { JudgedDevice } from '../judged.ts';
import type { Ancestor } from '../lineage.ts';
import type { EventKind } from '../told.ts';
import { daysBetween, deviceMatter, type EventDevice, repeatDays } from './event.ts';
import type { Memory } from './memory.ts';

export interface DeviceScene {
  readonly source: string;
  readonly platform: string;
  readonly slot: string;
  readonly moment: string;
  readonly policy: Policy;
  readonly devices: readonly JudgedDevice[];
  readonly ancestorOf: ReadonlyMap<JudgedDevice, Ancestor>;
  /** Measured before the instrument was repaired: says nothing until it is measured again. */
  readonly unrepaired: ReadonlySet<JudgedDevice>;
}

/** Of a source that is complete tonight, and was before. */
export function deviceEvents(scene: DeviceScene, memory: Memory): void {
  const present = new Set<string>();
  for (const device of scene.devices) {
    const key = deviceMatter(scene.source, device.facts.id);
    present.add(key);
    if (device.excludedBecause === 'superseded') memory.forget(key);
    else if (!device.counted) leave(key, scene, memory, eventDevice(device, device.excludedBecause ?? device.reason));
    else if (device.status === 'Installed') recover(device, key, scene, memory);
    else chase(device, key, scene, memory);
  }
  for (const key of memory.keys(deviceMatter(scene.source, ''))) {
    if (present.has(key)) continue;
    const id = key.slice(deviceMatter(scene.source, '').length);
    leave(key, scene, memory, { id, status: 'Not Installed', reason: 'removed' });
  }
}

/** On a source's first night its devices are told by one `baseline` event, and remembered by it. */
export function noteBaseline(devices: readonly JudgedDevice[], slot: string, memory: Memory): void {
  for (const device of devices) {
    if (!device.counted || device.status === 'Installed') continue;
    const key = deviceMatter(device.source, device.facts.id);
    if (memory.recall(key) === undefined) memory.note({ key, kind: 'baseline', since: slot, last: slot });
  }
}

/** A device that came back under a new id keeps what was told under the old one. Before anything is said of the old id. */
export function inherit({ source, ancestorOf }: Pick<DeviceScene, 'source' | 'ancestorOf'>, memory: Memory): void {
  for (const [device, ancestor] of ancestorOf) {
    if (ancestor.how !== 'moved') continue;
    const old = deviceMatter(ancestor.source, ancestor.known.facts.id);
    const told = memory.recall(old);
    if (told === undefined) continue;
    const key = deviceMatter(source, device.facts.id);
    memory.forget(old);
    if (memory.recall(key) === undefined) memory.note({ ...told, key });
  }
}

function chase(device: JudgedDevice, key: string, scene: DeviceScene, memory: Memory): void {
  if (scene.unrepaired.has(device)) return;
  const told = memory.recall(key);
  if (told === undefined) {
    // Held back, not forgotten: it is looked at again every night until its grace is over.
    if (isInGrace(device, scene)) return;
    const kind: EventKind = hadIt(device, scene) ? 'device.lost' : 'device.new-not-installed';
    memory.stands(key, kind, newsOf(device, scene));
    return;
  }
  const since = device.notInstalledSince ?? scene.slot;
  if (daysBetween(since, scene.slot) < scene.policy.overdueAfterDays) return;
  if (told.overdue !== undefined && daysBetween(told.overdue, scene.slot) < repeatDays) return;
  memory.tell(key, 'device.overdue', newsOf(device, scene), told.since);
  memory.note({ ...told, overdue: scene.slot });
}

function recover(device: JudgedDevice, key: string, scene: DeviceScene, memory: Memory): void {
  if (scene.unrepaired.has(device)) return;
  memory.over(key, 'device.recovered', newsOf(device, scene));
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
  const { id, name, serialNumber, user } = device.facts;
  return {
    id,
    ...(name === undefined ? {} : { name }),
    ...(serialNumber === undefined ? {} : { serialNumber }),
    ...(user === undefined ? {} : { user }),
    status: device.status,
    reason,
    ...(device.notInstalledSince === undefined ? {} : { since: device.notInstalledSince }),
  };
}
