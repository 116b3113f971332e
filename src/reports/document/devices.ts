/** The devices of the report document, with everything that is known about each. */

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
  const transitions = indexTransitions(
    night,
    new Set(chosen.map(({ source, facts }) => toDeviceKey(source, facts.id))),
  );
  return chosen.map((device) => {
    const { source, facts, excludedBecause, supersededBy } = device;
    return {
      ...omitUndefined(readDeviceFields(device)),
      ...omitUndefined({
        replacedBy:
          excludedBecause === 'superseded' && supersededBy !== undefined
            ? { source: supersededBy.source, id: supersededBy.id }
            : undefined,
        answers: facts.answers.length > 1 ? facts.answers : undefined,
        acknowledged: device.acknowledgement,
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

export function toChangeReport({ source, platform, device, kind, from, to, reason }: Change): ChangeReport {
  const { id, name, serialNumber } = device;
  return { source, platform, id, ...omitUndefined({ name, serialNumber, from, to }), change: kind, reason };
}
