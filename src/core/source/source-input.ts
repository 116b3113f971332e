/** Before judgement: which rows of a source are judged, those of this run or those of its baseline. */

import { dropUnknownDates } from '../device/ages.ts';
import type { AnswerContext } from '../device/judge-device.ts';
import type { DeviceFacts, Facts, SourceFacts } from '../facts/facts.ts';
import type { InstrumentMemory } from '../facts/remembered.ts';
import type { RulesTable, SourceRules } from '../facts/rules.ts';
import type { SourceState, State } from '../facts/state.ts';
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
    const rows = sortDevicesById(source.devices).map((device) => dropUnknownDates(device, readAt));
    return { ...common, reading: 'fresh', rows, answeredOn: slot };
  }
  const baseline = state?.baseline;
  if (!baseline) {
    return { ...common, reading: 'missing', rows: [], answeredOn: slot };
  }
  const rows = sortDevicesById(baseline.devices.map((device) => device.facts));
  return { ...common, reading: 'carried', rows, answeredOn: baseline.slot };
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

/** A name given to another kind is another source. */
export function isSameSource(
  left: Pick<SourceFacts, 'name' | 'kind'>,
  right: Pick<SourceFacts, 'name' | 'kind'>,
): boolean {
  return left.name === right.name && left.kind === right.kind;
}
