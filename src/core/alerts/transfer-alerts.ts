/** A machine with an open alert is not reported again when its record changes: the alert moves to the new record. */

import type { JudgedDevice } from '../judged.ts';
import { toDeviceKey } from '../match-devices.ts';
import type { Soundness } from '../vocabulary.ts';
import { toDeviceAlertKey } from './alert-event.ts';
import type { AlertLog } from './alert-log.ts';
import { toAlertDetails } from './device-alerts.ts';

export interface TransferAlertInput {
  readonly source: { readonly name: string; readonly soundness: Soundness };
  readonly devices: readonly JudgedDevice[];
}

/** Runs before the alerts of single devices. Only a complete source says which record stands for a machine. */
export function transferAlerts(sources: readonly TransferAlertInput[], alertLog: AlertLog): void {
  const complete = sources.filter(({ source }) => source.soundness === 'complete');
  const listed = complete.flatMap(({ devices }) => devices);
  for (const device of listed) {
    const { match } = device;
    if (match?.how === 'moved') {
      alertLog.move(
        toKnownDeviceAlertKey(match.source, match.known),
        toJudgedDeviceAlertKey(device),
        toAlertDetails(device),
      );
    }
  }
  const counted = new Map(
    listed.flatMap((device) => (device.counted ? [[toJudgedDeviceAlertKey(device), device] as const] : [])),
  );
  for (const device of listed) {
    if (device.excludedBecause !== 'superseded' || device.supersededBy === undefined) {
      continue;
    }
    const newer = toDeviceAlertKey(device.supersededBy.source, device.supersededBy.id);
    const heir = counted.get(newer);
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
