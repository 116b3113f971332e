/** The list of machines that report: when the agent's own console saw each device last. */

import { toMachineKey } from '../device/duplicates.ts';
import { toDeviceKey } from '../device/match-devices.ts';
import { readRealSerialNumber } from '../device/serial-numbers.ts';
import { millisecondsPerDay } from '../facts/calendar.ts';
import type { DeviceFacts, Facts } from '../facts/facts.ts';
import type { JudgedDevice } from '../facts/judged.ts';
import type { DeviceLists, JudgedList } from '../facts/lists.ts';
import { foldName, type ListIndex } from './list-rows.ts';

/** What a sound list says of a device. */
export function createReportingReader(
  list: JudgedList,
  index: ListIndex<number>,
  devices: readonly JudgedDevice[],
  { moment, policy }: Pick<Facts, 'moment' | 'policy'>,
): (device: JudgedDevice) => Omit<DeviceLists, 'expected'> {
  const now = Date.parse(moment);
  const within = (policy.reportingWithinDays ?? 0) * millisecondsPerDay;
  // A list says nothing of the days after it was written.
  const written = Math.min(now, Date.parse(list.date ?? moment));
  const keys = [
    { machines: index.bySerial, readKey: readRealSerialNumber, shared: findSharedKeys(devices, readRealSerialNumber) },
    { machines: index.byName, readKey: foldName, shared: findSharedKeys(devices, foldName) },
  ];
  return ({ facts, judgement: { status, counted } }) => {
    const isInstalled = counted && status === 'Installed';
    const looks = keys.map(({ machines, readKey, shared }) => lookUp(readKey(facts), machines, shared));
    const times = looks.filter((look) => typeof look === 'number');
    if (times.length === 0) {
      return isInstalled && !looks.includes('unknown') ? { silent: true } : {};
    }
    const seen = Math.max(...times);
    return {
      reportingAt: new Date(seen).toISOString(),
      ...(isInstalled && { silent: seen < written - within }),
      ...(counted && status === 'Not Installed' && seen >= now - within && { isContradicted: true }),
    };
  };
}

/** A key that several machines have, or that cannot be read, says nothing; nor does a device without one. */
function lookUp(
  key: string | undefined,
  machines: ReadonlyMap<string, number | undefined>,
  shared: ReadonlySet<string>,
): number | 'absent' | 'unknown' {
  if (machines.size === 0) {
    return 'absent';
  }
  if (key === undefined || (shared.has(key) && machines.has(key))) {
    return 'unknown';
  }
  return machines.has(key) ? (machines.get(key) ?? 'unknown') : 'absent';
}

function findSharedKeys(
  devices: readonly JudgedDevice[],
  readKey: (facts: DeviceFacts) => string | undefined,
): ReadonlySet<string> {
  const machines = new Map<string, string>();
  const shared = new Set<string>();
  for (const { source, facts, judgement } of devices) {
    const key = readKey(facts) ?? '';
    const alone = judgement.sharesSerialNumber ? undefined : toMachineKey(facts);
    const machine = alone ?? toDeviceKey(source, facts.id);
    if ((machines.get(key) ?? machine) !== machine) {
      shared.add(key);
    }
    machines.set(key, machine);
  }
  return shared;
}
