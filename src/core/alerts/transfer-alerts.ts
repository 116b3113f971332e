/** A machine that was told under one record is not told again under another: what was told goes with it. */

import { toMachineKey } from '../duplicates.ts';
import type { JudgedDevice } from '../judged.ts';
import { type BaselineMatch, toDeviceKey } from '../match-devices.ts';
import type { Soundness } from '../vocabulary.ts';
import { toDeviceAlertKey } from './alert-event.ts';
import type { AlertLog } from './alert-log.ts';

export interface TransferAlertInput {
  readonly source: { readonly name: string; readonly soundness: Soundness };
  readonly devices: readonly JudgedDevice[];
  readonly baselineMatches: ReadonlyMap<JudgedDevice, BaselineMatch>;
}

/** Before anything is said of the old record. Only a complete night says where a machine lives. */
export function transferAlerts(households: readonly TransferAlertInput[], memory: AlertLog): void {
  const complete = households.filter(({ source }) => source.soundness === 'complete');
  for (const { baselineMatches: ancestorOf } of complete) {
    for (const [device, ancestor] of ancestorOf) {
      if (ancestor.how === 'moved') {
        moveAlert(toKnownDeviceAlertKey(ancestor.source, ancestor.known), toJudgedDeviceAlertKey(device), memory);
      }
    }
  }
  const heirs = new Map<string, JudgedDevice>();
  for (const device of complete.flatMap(({ devices }) => devices)) {
    const machine = toMachineKey(device.facts);
    if (machine !== undefined && device.counted) {
      heirs.set(machine, device);
    }
  }
  for (const device of complete.flatMap(({ devices }) => devices)) {
    if (device.excludedBecause !== 'superseded') {
      continue;
    }
    const heir = heirs.get(toMachineKey(device.facts) ?? '');
    if (heir !== undefined) {
      moveAlert(toJudgedDeviceAlertKey(device), toJudgedDeviceAlertKey(heir), memory);
    }
  }
}

/**
 * Records, by `deviceKey`, of machines that live on in a source which did not answer well tonight: what was told of
 * them waits for the night on which it does.
 */
export function findDevicesAwaitingTransfer(households: readonly TransferAlertInput[]): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const { source, baselineMatches: ancestorOf } of households) {
    if (source.soundness === 'complete') {
      continue;
    }
    for (const { how, source: old, known } of ancestorOf.values()) {
      if (how === 'moved') {
        keys.add(toDeviceKey(old, known.facts.id));
      }
    }
  }
  return keys;
}

function moveAlert(from: string, to: string, memory: AlertLog): void {
  const told = memory.find(from);
  if (told === undefined || from === to) {
    return;
  }
  memory.forget(from);
  if (memory.find(to) === undefined) {
    memory.record({ ...told, key: to });
  }
}

function toKnownDeviceAlertKey(source: string, { facts }: Pick<JudgedDevice, 'facts'>): string {
  return toDeviceAlertKey(source, facts.id);
}

function toJudgedDeviceAlertKey(device: JudgedDevice): string {
  return toKnownDeviceAlertKey(device.source, device);
}
