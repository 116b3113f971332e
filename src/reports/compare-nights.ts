/** What changed between any two judged nights: their devices side by side, without what lay between them. Pure. */

import { toDeviceKey } from '../core/device/match-devices.ts';
import { readRealSerialNumber } from '../core/device/serial-numbers.ts';
import type { JudgedDevice, Night } from '../core/facts/judged.ts';
import { type ChangeKind, changeKinds, type ExcludedBecause, type Reason } from '../core/facts/vocabulary.ts';
import { compareCodePoints } from '../core/text/order.ts';

export interface NightDifference {
  readonly kind: ChangeKind;
  /** As it is on the later night; of one that is gone, as it was on the earlier one. */
  readonly device: JudgedDevice;
  readonly reason: Reason | ExcludedBecause;
}

export function compareNights(earlier: Night, later: Night): NightDifference[] {
  const before = indexById(earlier.devices);
  const after = indexById(later.devices);
  const gone = indexBySerialNumber(earlier.devices.filter((device) => !after.has(toKey(device))));
  const moved = new Set<JudgedDevice>();
  const differences = later.devices.flatMap((device): NightDifference[] => {
    const same = before.get(toKey(device));
    if (same !== undefined) {
      return compareDevice(same, device);
    }
    const old = findAlone(gone, device);
    if (old === undefined) {
      const kind = device.judgement.status === 'Installed' ? 'new-installed' : 'new-not-installed';
      return device.judgement.counted ? [{ kind, device, reason: device.judgement.reason }] : [];
    }
    moved.add(old);
    const hasMoved = old.judgement.counted || device.judgement.counted;
    return [
      ...(hasMoved ? [{ kind: 'moved', device, reason: device.judgement.reason } as const] : []),
      ...compareDevice(old, device),
    ];
  });
  const removed = earlier.devices
    .filter((device) => device.judgement.counted && !after.has(toKey(device)) && !moved.has(device))
    .map((device): NightDifference => ({ kind: 'removed', device, reason: device.judgement.reason }));
  return [...differences, ...removed].sort(
    (left, right) =>
      changeKinds.indexOf(left.kind) - changeKinds.indexOf(right.kind) ||
      compareCodePoints(left.device.source, right.device.source) ||
      compareCodePoints(left.device.facts.id, right.device.facts.id),
  );
}

function compareDevice(old: JudgedDevice, device: JudgedDevice): NightDifference[] {
  const { reason, excludedBecause } = device.judgement;
  if (old.judgement.counted && device.judgement.counted) {
    const kind = device.judgement.status === 'Installed' ? 'recovered' : 'lost';
    return old.judgement.status === device.judgement.status ? [] : [{ kind, device, reason }];
  }
  if (old.judgement.counted) {
    return [{ kind: 'excluded', device, reason: excludedBecause ?? reason }];
  }
  return device.judgement.counted
    ? [{ kind: 'included', device, reason: old.judgement.excludedBecause ?? reason }]
    : [];
}

function toKey({ source, facts }: JudgedDevice): string {
  return toDeviceKey(source, facts.id);
}

function indexById(devices: readonly JudgedDevice[]): ReadonlyMap<string, JudgedDevice> {
  return new Map(devices.map((device) => [toKey(device), device]));
}

function indexBySerialNumber(devices: readonly JudgedDevice[]): ReadonlyMap<string, readonly JudgedDevice[]> {
  const withSerialNumber = devices.filter(({ facts }) => readRealSerialNumber(facts) !== undefined);
  return Map.groupBy(withSerialNumber, ({ facts }) => readRealSerialNumber(facts) ?? '');
}

/** Where several records had the serial number, nobody can tell which of them this one was. */
function findAlone(
  gone: ReadonlyMap<string, readonly JudgedDevice[]>,
  { facts }: JudgedDevice,
): JudgedDevice | undefined {
  const [old, ...others] = gone.get(readRealSerialNumber(facts) ?? '') ?? [];
  return others.length === 0 && old?.facts.operatingSystem === facts.operatingSystem ? old : undefined;
}
