/** A machine with an open alert is not reported again when its record changes: the alert moves to the new record. */

import type { JudgedDevice, MatchedDevice } from '../judged.ts';
import { toDeviceKey } from '../match-devices.ts';
import type { Soundness } from '../vocabulary.ts';
import { toDeviceAlertKey } from './alert-event.ts';
import type { AlertLog } from './alert-log.ts';
import { toAlertDetails } from './device-alerts.ts';

export interface TransferAlertInput {
  readonly source: { readonly name: string; readonly soundness: Soundness };
  readonly devices: readonly MatchedDevice[];
}

/** Runs before the alerts of single devices. Only a complete source says which record stands for a machine. */
export function transferAlerts(sources: readonly TransferAlertInput[], alertLog: AlertLog): void {
  const complete = sources.filter(({ source }) => source.soundness === 'complete');
  const superseded: { readonly device: JudgedDevice; readonly newer: string }[] = [];
  for (const device of complete.flatMap(({ devices }) => devices)) {
    const { match, supersededBy } = device;
    if (device.excludedBecause === 'superseded' && supersededBy !== undefined) {
      superseded.push({ device, newer: toDeviceAlertKey(supersededBy.source, supersededBy.id) });
    }
    if (match?.how === 'moved') {
      alertLog.move(
        toKnownDeviceAlertKey(match.source, match.known),
        toJudgedDeviceAlertKey(device),
        toAlertDetails(device),
      );
    }
  }
  const heirs = new Map<string, JudgedDevice | undefined>(superseded.map(({ newer }) => [newer, undefined]));
  for (const device of heirs.size === 0 ? [] : complete.flatMap(({ devices }) => devices)) {
    const key = toJudgedDeviceAlertKey(device);
    if (device.counted && heirs.has(key)) {
      heirs.set(key, device);
    }
  }
  for (const { device, newer } of superseded) {
    const heir = heirs.get(newer);
    if (heir !== undefined) {
      alertLog.move(toJudgedDeviceAlertKey(device), newer, toAlertDetails(heir));
    }
  }
}

/**
 * Records, by `toDeviceKey`, of machines whose new record is in a source that is not complete in this run: their alerts
 * wait for the run in which it is.
 */
export function findDevicesAwaitingTransfer(sources: readonly TransferAlertInput[]): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const { source, devices } of sources) {
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

function toKnownDeviceAlertKey(source: string, { facts }: Pick<JudgedDevice, 'facts'>): string {
  return toDeviceAlertKey(source, facts.id);
}

function toJudgedDeviceAlertKey(device: JudgedDevice): string {
  return toKnownDeviceAlertKey(device.source, device);
}
