/** The devices of the report document, with everything that is known about each. */

import type { Change, JudgedDevice, Night } from '../../core/judged.ts';
import { toDeviceKey } from '../../core/match-devices.ts';
import type { Transition } from '../../core/state.ts';
import { forbidCopying } from '../../core/views.ts';
import { omitUndefined } from '../../omit-undefined.ts';
import { deviceFields, readDeviceFields } from '../fields.ts';
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
  const none: readonly Transition[] = [];
  return chosen.map((device) => {
    const key = toDeviceKey(device.source, device.facts.id);
    return new DeviceReportView(device, transitions.get(key) ?? none) as object as DeviceReport;
  });
}

/** A view: of a large fleet, objects with all fields would take much memory. */
class DeviceReportView {
  readonly #device: JudgedDevice;
  readonly #transitions: readonly Transition[];

  constructor(device: JudgedDevice, transitions: readonly Transition[]) {
    this.#device = device;
    this.#transitions = transitions;
    forbidCopying(this);
  }

  static {
    for (const { key, read } of deviceFields) {
      Object.defineProperty(DeviceReportView.prototype, key, {
        get(this: DeviceReportView) {
          return read(this.#device);
        },
      });
    }
  }

  get replacedBy() {
    const { excludedBecause, supersededBy } = this.#device;
    return excludedBecause === 'superseded' && supersededBy !== undefined
      ? { source: supersededBy.source, id: supersededBy.id }
      : undefined;
  }
  get answers() {
    const { answers } = this.#device.facts;
    return answers.length > 1 ? answers : undefined;
  }
  get acknowledged() {
    return this.#device.acknowledgement;
  }
  get transitions() {
    return this.#transitions;
  }

  toJSON(): DeviceReport {
    const { replacedBy, answers, acknowledged, transitions } = this;
    return {
      ...omitUndefined(readDeviceFields(this.#device)),
      ...omitUndefined({ replacedBy, answers, acknowledged }),
      transitions,
    };
  }
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
