/** Divides the fleet: the figures of coverage for each value of a field. */
import type { JudgedDevice, Night } from '../../core/facts/judged.ts';
import { type CountedFigures, countFigures } from '../../core/source/coverage.ts';
import { compareCodePoints } from '../../core/text/order.ts';
import { type IntervalFigures, toIntervalFigures } from './trend.ts';

/** Fields in the order of printing, with their readers. An unknown value is ''. */
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

export interface BreakdownRow extends CountedFigures, IntervalFigures {
  readonly field: BreakdownField;
  readonly value: string;
}

const rowCache = new WeakMap<Night, readonly BreakdownRow[]>();

/** The rows, counted once for each run, since four reports print them. */
export function listBreakdown(night: Night): readonly BreakdownRow[] {
  const known = rowCache.get(night) ?? breakdownFields.flatMap((field) => countByField(field, night.devices));
  rowCache.set(night, known);
  return known;
}

function countByField(field: BreakdownField, devices: readonly JudgedDevice[]): BreakdownRow[] {
  const byValue = Map.groupBy(devices, (device) => readBreakdownValue[field](device) ?? '');
  return [...byValue]
    .map(([value, sharing]) => {
      const figures = countFigures(sharing.map(({ judgement }) => judgement));
      return { field, value, ...figures, ...toIntervalFigures(figures) };
    })
    .sort((left, right) => compareCodePoints(left.value, right.value));
}
