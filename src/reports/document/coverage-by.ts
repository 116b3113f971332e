/** The fleet divided: the figures of coverage for each value of a field. */
import type { JudgedDevice, Night } from '../../core/facts/judged.ts';
import { compareCodePoints } from '../../core/text/order.ts';

/** In the order in which they are printed; each with how it is read. Not known is the value ''. */
const readBreakdownValue = {
  source: (device) => device.source,
  platform: (device) => device.facts.operatingSystem,
  reason: (device) => device.judgement.reason,
  site: ({ facts }) => facts.site,
  department: ({ facts }) => facts.department,
  building: ({ facts }) => facts.building,
  category: ({ facts }) => facts.category,
  model: ({ facts }) => facts.model,
  os_version: ({ facts }) => facts.osVersion,
} as const satisfies Readonly<Record<string, (device: JudgedDevice) => string | undefined>>;

export type BreakdownField = keyof typeof readBreakdownValue;

const breakdownFields = Object.keys(readBreakdownValue) as readonly BreakdownField[];

export interface BreakdownRow {
  readonly field: BreakdownField;
  readonly value: string;
  /** All devices with the value; the figures below are over counted ones. */
  readonly devices: number;
  readonly counted: number;
  readonly installed: number;
  readonly notInstalled: number;
  readonly provenInstalled: number;
  readonly provenNotInstalled: number;
}

const rowCache = new WeakMap<Night, readonly BreakdownRow[]>();

/** Counted once for each run, since four reports print it. */
export function listBreakdown(night: Night): readonly BreakdownRow[] {
  const known = rowCache.get(night) ?? breakdownFields.flatMap((field) => countByField(field, night.devices));
  rowCache.set(night, known);
  return known;
}

function countByField(field: BreakdownField, devices: readonly JudgedDevice[]): BreakdownRow[] {
  const rows = new Map<string, { -readonly [Key in keyof BreakdownRow]: BreakdownRow[Key] }>();
  for (const device of devices) {
    const value = readBreakdownValue[field](device) ?? '';
    let row = rows.get(value);
    if (row === undefined) {
      row = {
        field,
        value,
        devices: 0,
        counted: 0,
        installed: 0,
        notInstalled: 0,
        provenInstalled: 0,
        provenNotInstalled: 0,
      };
      rows.set(value, row);
    }
    const isInstalled = device.judgement.status === 'Installed';
    row.devices += 1;
    row.counted += Number(device.judgement.counted);
    row.installed += Number(device.judgement.counted && isInstalled);
    row.notInstalled += Number(device.judgement.counted && !isInstalled);
    row.provenInstalled += Number(device.judgement.counted && device.judgement.proven && isInstalled);
    row.provenNotInstalled += Number(device.judgement.counted && device.judgement.proven && !isInstalled);
  }
  return [...rows.values()].sort((left, right) => compareCodePoints(left.value, right.value));
}
