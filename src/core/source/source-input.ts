/** Before judgement: which rows of a source are judged, those of this run or those of its baseline. */

import { dropUnknownDates } from '../device/ages.ts';
import type { ExemptionMemory } from '../device/exemptions.ts';
import type { AnswerContext } from '../device/judge-device.ts';
import type { DeviceFacts, Facts, SourceFacts } from '../facts/facts.ts';
import type { DeviceStanding } from '../facts/judged.ts';
import type { InstrumentMemory } from '../facts/remembered.ts';
import type { RulesTable, SourceRules } from '../facts/rules.ts';
import type { Baseline, SourceState, State } from '../facts/state.ts';
import { sortDevicesById } from '../text/order.ts';
import { isInstrumentSound, readingTime, rememberReading } from './instrument.ts';

/** One source's part: tonight's rows, or the baseline's where tonight's answer is not complete. */
export interface SourceInput {
  readonly source: SourceFacts;
  readonly rules: SourceRules;
  readonly state: SourceState | undefined;
  /** After tonight's reading. */
  readonly instrumentMemory: InstrumentMemory;
  readonly reading: 'fresh' | 'carried' | 'missing';
  /** They are ordered by id, so that the order of the facts never matters. */
  readonly rows: readonly DeviceFacts[];
  readonly answeredOn: string;
  /** The slots of answers that are older, by device id. */
  readonly olderAnswers: ReadonlyMap<string, string>;
  /** The server could not return these of tonight's rows; the keys are device ids. */
  readonly unread: ReadonlyMap<string, NonNullable<DeviceStanding['unread']>>;
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
  const lines = state?.baseline?.devices ?? [];
  const baselineSlot = state?.baseline?.slot;
  if (source.reading === 'complete') {
    const readAt = Date.parse(readingTime(source, night));
    const read = source.devices.map((device) => dropUnknownDates(device, readAt));
    return { ...common, reading: 'fresh', answeredOn: slot, ...addUnreadRows(read, source, state?.baseline) };
  }
  if (baselineSlot === undefined) {
    return { ...common, reading: 'missing', rows: [], answeredOn: slot, olderAnswers: new Map(), unread: new Map() };
  }
  const rows = sortDevicesById(lines.map((device) => device.facts));
  const olderAnswers = new Map(
    lines.flatMap(({ facts, answeredOn }) => (answeredOn === undefined ? [] : [[facts.id, answeredOn]])),
  );
  return { ...common, reading: 'carried', rows, answeredOn: baselineSlot, olderAnswers, unread: new Map() };
}

/** A device that could not be read stays as the baseline has it; where that does not, only its id is known. */
function addUnreadRows(
  read: readonly DeviceFacts[],
  { unread = [] }: SourceFacts,
  baseline: Baseline | undefined,
): Pick<SourceInput, 'rows' | 'olderAnswers' | 'unread'> {
  const ids = new Set(unread.map(({ id }) => id));
  const lines = ids.size === 0 ? [] : (baseline?.devices ?? []).filter(({ facts }) => ids.has(facts.id));
  const kept = new Map(lines.map((line) => [line.facts.id, line]));
  const rows = unread.map((device) => kept.get(device.id)?.facts ?? { ...device, answers: [] });
  return {
    rows: sortDevicesById([...read, ...rows]),
    olderAnswers: new Map(lines.map(({ facts, answeredOn }) => [facts.id, answeredOn ?? baseline?.slot ?? ''])),
    unread: new Map(unread.map(({ id }) => [id, kept.has(id) ? 'kept' : 'blank'])),
  };
}

/** What the source's answers are worth tonight, canaries apart. */
export function buildAnswerContext(
  { source, reading, instrumentMemory }: SourceInput,
  { policy, moment }: Pick<Facts, 'policy' | 'moment'>,
): AnswerContext {
  const { broken, repairedAt } = instrumentMemory;
  return {
    policy,
    moment,
    isTrusted: reading === 'fresh' ? isInstrumentSound(source) : broken === undefined,
    repairedAt,
  };
}

/** What the baseline says of exemptions by user, where tonight's rows cannot say it of every device. */
export function listExemptionMemory({ source, state, reading, unread }: SourceInput): [string, ExemptionMemory][] {
  const entries = state?.baseline?.exemptUsers ?? [];
  const isFresh = reading === 'fresh';
  return isFresh && unread.size === 0 ? [] : [[source.name, { entries, unread: isFresh ? unread : undefined }]];
}

/** A name given to another kind is another source. */
export function isSameSource(
  left: Pick<SourceFacts, 'name' | 'kind'>,
  right: Pick<SourceFacts, 'name' | 'kind'>,
): boolean {
  return left.name === right.name && left.kind === right.kind;
}
