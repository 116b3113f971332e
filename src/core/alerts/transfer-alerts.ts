/** A machine that was told under one record is not told again under another: what was told goes with it. */

import { machineKey } from '../duplicates.ts';
import type { JudgedDevice } from '../judged.ts';
import { type Ancestor, deviceKey } from '../match-devices.ts';
import type { Soundness } from '../vocabulary.ts';
import type { Memory } from './alert-log.ts';
import { deviceMatter } from './event.ts';

export interface Household {
  readonly source: { readonly name: string; readonly soundness: Soundness };
  readonly devices: readonly JudgedDevice[];
  readonly ancestorOf: ReadonlyMap<JudgedDevice, Ancestor>;
}

/** Before anything is said of the old record. Only a complete night says where a machine lives. */
export function inherit(households: readonly Household[], memory: Memory): void {
  const complete = households.filter(({ source }) => source.soundness === 'complete');
  for (const { ancestorOf } of complete) {
    for (const [device, ancestor] of ancestorOf) {
      if (ancestor.how === 'moved') pass(matterOf(ancestor.source, ancestor.known), matterOfDevice(device), memory);
    }
  }
  const heirs = new Map<string, JudgedDevice>();
  for (const device of complete.flatMap(({ devices }) => devices)) {
    const machine = machineKey(device.facts);
    if (machine !== undefined && device.counted) heirs.set(machine, device);
  }
  for (const device of complete.flatMap(({ devices }) => devices)) {
    if (device.excludedBecause !== 'superseded') continue;
    const heir = heirs.get(machineKey(device.facts) ?? '');
    if (heir !== undefined) pass(matterOfDevice(device), matterOfDevice(heir), memory);
  }
}

/**
 * Records, by `deviceKey`, of machines that live on in a source which did not answer well tonight: what was told of
 * them waits for the night on which it does.
 */
export function waiting(households: readonly Household[]): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const { source, ancestorOf } of households) {
    if (source.soundness === 'complete') continue;
    for (const { how, source: old, known } of ancestorOf.values()) {
      if (how === 'moved') keys.add(deviceKey(old, known.facts.id));
    }
  }
  return keys;
}

function pass(from: string, to: string, memory: Memory): void {
  const told = memory.recall(from);
  if (told === undefined || from === to) return;
  memory.forget(from);
  if (memory.recall(to) === undefined) memory.note({ ...told, key: to });
}

function matterOf(source: string, { facts }: Pick<JudgedDevice, 'facts'>): string {
  return deviceMatter(source, facts.id);
}

function matterOfDevice(device: JudgedDevice): string {
  return matterOf(device.source, device);
}
