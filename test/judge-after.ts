/** Runs in a row without a store: each is judged with the state and the rows that the one before left. */
import { sourceRules } from '../src/compose/source-kinds.ts';
import type { CarriedRows, Facts, SourceFacts } from '../src/core/facts/facts.ts';
import type { Night } from '../src/core/facts/judged.ts';
import type { RulesTable } from '../src/core/facts/rules.ts';
import type { State } from '../src/core/facts/state.ts';
import { isWhole } from '../src/core/facts/vocabulary.ts';
import { isSameSource } from '../src/core/record/references.ts';
import { listShownRows, needsCarriedRows, selectCarriedRows } from '../src/core/record/shown-rows.ts';
import { judgeRun } from '../src/run/judge-run.ts';

/** A judged run, with its facts as the next run finds them. */
export interface JudgedFacts {
  readonly facts: Facts;
  readonly night: Night;
}

/** `before` is the run that the slot is compared with. */
export function judgeAfter(
  facts: Facts,
  before: JudgedFacts | undefined,
  rules: RulesTable = sourceRules,
): JudgedFacts {
  const state = before && storeState(before.night.state);
  const carry = (source: SourceFacts): SourceFacts =>
    needsCarriedRows(source) ? addRows(source, findRows(source, before)) : source;
  const gathered = { ...listRunsBefore(before), ...facts, sources: facts.sources.map(carry) };
  const night = judgeRun(gathered, state, rules);
  const settle = (source: SourceFacts): SourceFacts => {
    const { soundness = 'missing' } = night.sources.find(({ name }) => name === source.name) ?? {};
    return source.reading === 'complete' && !isWhole(soundness)
      ? addRows(source, findRows(source, before))
      : addRows(source, source.carried && selectCarriedRows(source, source.carried));
  };
  return { facts: { ...gathered, sources: gathered.sources.map(settle) }, night };
}

/** As the store tells them; there are no commits. */
function listRunsBefore(before: JudgedFacts | undefined): Pick<Facts, 'runsBefore'> {
  if (before === undefined) {
    return {};
  }
  const { slot, runs, history } = before.night.state;
  const kept = runs.kept.filter((run) => run.slot !== slot);
  return { runsBefore: { ...runs, kept: [...kept, { slot, number: history.length, sha256: '' }] } };
}

/** As it is read back from its file. */
export function storeState(state: State): State {
  return JSON.parse(JSON.stringify(state)) as State;
}

function findRows(source: SourceFacts, before: JudgedFacts | undefined): CarriedRows | undefined {
  const known = before?.facts.sources.find((one) => isSameSource(one, source));
  const baseline = before?.night.state.sources.find((one) => isSameSource(one, source))?.baseline;
  if (before === undefined || known === undefined || baseline === undefined) {
    return undefined;
  }
  return baseline.slot === before.facts.slot
    ? { slot: baseline.slot, rows: listShownRows(known, before.facts) }
    : known.carried;
}

function addRows({ carried: _, ...source }: SourceFacts, carried: CarriedRows | undefined): SourceFacts {
  return carried === undefined ? source : { ...source, carried };
}
