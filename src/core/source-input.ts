/** Before judgement: which rows of a source are on the table tonight, and which of all of them are counted. */

import { dropImpossibleEnrolment } from './ages.ts';
import { findDuplicates } from './duplicates.ts';
import { findOwnExclusion, isUnmanagedOrRetiring } from './exclusions.ts';
import { judgeExemptions } from './exemptions.ts';
import type { DeviceFacts, Facts, SourceFacts } from './facts.ts';
import { readingTime, rememberReading } from './instrument.ts';
import type { InstrumentMemory } from './instrument-memory.ts';
import type { JudgedExemption } from './judged.ts';
import { toDeviceKey } from './match-devices.ts';
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
    const listed = sortDevicesById(source.devices);
    const corrected = listed.map((device) => dropImpossibleEnrolment(device, readAt));
    // Nearly always the same list: a second one of the same devices is memory.
    const rows = corrected.every((device, index) => device === listed[index]) ? listed : corrected;
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

/** Of one device, while a night is judged. Only what few devices have is kept in each. */
export class DeviceRecord {
  readonly facts: DeviceFacts;
  readonly #input: SourceInput;
  /** Undefined: nothing but its own record speaks against counting it. */
  readonly #special: SpecialRecord | undefined;

  constructor(facts: DeviceFacts, input: SourceInput, special?: SpecialRecord) {
    this.facts = facts;
    this.#input = input;
    this.#special = special;
  }

  get source(): string {
    return this.#input.source.name;
  }
  get rules(): SourceRules {
    return this.#input.rules;
  }
  /** Why it is not counted, by its own record alone. */
  get ownExclusion() {
    return findOwnExclusion(this.facts, this.rules, this.#input.source.population);
  }
  /** Such a record never takes the place of another. */
  get passive(): boolean {
    return isUnmanagedOrRetiring(this.ownExclusion);
  }
  /** The newer record of the same machine that took its place, whatever the reason is that is shown. */
  get supersededBy(): DeviceReference | undefined {
    return this.#special?.supersededBy;
  }
  get sharesSerialNumber(): boolean {
    return this.#special?.sharesSerialNumber === true;
  }
  get excludedBecause(): ExcludedBecause | undefined {
    const other = this.#special?.supersededBy ? 'superseded' : this.#special?.isExempt ? 'exempt' : undefined;
    return this.ownExclusion ?? other;
  }
  get counted(): boolean {
    return this.excludedBecause === undefined;
  }
}

interface SpecialRecord {
  readonly supersededBy: DeviceReference | undefined;
  readonly sharesSerialNumber: boolean;
  readonly isExempt: boolean;
}

export interface DeviceReference {
  readonly source: string;
  readonly id: string;
}

/** By `toDeviceKey`. */
type SpecialRecords = ReadonlyMap<string, SpecialRecord>;

export interface DeviceRecords {
  readonly records: readonly DeviceRecord[];
  readonly special: SpecialRecords;
  readonly exemptions: readonly JudgedExemption[];
  /** Records that live at once and have one serial number, a list for each. */
  readonly sharing: readonly (readonly DeviceReference[])[];
}

/** The records of all sources: a machine can be enrolled in several, and an exemption can speak of any. */
export function buildDeviceRecords(
  inputs: readonly SourceInput[],
  facts: Pick<Facts, 'exemptions' | 'slot' | 'moment' | 'policy'>,
): DeviceRecords {
  const listRecords = (known?: SpecialRecords) =>
    inputs.flatMap((input) => input.rows.map((device) => toDeviceRecord(device, input, known)));
  const records = listRecords();
  const { moment, policy } = facts;
  const { supersededBy, shared } = findDuplicates(records, { moment, staleAfterDays: policy.staleAfterDays });
  const sharing = new Set([...shared.values()].flat());
  const remembered = new Map(
    inputs.flatMap(({ source, reading, state }) =>
      reading === 'carried' ? [[source.name, state?.baseline?.exemptUsers ?? []] as const] : [],
    ),
  );
  // Not counted for a reason of its own, or replaced by a newer record: there is nothing to exempt.
  const countable = records.filter((record) => record.ownExclusion === undefined && !supersededBy.has(record));
  const exempted = judgeExemptions(facts.exemptions, countable, facts.slot, remembered);
  const special = new Map<string, SpecialRecord>();
  for (const record of new Set([...supersededBy.keys(), ...sharing, ...exempted.devices])) {
    const newer = supersededBy.get(record);
    special.set(toDeviceKey(record.source, record.facts.id), {
      supersededBy: newer && toReference(newer),
      sharesSerialNumber: sharing.has(record),
      isExempt: exempted.devices.has(record),
    });
  }
  return {
    records: special.size === 0 ? records : listRecords(special),
    special,
    exemptions: exempted.rows,
    sharing: [...shared.values()].map((group) => group.map(toReference)),
  };
}

export function toDeviceRecord(device: DeviceFacts, input: SourceInput, special?: SpecialRecords): DeviceRecord {
  const isAnySpecial = special !== undefined && special.size > 0;
  return new DeviceRecord(
    device,
    input,
    isAnySpecial ? special.get(toDeviceKey(input.source.name, device.id)) : undefined,
  );
}

function toReference({ source, facts }: DeviceRecord): DeviceReference {
  return { source, id: facts.id };
}
