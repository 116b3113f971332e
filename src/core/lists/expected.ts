/** The list of expected machines: which of them no source knows, and which devices are not on it. */

import { readRealSerialNumber } from '../device/serial-numbers.ts';
import type { DeviceFacts } from '../facts/facts.ts';
import type { JudgedDevice } from '../facts/judged.ts';
import type { JudgedExpectedList, JudgedList } from '../facts/lists.ts';
import { type ExpectedMachine, type ListIndex, readListSerial } from './list-rows.ts';

/** All that is known of the fleet tonight. */
export interface KnownFleet {
  readonly devices: readonly JudgedDevice[];
  /** Devices of baselines, where tonight's answer may lack some of them. */
  readonly earlier: readonly DeviceFacts[];
  /** Sources of which nothing is known. */
  readonly heldBy: readonly string[];
}

export function judgeExpected(
  list: JudgedList,
  { bySerial }: ListIndex<ExpectedMachine>,
  { devices, earlier, heldBy }: KnownFleet,
): JudgedExpectedList {
  const enrolled = new Set([...devices.map(({ facts }) => facts), ...earlier].map(readListSerial));
  const expected = [...bySerial].flatMap(([key, machine]) =>
    machine?.isExpired === false ? [{ key, ...machine }] : [],
  );
  const unenrolled = expected
    .filter(({ key }) => !enrolled.has(key))
    .map(({ row: { serial = '', ...row }, file }) => ({ serialNumber: serial, file, ...row }));
  const unidentified = devices.filter(({ facts, judgement }) => judgement.counted && !readRealSerialNumber(facts));
  return {
    ...list,
    expected: expected.length,
    unenrolled: list.soundness === 'sound' && heldBy.length === 0 ? unenrolled : undefined,
    heldBy,
    unidentified: unidentified.length,
  };
}

/** Undefined where nothing can be said: its row cannot be read, or no serial number identifies the device. */
export function isExpected(facts: DeviceFacts, { bySerial }: ListIndex<ExpectedMachine>): boolean | undefined {
  const serial = readListSerial(facts) ?? '';
  if (!bySerial.has(serial)) {
    return readRealSerialNumber(facts) === undefined ? undefined : false;
  }
  const isExpired = bySerial.get(serial)?.isExpired;
  return isExpired === undefined ? undefined : !isExpired;
}
