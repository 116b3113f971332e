/** The devices of the report document, with everything that is known about each. */

import { omitUndefined } from '../../base/omit-undefined.ts';
import { toDeviceKey } from '../../core/device/match-devices.ts';
import type { Change, JudgedDevice, Night } from '../../core/facts/judged.ts';
import type { Transition } from '../../core/facts/state.ts';
import { readDeviceFields } from '../fields.ts';
import { isNotable } from './groups.ts';
import type { ChangeReport, ReportedDevice } from './report-document.ts';

export function listReportedDevices(night: Night): ReportedDevice[] {
  const namedKeys = collectNamedKeys(night);
  const chosen = night.devices.filter((device) => isReported(device) || namedKeys.has(toReportedKey(device)));
  const transitions = indexTransitions(night, new Set(chosen.map(toReportedKey)));
  return chosen.map((device) => toReportedDevice(device, transitions.get(toReportedKey(device)) ?? []));
}

function toReportedDevice(device: JudgedDevice, transitions: readonly Transition[]): ReportedDevice {
  const { excludedBecause, supersededBy, acknowledgement: acknowledged } = device.judgement;
  const { answers } = device.facts;
  return {
    ...omitUndefined(readDeviceFields(device)),
    ...omitUndefined({
      replacedBy: excludedBecause === 'superseded' ? supersededBy : undefined,
      answers: answers.length > 1 ? answers : undefined,
      acknowledged,
    }),
    transitions,
  };
}

function toReportedKey({ source, facts }: JudgedDevice): string {
  return toDeviceKey(source, facts.id);
}

/** Needs action, is not counted, or has an old answer. */
function isReported(device: JudgedDevice): boolean {
  return !device.judgement.counted || device.judgement.status === 'Not Installed' || device.judgement.stale;
}

function collectNamedKeys(night: Night): Set<string> {
  const keys = new Set(night.changes.map((change) => toDeviceKey(change.source, change.device.id)));
  for (const member of night.groups) {
    if (isNotable(member)) {
      keys.add(toDeviceKey(member.source, member.device.id));
    }
  }
  return keys;
}

function indexTransitions(night: Night, chosen: ReadonlySet<string>): Map<string, readonly Transition[]> {
  const kept = new Map<string, readonly Transition[]>();
  for (const { name, baseline } of night.state.sources) {
    for (const known of baseline?.devices ?? []) {
      const key = toDeviceKey(name, known.facts.id);
      if (chosen.has(key)) {
        kept.set(key, known.transitions);
      }
    }
  }
  return kept;
}

export function toChangeReport({ device, kind: change, ...rest }: Change): ChangeReport {
  const { id, name, serialNumber } = device;
  const { source, operatingSystem: platform, from, to, reason } = rest;
  return omitUndefined({ source, platform, id, name, serialNumber, from, to, change, reason });
}
