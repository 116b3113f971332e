/** The list of expected machines: which of them no source knows, and which devices are not on it. */

import { readRealSerialNumber } from '../device/serial-numbers.ts';
import type { DeviceFacts } from '../facts/facts.ts';
import type { JudgedDevice } from '../facts/judged.ts';
import type { JudgedExpectedList, JudgedList, UnenrolledMachine } from '../facts/lists.ts';
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
  const expected = [...bySerial].filter(([, machine]) => machine?.isExpired === false);
  const isJudged = list.soundness === 'sound' && heldBy.length === 0;
  const unenrolled = expected.flatMap(([serial, machine]) =>
    machine === undefined || enrolled.has(serial) ? [] : [toUnenrolled(machine)],
  );
  const unidentified = devices.filter(({ facts, judgement }) => judgement.counted && !readRealSerialNumber(facts));
  return {
    ...list,
    expected: expected.length,
    unenrolled: isJudged ? unenrolled : undefined,
    heldBy,
    unidentified: unidentified.length,
  };
}

function toUnenrolled({ row, file }: ExpectedMachine): UnenrolledMachine {
  const { serial = '', owner, site, bought, until, note } = row;
  return { serialNumber: serial, file, owner, site, bought, until, note };
}

/** Undefined where nothing can be said: its row cannot be read, or no serial number identifies the device. */
export function isExpected(facts: DeviceFacts, { bySerial }: ListIndex<ExpectedMachine>): boolean | undefined {
  const serial = readListSerial(facts) ?? '';
  if (bySerial.has(serial)) {
    const isExpired = bySerial.get(serial)?.isExpired;
    return isExpired === undefined ? undefined : !isExpired;
  }
  return readRealSerialNumber(facts) === undefined ? undefined : false;
}
