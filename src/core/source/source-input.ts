/** One source's part of a run: its rows, the memory of its instrument after this reading, and its baseline. */
import type { CompanyFacts } from '../facts/company.ts';
import type { PlatformFacts, ShownRow, SourceFacts } from '../facts/facts.ts';
import type { InstrumentMemory } from '../facts/remembered.ts';
import type { RulesTable, SourceRules } from '../facts/rules.ts';
import type { Baseline, State } from '../facts/state.ts';
import { type JudgedRecord, judgeRecord } from '../record/judge-record.ts';
import { isSameSource } from '../record/references.ts';
import { listShownRows } from '../record/shown-rows.ts';
import { compareCodePoints } from '../text/order.ts';
import { isInstrumentSound, rememberReading } from './instrument.ts';

export interface SourceInput {
  readonly source: SourceFacts;
  readonly rules: SourceRules;
  readonly baseline: Baseline | undefined;
  /** Missing before its first run. */
  readonly memoryBefore: InstrumentMemory | undefined;
  /** The memory after this run's reading. */
  readonly instrumentMemory: InstrumentMemory;
  readonly reading: 'fresh' | 'carried' | 'missing';
  /** Ordered by id, so that the order of the facts does not matter. */
  readonly rows: readonly ShownRow[];
}

/** Builds the inputs, ordered by name. */
export function buildSourceInputs(
  platforms: PlatformFacts,
  previous: State | undefined,
  rules: RulesTable,
): SourceInput[] {
  return platforms.sources
    .map((source) => buildSourceInput(source, platforms, previous, rules))
    .sort((left, right) => compareCodePoints(left.source.name, right.source.name));
}

function buildSourceInput(
  source: SourceFacts,
  platforms: PlatformFacts,
  previous: State | undefined,
  rules: RulesTable,
): SourceInput {
  const state = previous?.sources.find((past) => isSameSource(past, source));
  const past = platforms.earlierReadings?.find((reading) => isSameSource(reading, source)) ?? state;
  const isCarried = source.reading === 'incomplete' && source.carried !== undefined;
  return {
    source,
    rules: rules.rulesFor(source.kind),
    baseline: state?.baseline,
    memoryBefore: state?.instrumentMemory,
    instrumentMemory: rememberReading(source, past?.instrumentMemory ?? {}, platforms),
    reading: source.reading === 'complete' ? 'fresh' : isCarried ? 'carried' : 'missing',
    rows: listShownRows(source, platforms),
  };
}

/** Judges each record of the source by itself, in the order of the rows. */
export function judgeSourceRecords(
  { source, rules, reading, rows, instrumentMemory }: SourceInput,
  { moment }: Pick<PlatformFacts, 'moment'>,
  { policy }: Pick<CompanyFacts, 'policy'>,
): JudgedRecord[] {
  const { broken, repairedAt } = instrumentMemory;
  const isFresh = reading === 'fresh';
  const isTrusted = isFresh ? isInstrumentSound(source) : broken === undefined;
  const { name, population } = source;
  const context = { source: name, rules, population, policy, moment, isFresh, isTrusted, repairedAt };
  return rows.map((row) => judgeRecord(row, context));
}
