/** Which of all devices are counted, before any answer is judged: a machine can be enrolled in several sources. */
import { findDuplicates } from '../device/duplicates.ts';
import { judgeExemptions } from '../device/exemptions.ts';
import type { DeviceFacts, Facts, SourceFacts } from '../facts/facts.ts';
import type { DeviceReference, DeviceStanding, JudgedDevice, JudgedExemption } from '../facts/judged.ts';
import type { ExclusionRule, SourceRules } from '../facts/rules.ts';
import type { ExcludedBecause } from '../facts/vocabulary.ts';
import type { SourceInput } from './source-input.ts';

type DeviceRecord = JudgedDevice<DeviceStanding>;

export interface DeviceRecords {
  /** They are ordered by source, then device id. */
  readonly records: readonly DeviceRecord[];
  readonly exemptions: readonly JudgedExemption[];
  /** Records that live at once and have one serial number, a list for each. */
  readonly sharing: readonly (readonly DeviceReference[])[];
}

export function buildDeviceRecords(
  inputs: readonly SourceInput[],
  { exemptions, slot, moment, policy }: Pick<Facts, 'exemptions' | 'slot' | 'moment' | 'policy'>,
): DeviceRecords {
  const records = inputs.flatMap(listRecords);
  const { supersededBy, shared } = findDuplicates(records, { moment, staleAfterDays: policy.staleAfterDays });
  const sharing = new Set(shared.flat());
  // Not counted for a reason of its own, or replaced by a newer record: there is nothing to exempt.
  const countable = records.filter((record) => record.judgement.counted && !supersededBy.has(record));
  const exempted = judgeExemptions(exemptions, countable, slot, listRememberedExemptions(inputs));
  const complete = (record: DeviceRecord): DeviceRecord => {
    const newer = supersededBy.get(record);
    const isExempt = exempted.devices.has(record);
    return newer === undefined && !isExempt && !sharing.has(record)
      ? record
      : { ...record, judgement: completeStanding(record.judgement, newer, isExempt, sharing.has(record)) };
  };
  return {
    records: records.map(complete),
    exemptions: exempted.rows,
    sharing: shared.map((group) => group.map(toReference)),
  };
}

/** What each device's own record says: those of one source that are excluded alike share it. */
function listRecords({ source, rules, rows }: SourceInput): DeviceRecord[] {
  const standings = new Map<ExcludedBecause | undefined, DeviceStanding>();
  return rows.map((facts) => {
    const excludedBecause = findOwnExclusion(facts, rules, source.population);
    const judgement = standings.get(excludedBecause) ?? {
      rules,
      counted: excludedBecause === undefined,
      excludedBecause,
      supersededBy: undefined,
      sharesSerialNumber: false,
    };
    standings.set(excludedBecause, judgement);
    return { source: source.name, facts, judgement };
  });
}

/** Why it is listed but not counted, as far as its own record says so: the first rule of its kind that holds. */
export function findOwnExclusion(
  device: DeviceFacts,
  { exclusions }: Pick<SourceRules, 'exclusions'>,
  population: SourceFacts['population'],
): ExclusionRule['because'] | undefined {
  const rule = exclusions.find(
    ({ field, is, onlyCompany }) => is.includes(device[field] ?? '') && (!onlyCompany || population === 'company'),
  );
  return rule?.because;
}

/** Its own record's reason comes first, then the newer record, then the exemption. */
function completeStanding(
  own: DeviceStanding,
  newer: DeviceRecord | undefined,
  isExempt: boolean,
  sharesSerialNumber: boolean,
): DeviceStanding {
  const other = newer !== undefined ? 'superseded' : isExempt ? 'exempt' : undefined;
  const excludedBecause = own.excludedBecause ?? other;
  return {
    rules: own.rules,
    counted: excludedBecause === undefined,
    excludedBecause,
    supersededBy: newer && toReference(newer),
    sharesSerialNumber,
  };
}

/** The devices that rows meant on the nights that are carried. */
function listRememberedExemptions(inputs: readonly SourceInput[]) {
  const carried = inputs.filter(({ reading }) => reading === 'carried');
  return new Map(carried.map(({ source, state }) => [source.name, state?.baseline?.exemptUsers ?? []]));
}

function toReference({ source, facts }: DeviceRecord): DeviceReference {
  return { source, id: facts.id };
}
