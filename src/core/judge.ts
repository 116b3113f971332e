/**
 * Judges one run: the platforms' and the company's facts, and the state of the run before, give one night. Pure: no
 * clock, network, file or environment, so that the same facts always give the same night. Each step uses only earlier
 * ones.
 */
import { indexBy } from '../base/index-by.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import type { AlertVerdicts } from './alerts/alert-rule.ts';
import { decideAlerts } from './alerts/decide-alerts.ts';
import type { CompanyFacts } from './facts/company.ts';
import type { PlatformFacts } from './facts/facts.ts';
import type { Night } from './facts/judged.ts';
import type { RulesTable } from './facts/rules.ts';
import { type Coverage, type HistoryEntry, keptHistory, type State } from './facts/state.ts';
import { findEntries } from './ledger/entries.ts';
import { decideFindings } from './ledger/findings.ts';
import { countFlow } from './ledger/flow.ts';
import { type LedgerRun, moveLedgerOn } from './ledger/ledger.ts';
import { buildRows } from './ledger/rows.ts';
import { judgeLists } from './lists/judge-lists.ts';
import { judgeAcknowledgements } from './machine/acknowledgements.ts';
import { judgeExemptions } from './machine/exemptions.ts';
import { assembleMachines } from './machine/machines.ts';
import type { JudgedRecord } from './record/judge-record.ts';
import { checkCanaries } from './source/canaries.ts';
import { type ComparedSource, compareSources } from './source/compare-sources.ts';
import { computeTotalCoverage } from './source/coverage.ts';
import { explainDifference } from './source/explain-difference.ts';
import { judgeSource, type SourceJudgement } from './source/judge-source.ts';
import { computeNextSourceState } from './source/next-state.ts';
import { buildSourceInputs, judgeSourceRecords } from './source/source-input.ts';

/** A judged run without the facts about runs, which are judged apart. */
export type MachineJudgement = Omit<Night, 'state' | 'muster' | 'events'> & {
  /** The verdicts of the rules of alerts about machines. */
  readonly verdicts: AlertVerdicts;
  readonly state: Omit<State, 'runs'>;
};

export function judge(
  platforms: PlatformFacts,
  company: CompanyFacts,
  previous: State | undefined,
  rules: RulesTable,
): MachineJudgement {
  const { slot } = platforms;
  const before = previous?.ledger ?? [];
  const inputs = buildSourceInputs(platforms, previous, rules);

  // Each record's own answer; then the machines, the standing record of each, and whether it is counted.
  const records = inputs.flatMap((input) => judgeSourceRecords(input, platforms, company));
  const { machines, ...shared } = assembleMachines(records, previous, platforms, company);
  const standing = machines.map((machine) => machine.standing);
  const exemptions = judgeExemptions(company.exemptions, standing, slot);
  const acknowledgements = judgeAcknowledgements(company.acknowledgements ?? [], standing, slot);

  // The ledger's entry of each machine, and with it the soundness of each source's answer.
  const named = findEntries(machines, exemptions.exempted, before, slot);
  const fresh = new Set(inputs.flatMap(({ reading, source }) => (reading === 'fresh' ? source.name : [])));
  const canaries = checkCanaries(company.canaries ?? [], named.machines, (name) => fresh.has(name));
  const known = { ...named, ...shared, canaries };
  const judgements = inputs.map((input) => judgeSource(input, known, platforms, company));
  const run = describeRun(slot, judgements, records);

  // The rows, and the lists' statements about them; then the ledger is updated, and the differences are listed.
  const rows = Map.groupBy(buildRows(records, named.machines, run, acknowledgements), ({ source }) => source);
  const listed = judgements.map((one) => ({ ...one, devices: rows.get(one.source.name) ?? [] }));
  const { judged, lists, totals, memory } = judgeLists(listed, platforms, company, previous);
  const devices = judged.flatMap((one) => one.devices);
  const moved = moveLedgerOn(named.machines, named.unmatched, devices, run);
  const sources = compareSources(judged, { ...moved, ...run, unmatched: named.unmatched });

  const coverage = sources.map((one) => one.coverage);
  const flow = countFlow(sources, moved);
  const total = { ...computeTotalCoverage(coverage), ...flow, ...totals };
  const kept = new Set(canaries.flatMap(({ machines: own }) => own.map(({ name }) => name)));
  const decided = { ...moved, canaries: kept, total, exemptions: exemptions.rows, acknowledgements, lists };
  const { verdicts, later } = decideAlerts({ platforms, company, previous, sources, ...decided });
  const findings = decideFindings(previous, moved, run, platforms.retractedFindings);
  const history = [...(previous?.history ?? []), summarizeRun(platforms, sources, [...coverage, total])];
  return {
    ...describeCompany(platforms, company, rules),
    sources: sources.map(({ source }) => source),
    devices,
    changes: sources.flatMap(({ changes }) => changes),
    difference: explainDifference({ ...total, slot }, sources, previous?.history ?? []),
    groups: sources.flatMap(({ groups }) => groups),
    coverage: [...coverage, total],
    exemptions: exemptions.rows,
    acknowledgements,
    lists,
    canaries: kept,
    findings,
    verdicts,
    later,
    state: {
      schema: 7,
      slot,
      sources: sources.map((one) => computeNextSourceState(one, slot)),
      ledger: moved.ledger,
      sharedNumbers: shared.sharedNumbers,
      ...memory,
      history: history.slice(-keptHistory),
    },
  };
}

function describeRun(
  slot: string,
  judgements: readonly SourceJudgement[],
  records: readonly JudgedRecord[],
): LedgerRun {
  return {
    slot,
    soundness: new Map(judgements.map(({ key, source }) => [key, source.soundness])),
    first: new Set(judgements.flatMap(({ key, source }) => (source.first ? [key] : []))),
    records: indexBy(records, ({ key }) => key),
  };
}

function describeCompany(
  { slot, moment }: PlatformFacts,
  { agent, policy, accepted, notes = [] }: CompanyFacts,
  { operatingSystemTitles }: RulesTable,
) {
  return { slot, moment, agent, operatingSystemTitles, policy, accepted, notes };
}

function summarizeRun(
  { slot, moment }: PlatformFacts,
  sources: readonly ComparedSource[],
  coverage: readonly Coverage[],
): HistoryEntry {
  const instruments = sources.flatMap(({ source: { name: source, instrument } }) => {
    const { id, fingerprint } = instrument;
    return fingerprint === undefined ? [] : [{ source, ...omitUndefined({ id, fingerprint }) }];
  });
  return { slot, moment, coverage, instruments };
}
