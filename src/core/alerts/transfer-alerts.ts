/** A machine with an open alert is not reported again when its record changes: the alert moves to the new record. */

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

/** Runs before the alerts of single devices. Only a complete source says which record stands for a machine. */
export function transferAlerts(sources: readonly TransferAlertInput[], alertLog: AlertLog): void {
  const complete = sources.filter(({ source }) => source.soundness === 'complete');
  for (const { baselineMatches } of complete) {
    for (const [device, match] of baselineMatches) {
      if (match.how === 'moved') {
        moveAlert(toKnownDeviceAlertKey(match.source, match.known), toJudgedDeviceAlertKey(device), alertLog);
      }
    }
  }
  const newerRecords = new Map<string, JudgedDevice>();
  for (const device of complete.flatMap(({ devices }) => devices)) {
    const machine = toMachineKey(device.facts);
    if (machine !== undefined && device.counted) {
      newerRecords.set(machine, device);
    }
  }
  for (const device of complete.flatMap(({ devices }) => devices)) {
    if (device.excludedBecause !== 'superseded') {
      continue;
    }
    const newer = newerRecords.get(toMachineKey(device.facts) ?? '');
    if (newer !== undefined) {
      moveAlert(toJudgedDeviceAlertKey(device), toJudgedDeviceAlertKey(newer), alertLog);
    }
  }
}

/**
 * Records, by `toDeviceKey`, of machines whose new record is in a source that is not complete in this run: their alerts
 * wait for the run in which it is.
 */
export function findDevicesAwaitingTransfer(sources: readonly TransferAlertInput[]): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const { source, baselineMatches } of sources) {
    if (source.soundness === 'complete') {
      continue;
    }
    for (const { how, source: old, known } of baselineMatches.values()) {
      if (how === 'moved') {
        keys.add(toDeviceKey(old, known.facts.id));
      }
    }
  }
  return keys;
}

function moveAlert(from: string, to: string, alertLog: AlertLog): void {
  const alert = alertLog.find(from);
  if (alert === undefined || from === to) {
    return;
  }
  alertLog.forget(from);
  if (alertLog.find(to) === undefined) {
    alertLog.record({ ...alert, key: to });
  }
}

function toKnownDeviceAlertKey(source: string, { facts }: Pick<JudgedDevice, 'facts'>): string {
  return toDeviceAlertKey(source, facts.id);
}

function toJudgedDeviceAlertKey(device: JudgedDevice): string {
  return toKnownDeviceAlertKey(device.source, device);
}
