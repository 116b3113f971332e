/** The devices of the report document, with everything that is known about each. */

import { toMachineKey } from '../../core/duplicates.ts';
import type { Change, JudgedDevice, Night } from '../../core/judged.ts';
import { toDeviceKey } from '../../core/match-devices.ts';
import type { Transition } from '../../core/state.ts';
import { omitUndefined } from '../../omit-undefined.ts';
import { readDeviceFields } from '../fields.ts';
import { isNotable } from './groups.ts';
import type { ChangeReport, DeviceReport } from './report-document.ts';

export function buildDeviceReports(night: Night): DeviceReport[] {
  const reportedKeys = collectReportedKeys(night);
  const chosen = night.devices.filter(
    (device) => isReported(device) || reportedKeys.has(toDeviceKey(device.source, device.facts.id)),
  );
  const replacements = indexReplacements(night.devices);
  const transitions = indexTransitions(night);
  return chosen.map((device) => {
    const { source, facts, excludedBecause } = device;
    return {
      ...omitUndefined(readDeviceFields(device)),
      ...omitUndefined({
        replacedBy: excludedBecause === 'superseded' ? replacements(device) : undefined,
        answers: facts.answers.length > 1 ? facts.answers : undefined,
      }),
      transitions: transitions.get(toDeviceKey(source, facts.id)) ?? [],
    };
  });
}

/** Needs action, is not counted, or has an old answer. */
function isReported(device: JudgedDevice): boolean {
  return !device.counted || device.status === 'Not Installed' || device.stale;
}

function collectReportedKeys(night: Night): Set<string> {
  const keys = new Set(night.changes.map((change) => toDeviceKey(change.source, change.device.id)));
  for (const member of night.groups) {
    if (isNotable(member)) {
      keys.add(toDeviceKey(member.source, member.deviceId));
    }
  }
  return keys;
}

/** Where several records are one machine: the record that represents it. */
function indexReplacements(devices: readonly JudgedDevice[]): (device: JudgedDevice) => DeviceReport['replacedBy'] {
  const replacements = new Map<string, JudgedDevice>();
  for (const device of devices) {
    const key = toMachineKey(device.facts);
    if (key === undefined || device.excludedBecause === 'superseded') {
      continue;
    }
    if (device.counted || !replacements.has(key)) {
      replacements.set(key, device);
    }
  }
  return (device) => {
    const found = replacements.get(toMachineKey(device.facts) ?? '');
    return found && { source: found.source, id: found.facts.id };
  };
}

function indexTransitions(night: Night): Map<string, readonly Transition[]> {
  const kept = new Map<string, readonly Transition[]>();
  for (const { name, baseline } of night.state.sources) {
    for (const known of baseline?.devices ?? []) {
      kept.set(toDeviceKey(name, known.facts.id), known.transitions);
    }
  }
  return kept;
}

export function toChangeReport({ source, platform, device, kind, from, to, reason }: Change): ChangeReport {
  const { id, name, serialNumber } = device;
  return { source, platform, id, ...omitUndefined({ name, serialNumber, from, to }), change: kind, reason };
}
