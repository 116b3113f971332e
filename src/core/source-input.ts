/** Before judgement: which rows of a source are on the table tonight, and which of all of them are counted. */

import { dropImpossibleEnrolment } from './ages.ts';
import { type Classification, classifyDevice } from './classify.ts';
import { findDuplicates, toMachineKey } from './duplicates.ts';
import { findOwnExclusion, isUnmanagedOrRetiring } from './exclusions.ts';
import { judgeExemptions } from './exemptions.ts';
import type { DeviceFacts, Facts, SourceFacts } from './facts.ts';
import { readingTime, rememberReading } from './instrument.ts';
import type { InstrumentMemory } from './instrument-memory.ts';
import type { JudgedExemption } from './judged.ts';
import { sortDevicesById } from './order.ts';
import type { RulesTable, SourceRules } from './rules.ts';
import type { SourceState, State } from './state.ts';
import type { ExcludedBecause } from './vocabulary.ts';

/** One source's part: tonight's rows, or the baseline's where tonight's answer is not complete. */
export interface SourceInput {
  readonly source: SourceFacts;
  readonly rules: SourceRules;
  readonly state: SourceState | undefined;
  /** After tonight's reading. */
  readonly instrumentMemory: InstrumentMemory;
  readonly reading: 'fresh' | 'carried' | 'missing';
  /** By id, so that the order of the facts never matters. */
  readonly rows: readonly DeviceFacts[];
  readonly answeredOn: string;
}

export function buildSourceInput(
  source: SourceFacts,
  night: Pick<Facts, 'slot' | 'moment' | 'earlierReadings'>,
  previous: State | undefined,
  rules: RulesTable,
): SourceInput {
  const { slot } = night;
  const state = previous?.sources.find((past) => isSameSource(past, source));
  const past = night.earlierReadings?.find((reading) => isSameSource(reading, source)) ?? state;
  const instrumentMemory = rememberReading(source, past?.instrumentMemory ?? {}, night);
  const common = { source, rules: rules.rulesFor(source.kind), state, instrumentMemory };
  if (source.reading === 'complete') {
    const readAt = readingTime(source, night);
    const rows = sortDevicesById(source.devices).map((device) => dropImpossibleEnrolment(device, readAt));
    return { ...common, reading: 'fresh', rows, answeredOn: slot };
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
  /** `toMachineKey` of the record. */
  readonly machine: string | undefined;
  /** The newer record of the same machine that took its place, whatever the reason is that is shown. */
  readonly supersededBy: DeviceReference | undefined;
  readonly sharesSerialNumber: boolean;
  readonly excludedBecause: ExcludedBecause | undefined;
  readonly counted: boolean;
}

export interface DeviceReference {
  readonly source: string;
  readonly id: string;
}

export interface DeviceRecords {
  readonly records: readonly DeviceRecord[];
  readonly exemptions: readonly JudgedExemption[];
  /** Records that live at once and have one serial number, a list for each. */
  readonly sharing: readonly (readonly DeviceReference[])[];
}

/** The records of all sources: a machine can be enrolled in several, and an exemption can speak of any. */
export function buildDeviceRecords(
  inputs: readonly SourceInput[],
  facts: Pick<Facts, 'exemptions' | 'slot' | 'moment' | 'policy'>,
): DeviceRecords {
  const entries = inputs.flatMap(({ source, rules, rows }) =>
    rows.map((device) => {
      const own = findOwnExclusion(device, rules, source.population);
      const passive = isUnmanagedOrRetiring(own);
      return { source: source.name, facts: device, rules, own, passive, machine: toMachineKey(device) };
    }),
  );
  const { moment, policy } = facts;
  const { supersededBy, shared } = findDuplicates(entries, { moment, staleAfterDays: policy.staleAfterDays });
  const sharing = new Set([...shared.values()].flat());
  const remembered = new Map(
    inputs.flatMap(({ source, reading, state }) =>
      reading === 'carried' ? [[source.name, state?.baseline?.exemptUsers ?? []] as const] : [],
    ),
  );
  // Not counted for a reason of its own, or replaced by a newer record: there is nothing to exempt.
  const countable = entries.filter((entry) => entry.own === undefined && !supersededBy.has(entry));
  const exempted = judgeExemptions(facts.exemptions, countable, facts.slot, remembered);
  const records = entries.map((entry): DeviceRecord => {
    const { source, facts: device, rules, own, machine } = entry;
    const newer = supersededBy.get(entry);
    const excludedBecause: ExcludedBecause | undefined =
      own ?? (newer ? 'superseded' : undefined) ?? (exempted.devices.has(entry) ? 'exempt' : undefined);
    return {
      source,
      facts: device,
      machine,
      excludedBecause,
      sharesSerialNumber: sharing.has(entry),
      classified: classifyDevice(device, rules),
      supersededBy: newer && { source: newer.source, id: newer.facts.id },
      counted: excludedBecause === undefined,
    };
  });
  return {
    records,
    exemptions: exempted.rows,
    sharing: [...shared.values()].map((group) => group.map((entry) => ({ source: entry.source, id: entry.facts.id }))),
  };
}
