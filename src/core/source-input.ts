/** Before judgement: which rows of a source are on the table tonight, and which of all of them are counted. */

import { type Classification, classifyDevice } from './classify.ts';
import { findSuperseded } from './duplicates.ts';
import { findOwnExclusion, isUnmanagedOrRetiring } from './exclusions.ts';
import { judgeExemptions } from './exemptions.ts';
import type { DeviceFacts, Facts, SourceFacts } from './facts.ts';
import type { JudgedExemption } from './judged.ts';
import { compareCodePoints } from './order.ts';
import type { RulesTable, SourceRules } from './rules.ts';
import type { SourceState, State } from './state.ts';
import type { ExcludedBecause } from './vocabulary.ts';

/** One source's part: tonight's rows, or the baseline's where tonight's answer is not complete. */
export interface SourceInput {
  readonly source: SourceFacts;
  readonly rules: SourceRules;
  readonly state: SourceState | undefined;
  readonly reading: 'fresh' | 'carried' | 'missing';
  /** By id, so that the order of the facts never matters. */
  readonly rows: readonly DeviceFacts[];
  readonly answeredOn: string;
}

export function buildSourceInput(
  source: SourceFacts,
  slot: string,
  previous: State | undefined,
  rules: RulesTable,
): SourceInput {
  const state = previous?.sources.find((past) => isSameSource(past, source));
  const common = { source, rules: rules.rulesFor(source.kind), state };
  if (source.reading === 'complete') {
    return { ...common, reading: 'fresh', rows: sortDevicesById(source.devices), answeredOn: slot };
  }
  const baseline = state?.baseline;
  if (!baseline) {
    return { ...common, reading: 'missing', rows: [], answeredOn: slot };
  }
  const rows = sortDevicesById(baseline.devices.map((device) => device.facts));
  return { ...common, reading: 'carried', rows, answeredOn: baseline.slot };
}

/** A name given to another kind is another source. */
export function isSameSource(
  left: Pick<SourceFacts, 'name' | 'kind'>,
  right: Pick<SourceFacts, 'name' | 'kind'>,
): boolean {
  return left.name === right.name && left.kind === right.kind;
}

/** A device with what its own words say, and whether it is counted. */
export interface DeviceRecord {
  readonly source: string;
  readonly facts: DeviceFacts;
  readonly classified: Classification;
  /** A newer record of the same machine took its place, whatever the reason is that is shown. */
  readonly replaced: boolean;
  readonly excludedBecause: ExcludedBecause | undefined;
  readonly counted: boolean;
}

/** The records of all sources: a machine can be enrolled in several, and an exemption can speak of any. */
export function buildDeviceRecords(
  scenes: readonly SourceInput[],
  facts: Pick<Facts, 'exemptions' | 'slot'>,
): { records: DeviceRecord[]; exemptions: readonly JudgedExemption[] } {
  const entries = scenes.flatMap(({ source, rules, rows }) =>
    rows.map((device) => {
      const own = findOwnExclusion(device, rules, source.population);
      return { source: source.name, facts: device, rules, own, passive: isUnmanagedOrRetiring(own) };
    }),
  );
  const replaced = findSuperseded(entries);
  const exempted = judgeExemptions(facts.exemptions, entries, facts.slot);
  const records = entries.map((entry): DeviceRecord => {
    const { source, facts: device, rules, own } = entry;
    let excludedBecause: ExcludedBecause | undefined = own;
    if (replaced.has(entry)) {
      excludedBecause ??= 'superseded';
    }
    if (exempted.devices.has(entry)) {
      excludedBecause ??= 'exempt';
    }
    return {
      ...{ source, facts: device, excludedBecause },
      classified: classifyDevice(device, rules),
      replaced: replaced.has(entry),
      counted: excludedBecause === undefined,
    };
  });
  return { records, exemptions: exempted.rows };
}

function sortDevicesById(devices: readonly DeviceFacts[]): DeviceFacts[] {
  return [...devices].sort((left, right) => compareCodePoints(left.id, right.id));
}
