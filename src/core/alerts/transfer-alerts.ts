/** A machine that was told under one record is not told again under another: what was told goes with it. */

import type { JudgedDevice } from '../judged.ts';
import { toDeviceKey } from '../match-devices.ts';
import type { Soundness } from '../vocabulary.ts';
import { toDeviceAlertKey } from './alert-event.ts';
import type { AlertLog } from './alert-log.ts';

export interface TransferAlertInput {
  readonly source: { readonly name: string; readonly soundness: Soundness };
  readonly devices: readonly JudgedDevice[];
}

/** Before anything is said of the old record. Only a complete night says where a machine lives. */
export function transferAlerts(households: readonly TransferAlertInput[], memory: AlertLog): void {
  const complete = households.filter(({ source }) => source.soundness === 'complete');
  const listed = complete.flatMap(({ devices }) => devices);
  for (const device of listed) {
    const { match } = device;
    if (match?.how === 'moved') {
      moveAlert(toKnownDeviceAlertKey(match.source, match.known), toJudgedDeviceAlertKey(device), memory);
    }
  }
  const countedKeys = new Set(listed.filter(({ counted }) => counted).map(toJudgedDeviceAlertKey));
  for (const device of listed) {
    if (device.excludedBecause !== 'superseded' || device.supersededBy === undefined) {
      continue;
    }
    const newer = toDeviceAlertKey(device.supersededBy.source, device.supersededBy.id);
    if (countedKeys.has(newer)) {
      moveAlert(toJudgedDeviceAlertKey(device), newer, memory);
    }
  }
}

/**
 * Records, by `deviceKey`, of machines that live on in a source which did not answer well tonight: what was told of
 * them waits for the night on which it does.
 */
export function findDevicesAwaitingTransfer(households: readonly TransferAlertInput[]): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const { source, devices } of households) {
    if (source.soundness === 'complete') {
      continue;
    }
    for (const { match } of devices) {
      if (match?.how === 'moved') {
        keys.add(toDeviceKey(match.source, match.known.facts.id));
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
