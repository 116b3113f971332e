/** The devices of the report document, with everything that is known about each. */

import { omitUndefined } from '../../base/omit-undefined.ts';
import { toDeviceKey } from '../../core/device/match-devices.ts';
import type { Change, JudgedDevice, Night } from '../../core/facts/judged.ts';
import type { BaselineDevice, Transition } from '../../core/facts/state.ts';
import type { ChangeKind, DifferenceKind } from '../../core/facts/vocabulary.ts';
import { compareCodePoints } from '../../core/text/order.ts';
import { readDeviceFields } from '../fields.ts';
import { isNotable } from './groups.ts';

/** A device as readers get it: its known fields of `reports/fields.ts`, and values that have no column of their own. */
export type ReportedDevice = ReturnType<typeof toReportedDevice>;

export type ChangeReport = ReturnType<typeof toChangeReport<ChangeKind>>;

/** The rest of a long list is in devices.csv. */
const mostNamed = 10;

/** The devices that a source's server could not return, as `MacBook (C02ABC0001), MacBook (C02ABC0002), and 3 more`. */
export function nameUnread(devices: readonly ReportedDevice[], source: string): string {
  const unread = devices.filter((device) => device.source === source && device.reason === 'unread');
  const names = unread.map(({ id, name = id, serialNumber = '–' }) => `${name} (${serialNumber})`);
  const rest = names.splice(mostNamed).length;
  return names.join(', ') + (rest > 0 ? `, and ${rest} more` : '');
}

export function listReportedDevices(night: Night): ReportedDevice[] {
  const named = [...night.changes, ...night.groups.filter(isNotable)];
  const namedKeys = new Set(named.map(({ source, device }) => toDeviceKey(source, device.id)));
  const chosen = night.devices.filter((device) => isReported(device) || namedKeys.has(toReportedKey(device)));
  const pasts = indexBaselines(night);
  return chosen.map((device) => toReportedDevice(device, pasts.get(toReportedKey(device))?.transitions ?? []));
}

/** What the baselines hold of each device. */
export function indexBaselines({ state }: Night): Map<string, BaselineDevice> {
  return new Map(
    state.sources.flatMap(({ name, baseline }) =>
      (baseline?.devices ?? []).map((device) => [toDeviceKey(name, device.facts.id), device] as const),
    ),
  );
}

function toReportedDevice(device: JudgedDevice, transitions: readonly Transition[]) {
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

export function toReportedKey({ source, facts }: JudgedDevice): string {
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

export function toChangeReport<Kind extends DifferenceKind>({ device, kind: change, ...rest }: Change<Kind>) {
  const { id, name, serialNumber } = device;
  const { source, operatingSystem: platform, from, to, reason } = rest;
  return omitUndefined({ source, platform, id, name, serialNumber, from, to, change, reason });
}

/** What became of each device within the last runs: so that any two of them can be compared without their reports. */
const comparedNights = 30;

/** The slot of the first run that is compared with later ones. */
export function findFirstCompared({ state, slot: last }: Night): string {
  const slots = state.history.map(({ slot }) => slot).filter((slot) => slot <= last);
  return slots.slice(-comparedNights)[0] ?? last;
}

/** A device that left has no status after its last transition. */
export function listTransitions(night: Night) {
  const first = findFirstCompared(night);
  const isCompared = (slot: string) => slot > first && slot <= night.slot;
  const pasts = night.state.sources.flatMap(({ name: source, baseline, departed }) => [
    ...(baseline?.devices ?? []).map(({ facts, transitions }) => ({ source, facts, transitions })),
    ...departed.map(({ facts, transitions, leftOn: slot, status: from }) => {
      return { source, facts, transitions: [...transitions, { slot, from, to: undefined }] };
    }),
  ]);
  return pasts
    .flatMap(({ source, facts: { id, name }, transitions }) =>
      transitions
        .filter(({ slot }) => isCompared(slot))
        .map(({ slot, from, to }) => ({ slot, source, id, ...omitUndefined({ name, from, to }) })),
    )
    .sort(
      (left, right) =>
        compareCodePoints(left.slot, right.slot) ||
        compareCodePoints(left.source, right.source) ||
        compareCodePoints(left.id, right.id),
    );
}
