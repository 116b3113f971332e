/** The list of machines that report: when the agent's own console saw each device last. */

import { toMachineKey } from '../device/duplicates.ts';
import { toDeviceKey } from '../device/match-devices.ts';
import { readRealSerialNumber } from '../device/serial-numbers.ts';
import { millisecondsPerDay } from '../facts/calendar.ts';
import type { DeviceFacts, Facts } from '../facts/facts.ts';
import type { JudgedDevice } from '../facts/judged.ts';
import type { DeviceLists } from '../facts/lists.ts';
import { foldName, type ListIndex } from './list-rows.ts';

/** What a sound list of that date says of a device. */
export function createReportingReader(
  { bySerial, byName }: ListIndex<number>,
  date: string | undefined,
  devices: readonly JudgedDevice[],
  { moment, policy }: Pick<Facts, 'moment' | 'policy'>,
): (device: JudgedDevice) => Omit<DeviceLists, 'expected'> {
  const now = Date.parse(moment);
  const within = (policy.reportingWithinDays ?? 0) * millisecondsPerDay;
  // A list says nothing of the days after it was written.
  const written = Math.min(now, Date.parse(date ?? moment));
  const keys = [
    { machines: bySerial, readKey: readRealSerialNumber },
    { machines: byName, readKey: foldName },
  ]
    .filter(({ machines }) => machines.size > 0)
    .map(({ machines, readKey }) => ({ readKey, machines: hideSharedKeys(machines, devices, readKey) }));
  return ({ facts, judgement: { status, counted } }) => {
    const isInstalled = counted && status === 'Installed';
    const found = keys.flatMap(({ machines, readKey }) => {
      const key = readKey(facts);
      return machines.has(key) ? [machines.get(key)] : [];
    });
    const times = found.filter((time) => time !== undefined);
    if (times.length === 0) {
      return isInstalled && found.length === 0 ? { silent: true } : {};
    }
    const seen = Math.max(...times);
    return {
      reportingAt: new Date(seen).toISOString(),
      ...(isInstalled && { silent: seen < written - within }),
      ...(counted && status === 'Not Installed' && seen >= now - within && { isContradicted: true }),
    };
  };
}

/** A key that several machines have says nothing; nor does a device without one. */
function hideSharedKeys(
  machines: ReadonlyMap<string | undefined, number | undefined>,
  devices: readonly JudgedDevice[],
  readKey: (facts: DeviceFacts) => string | undefined,
): ReadonlyMap<string | undefined, number | undefined> {
  const shown = new Map(machines).set(undefined, undefined);
  for (const [key, own] of Map.groupBy(devices, ({ facts }) => readKey(facts))) {
    if (machines.has(key) && own.length > 1 && new Set(own.map(nameMachine)).size > 1) {
      shown.set(key, undefined);
    }
  }
  return shown;
}

function nameMachine({ source, facts, judgement }: JudgedDevice): string {
  return (judgement.sharesSerialNumber ? undefined : toMachineKey(facts)) ?? toDeviceKey(source, facts.id);
}
