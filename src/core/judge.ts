/**
 * Judgement: facts and what the last nights left → one judged night. Pure: no clock, network, file or environment, so
 * that the same facts always give the same night. The order of the steps is the order of the design.
 */
import { omitUndefined } from '../base/omit-undefined.ts';
import { decideAlerts } from './alerts/decide-alerts.ts';
import { forgetMovedPasts } from './baseline/baseline.ts';
import { indexProvisional } from './baseline/provisional.ts';
import { decideKeptRuns } from './baseline/retention.ts';
import { indexAcknowledgements, judgeAcknowledgements } from './device/acknowledgements.ts';
import { matchDevices, type PreviousSource, toDeviceKey } from './device/match-devices.ts';
import type { Facts } from './facts/facts.ts';
import type { JudgedSource, Night } from './facts/judged.ts';
import type { RulesTable } from './facts/rules.ts';
import { type Coverage, type HistoryEntry, keptHistory, type State } from './facts/state.ts';
import { isWhole } from './facts/vocabulary.ts';
import { compareAnswer, judgeAnswer, type NightContext, type SourceResult } from './judge-source.ts';
import { judgeLists } from './lists/judge-lists.ts';
import { computeTotalCoverage } from './source/coverage.ts';
import { buildDeviceRecords } from './source/device-records.ts';
import { computeDifference } from './source/difference.ts';
import { decideFindings } from './source/findings.ts';
import { buildSourceInput, isSameSource, type SourceInput } from './source/source-input.ts';
import { compareCodePoints } from './text/order.ts';

export function judge(facts: Facts, previous: State | undefined, rules: RulesTable): Night {
  const inputs = facts.sources
    .map((source) => buildSourceInput(source, facts, previous, rules))
    .sort((left, right) => compareCodePoints(left.source.name, right.source.name));
  const { records, exemptions, sharing, contradicted } = buildDeviceRecords(inputs, facts, previous);
  const pasts = listPreviousSources(inputs, previous, rules);
  const { findMatch, movedAway, takenPasts } = matchDevices(records, pasts);
  const listed = records.map((record) => record.facts);
  const acknowledgements = judgeAcknowledgements(facts.acknowledgements ?? [], listed, facts.slot);
  const context: NightContext = {
    facts,
    findMatch,
    movedAway,
    sharing,
    contradicted,
    acknowledged: indexAcknowledgements(acknowledgements),
    provisional: new Map(previous?.sources.map((past) => [past.name, indexProvisional(past.provisional)])),
  };
  const recordsBySource = Map.groupBy(records, ({ source }) => source);
  const answers = inputs.map((input) => judgeAnswer(input, recordsBySource.get(input.source.name) ?? [], context));
  const { judged: doubted, lists, totals, memory } = judgeLists(answers, facts, previous);
  const judged = doubted.map((answer) => compareAnswer(answer, context));
  const settled = selectSettledMoves(judged, takenPasts);

  const sources = judged.map(({ source }) => source);
  const devices = judged.flatMap((result) => result.devices);
  const total = { ...computeTotalCoverage(judged.map((result) => result.coverage)), ...totals };
  const coverage = [...judged.map((result) => result.coverage), total];
  const keptRuns = decideKeptRuns(previous, facts);
  const { events, alertStates, reminded } = decideAlerts({
    facts,
    previous,
    sources: judged,
    findMatch,
    movedAway,
    total,
    exemptions,
    acknowledgements,
    lists,
    heldBack: keptRuns.heldBack,
  });
  const { findings, retractedFindings } = decideFindings(previous, { sources, devices }, movedAway);
  return {
    slot: facts.slot,
    moment: facts.moment,
    muster: facts.muster,
    agent: facts.agent,
    operatingSystemTitles: rules.operatingSystemTitles,
    policy: facts.policy,
    accepted: facts.accepted,
    notes: facts.notes ?? [],
    sources,
    devices,
    changes: judged.flatMap(({ changes }) => changes),
    difference: explainNight({ ...total, slot: facts.slot }, judged, previous?.history ?? []),
    groups: judged.flatMap(({ groups }) => groups),
    coverage,
    exemptions,
    acknowledgements,
    lists,
    findings,
    events,
    state: {
      schema: 4,
      slot: facts.slot,
      ...keptRuns,
      sources: judged.map(({ state }) => forgetMovedPasts(state, settled, facts.slot)),
      told: alertStates,
      ...omitUndefined({ reminded }),
      ...memory,
      history: [...(previous?.history ?? []), summarizeRun(facts, sources, coverage)].slice(-keptHistory),
      ...(retractedFindings.length > 0 && { retractedFindings }),
    },
  };
}

function listPreviousSources(
  inputs: readonly SourceInput[],
  previous: State | undefined,
  rules: RulesTable,
): PreviousSource[] {
  return (previous?.sources ?? []).map((state) => ({
    state,
    rules: rules.rulesFor(state.kind),
    isConfigured: inputs.some(({ source }) => isSameSource(source, state)),
  }));
}

/**
 * The move of a machine is settled where the baseline of its new source moves. One that is back has not moved, nor does
 * a record with a past of its own take another's.
 */
function selectSettledMoves(judged: readonly SourceResult[], takenPasts: ReadonlySet<string>): ReadonlySet<string> {
  const settled = new Set(takenPasts);
  const claims = judged.flatMap(({ source, pairs }) =>
    pairs.flatMap(({ match, device }) => {
      const key = match && device && toDeviceKey(match.source, match.known.facts.id);
      const isOther = key !== toDeviceKey(source.name, device?.facts.id ?? '');
      const isMove = isWhole(source.soundness) && isOther && match?.ownPast === undefined;
      return key === undefined ? [] : [{ key, isMove }];
    }),
  );
  for (const { key } of claims.filter(({ isMove }) => !isMove)) {
    settled.delete(key);
  }
  for (const { key } of claims.filter(({ isMove }) => isMove)) {
    settled.add(key);
  }
  return settled;
}

/** Against the runs of the baselines, where each source has one and is to be compared with it. */
function explainNight(
  after: Coverage & Pick<Facts, 'slot'>,
  judged: readonly SourceResult[],
  history: readonly HistoryEntry[],
): Night['difference'] {
  const baselines = judged.map(({ source, compared }) =>
    isWhole(source.soundness) ? compared?.baseline?.slot : undefined,
  );
  const rows = judged.flatMap(
    ({ source }, at) =>
      history.findLast(({ slot }) => slot === baselines[at])?.coverage.find((row) => row.source === source.name) ?? [],
  );
  const [slot] = baselines.toSorted();
  if (slot === undefined || rows.length < judged.length) {
    return undefined;
  }
  const before = { ...computeTotalCoverage(rows), slot };
  const pairs = judged.flatMap((result) => result.pairs);
  return computeDifference(before, after, pairs);
}

function summarizeRun(
  { slot, moment }: Facts,
  sources: readonly JudgedSource[],
  coverage: readonly Coverage[],
): HistoryEntry {
  const instruments = sources.flatMap(({ name: source, instrument: { id, fingerprint } }) =>
    fingerprint === undefined ? [] : [{ source, ...omitUndefined({ id, fingerprint }) }],
  );
  return { slot, moment, coverage, instruments };
}
