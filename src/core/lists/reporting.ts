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
  const keys = (
    [
      [index.bySerial, readRealSerialNumber],
      [index.byName, foldName],
    ] as const
  ).map(([machines, readKey]) => ({ machines, readKey, shared: findSharedKeys(devices, readKey) }));
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
  shared: ReadonlySet<string | undefined>,
): number | 'absent' | 'unknown' {
  if (machines.size === 0 || (key !== undefined && !machines.has(key))) {
    return 'absent';
  }
  return key === undefined || shared.has(key) ? 'unknown' : (machines.get(key) ?? 'unknown');
}

function findSharedKeys(
  devices: readonly JudgedDevice[],
  readKey: (facts: DeviceFacts) => string | undefined,
): ReadonlySet<string | undefined> {
  const byKey = Map.groupBy(devices, ({ facts }) => readKey(facts));
  const isShared = (own: readonly JudgedDevice[]) => own.length > 1 && new Set(own.map(nameMachine)).size > 1;
  return new Set([...byKey].flatMap(([key, own]) => (isShared(own) ? [key] : [])));
}

function nameMachine({ source, facts, judgement }: JudgedDevice): string {
  return (judgement.sharesSerialNumber ? undefined : toMachineKey(facts)) ?? toDeviceKey(source, facts.id);
}
