/** The devices of the report document, with everything that is known about each. */

import { omitUndefined } from '../../base/omit-undefined.ts';
import { toDeviceKey } from '../../core/device/match-devices.ts';
import type { Change, JudgedDevice, Night } from '../../core/facts/judged.ts';
import type { Transition } from '../../core/facts/state.ts';
import type { DifferenceKind } from '../../core/facts/vocabulary.ts';
import { readDeviceFields } from '../fields.ts';
import { isNotable } from './groups.ts';
import type { ReportedDevice } from './report-document.ts';

export function listReportedDevices(night: Night): ReportedDevice[] {
  const namedKeys = collectNamedKeys(night);
  const chosen = night.devices.filter((device) => isReported(device) || namedKeys.has(toReportedKey(device)));
  const transitions = indexTransitions(night);
  return chosen.map((device) => toReportedDevice(device, transitions.get(toReportedKey(device)) ?? []));
}

function toReportedDevice(device: JudgedDevice, transitions: readonly Transition[]): ReportedDevice {
  const { excludedBecause, supersededBy, isContradicted, acknowledgement: acknowledged } = device.judgement;
  const { answers } = device.facts;
  return {
    ...omitUndefined(readDeviceFields(device)),
    ...omitUndefined({
      replacedBy: excludedBecause === 'superseded' ? supersededBy : undefined,
      contradicted: isContradicted || undefined,
      contradictedByConsole: device.lists?.isContradicted,
      answers: answers.length > 1 ? answers : undefined,
      acknowledged,
    }),
    transitions,
  };
}

function toReportedKey({ source, facts }: JudgedDevice): string {
  return toDeviceKey(source, facts.id);
}

/**
 * Needs action, is not counted, has an old answer or one that another kind of source contradicts, or could not be read; or
 * its console does not see it, or nobody expects it.
 */
function isReported({ judgement: { counted, status, stale, isContradicted, unread }, lists }: JudgedDevice): boolean {
  const isNamedByList = lists?.silent === true || lists?.expected === false;
  return !counted || status === 'Not Installed' || stale || isContradicted || unread !== undefined || isNamedByList;
}

function collectNamedKeys(night: Night): Set<string> {
  const named = [...night.changes, ...night.groups.filter(isNotable)];
  return new Set(named.map(({ source, device }) => toDeviceKey(source, device.id)));
}

function indexTransitions({ state }: Night): ReadonlyMap<string, readonly Transition[]> {
  return new Map(
    state.sources.flatMap(({ name, baseline }) =>
      (baseline?.devices ?? []).map(({ facts, transitions }) => [toDeviceKey(name, facts.id), transitions] as const),
    ),
  );
}

export function toChangeReport<Kind extends DifferenceKind>({ device, kind: change, ...rest }: Change<Kind>) {
  const { id, name, serialNumber } = device;
  const { source, operatingSystem: platform, from, to, reason } = rest;
  return omitUndefined({ source, platform, id, name, serialNumber, from, to, change, reason });
}
