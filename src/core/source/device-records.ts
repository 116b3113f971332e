/** Which of all devices are counted, before any answer is judged: a machine can be enrolled in several sources. */
import { findDuplicates, type GoneRecord } from '../device/duplicates.ts';
import { judgeExemptions } from '../device/exemptions.ts';
import { type AnswerContext, judgeAnswer } from '../device/judge-device.ts';
import { countDaysBetween } from '../facts/calendar.ts';
import { createSharing } from '../facts/device-fields.ts';
import type { DeviceFacts, Facts, SourceFacts } from '../facts/facts.ts';
import type { DeviceStanding, JudgedDevice } from '../facts/judged.ts';
import type { ExclusionRule, SourceRules } from '../facts/rules.ts';
import type { State } from '../facts/state.ts';
import { buildAnswerContext, isSameSource, listExemptionMemory, type SourceInput } from './source-input.ts';

type DeviceRecord = JudgedDevice<DeviceStanding>;

export function buildDeviceRecords(inputs: readonly SourceInput[], facts: Facts, previous: State | undefined) {
  const { exemptions, slot, moment, policy } = facts;
  const records = inputs.flatMap(listRecords);
  const contexts = new Map(inputs.map((input) => [input.source.name, buildAnswerContext(input, facts)]));
  const { supersededBy, shared, contradicted } = findDuplicates(records, {
    moment,
    staleAfterDays: policy.staleAfterDays,
    gone: listGoneRecords(inputs, previous, slot),
    judgeAlone: ({ source, facts: device, judgement }) =>
      judgeAnswer(device, judgement, contexts.get(source) as AnswerContext),
  });
  const sharing = new Set(shared.flat());
  const inDoubt = new Set(contradicted.flatMap(([counted]) => counted ?? []));
  // Not counted for a reason of its own, or replaced by a newer record: there is nothing to exempt.
  const countable = records.filter((record) => record.judgement.counted && !supersededBy.has(record));
  const rememberedExemptions = new Map(inputs.flatMap(listExemptionMemory));
  const exempted = judgeExemptions(exemptions, countable, slot, rememberedExemptions);
  const complete = (record: DeviceRecord): DeviceRecord => {
    const newer = supersededBy.get(record);
    const isExempt = exempted.devices.has(record);
    const marks = { isContradicted: inDoubt.has(record), sharesSerialNumber: sharing.has(record) };
    if (newer === undefined && !isExempt && !marks.isContradicted && !marks.sharesSerialNumber) {
      return record;
    }
    // Its own record's reason comes first, then the newer record, then the exemption.
    const other = newer !== undefined ? 'superseded' : isExempt ? 'exempt' : undefined;
    const excludedBecause = record.judgement.excludedBecause ?? other;
    const reasons = { counted: excludedBecause === undefined, excludedBecause };
    const reference = newer && { source: newer.source, id: newer.facts.id };
    return { ...record, judgement: { ...record.judgement, ...reasons, supersededBy: reference, ...marks } };
  };
  return {
    /** They are ordered by source, then device id. */
    records: records.map(complete),
    exemptions: exempted.rows,
    sharing: shared,
    contradicted,
  };
}

/** A record that left for fewer days may come back: its machine lives beside another of its serial number. */
const daysRemembered = 30;

function listGoneRecords(inputs: readonly SourceInput[], previous: State | undefined, slot: string): GoneRecord[] {
  return (previous?.sources ?? []).flatMap((past) => {
    const input = inputs.find(({ source }) => isSameSource(source, past));
    const listed = new Set(input?.rows.map(({ id }) => id));
    const lately = past.departed.filter(({ leftOn }) => countDaysBetween(leftOn, slot) < daysRemembered);
    return [...(past.baseline?.devices ?? []), ...lately]
      .filter(({ facts }) => !listed.has(facts.id))
      .map(({ facts }) => ({ kind: past.kind, facts }));
  });
}

/** What each device's own record says: those of one source that are excluded, or unread, alike share it. */
function listRecords({ source, rules, rows, unread: unreadDevices }: SourceInput): DeviceRecord[] {
  const share = createSharing<DeviceStanding>(({ excludedBecause, unread }) => `${excludedBecause} ${unread}`);
  return rows.map((facts) => {
    const excludedBecause = findOwnExclusion(facts, rules, source.population);
    const unread = unreadDevices.get(facts.id);
    const counted = excludedBecause === undefined;
    const marks = { supersededBy: undefined, isContradicted: false, sharesSerialNumber: false };
    return { source: source.name, facts, judgement: share({ rules, counted, excludedBecause, unread, ...marks }) };
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
