/**
 * Judgement: facts and what the last nights left → one judged night. Pure: no clock, network, file or environment, so
 * that the same facts always give the same night. The order of the steps is the order of the design.
 */

import { omitUndefined } from '../omit-undefined.ts';
import { findAcknowledgement, indexAcknowledgements, judgeAcknowledgements } from './acknowledgements.ts';
import { decideAlerts } from './alerts/decide-alerts.ts';
import { computeNextSourceState } from './baseline.ts';
import { checkBreaker } from './breaker.ts';
import { type CanaryResult, checkCanaries, listCanarySerialNumbers } from './canaries.ts';
import { listChanges } from './changes.ts';
import { canProve, classifyDevice, isBeforeRepair, isStale } from './classify.ts';
import { computeCountFlow, computeCoverage, computeTotalCoverage } from './coverage.ts';
import type { Acknowledgement, Facts } from './facts.ts';
import type { Coverage } from './figures.ts';
import { decideFindings } from './findings.ts';
import { compareGroups } from './groups.ts';
import { isInstrumentSound } from './instrument.ts';
import type { Change, JudgedAcknowledgement, JudgedSource, Night } from './judged.ts';
import { createJudgedDeviceMaker, type JudgedView, type Judgement } from './judged-views.ts';
import { findListingGaps, readListingFigures } from './listing.ts';
import { type FindMatch, matchDevices, type PreviousSource, toDeviceKey } from './match-devices.ts';
import { compareCodePoints } from './order.ts';
import { findNotInstalledSince, indexProvisional, listShownNights, type ProvisionalIndex } from './provisional.ts';
import { decideKeptRuns } from './retention.ts';
import { findSourcePlatform, type RulesTable } from './rules.ts';
import { findSharedSerialNumbers } from './shared-serial-numbers.ts';
import { explainSoundness, judgeSoundness } from './soundness.ts';
import {
  buildDeviceRecords,
  buildSourceInput,
  type DeviceRecord,
  type DeviceRecords,
  isSameSource,
  type SourceInput,
  toDeviceRecord,
} from './source-input.ts';
import { keptHistory, type SourceState, type State } from './state.ts';

export function judge(facts: Facts, previous: State | undefined, rules: RulesTable): Night {
  const inputs = facts.sources
    .map((source) => buildSourceInput(source, facts, previous, rules))
    .sort((left, right) => compareCodePoints(left.source.name, right.source.name));
  const known = matchRecords(inputs, listPreviousSources(inputs, previous, rules), facts);
  const { acknowledgements } = known;
  const acknowledged = indexAcknowledgements(acknowledgements);
  const provisional = new Map(previous?.sources.map((past) => [past.name, indexProvisional(past.provisional)]));
  const context = { ...known, acknowledged, provisional };
  const judged = inputs.map((input) => judgeSource(input, context, facts));

  const sources = judged.map((result) => result.source);
  const devices = judged.flatMap((result) => result.devices);
  const coverage = judged.map((result) => result.coverage);
  const total = computeTotalCoverage(coverage);
  const all = [...coverage, total];
  const keptRuns = decideKeptRuns(previous, facts);
  const instruments = judged.flatMap(({ source }) =>
    source.instrument.fingerprint === undefined ? [] : [{ source: source.name, ...source.instrument }],
  );
  const tonight = { slot: facts.slot, moment: facts.moment, coverage: all, instruments };
  const history = [...(previous?.history ?? []), tonight].slice(-keptHistory);
  const {
    events,
    alertStates: told,
    reminded,
  } = decideAlerts({
    slot: facts.slot,
    policy: facts.policy,
    sourceInputs: judged.map((result) => ({
      ...result,
      slot: facts.slot,
      moment: facts.moment,
      policy: facts.policy,
      before: result.compared,
    })),
    movedAway: known.movedAway,
    all: total,
    exemptions: known.exemptions,
    acknowledgements,
    statements: facts.statements ?? [],
    left: (previous?.sources ?? [])
      .map(({ name }) => name)
      .filter((name) => !inputs.some(({ source }) => source.name === name)),
    undelivered: facts.undelivered ?? [],
    unfinished: facts.unfinished,
    heldBack: keptRuns.heldBack,
    clockDifferences: facts.clockDifferences,
    failedRuns: facts.failedRuns ?? [],
    alertStates: facts.told ?? previous?.told ?? [],
    reminded: previous?.reminded,
  });
  const { findings, retractedFindings } = decideFindings(previous, { sources, devices }, known.movedAway);
  for (const device of devices) {
    device.forgetMatch();
  }
  return {
    slot: facts.slot,
    moment: facts.moment,
    muster: facts.muster,
    agent: facts.agent,
    platformTitles: rules.platformTitles,
    policy: facts.policy,
    accepted: facts.accepted,
    notes: facts.notes ?? [],
    sources,
    devices,
    changes: judged.flatMap((result) => result.changes),
    groups: concatenate(judged.map((result) => result.groups)),
    coverage: all,
    exemptions: known.exemptions,
    acknowledgements,
    findings,
    events,
    state: {
      ...{ schema: 3, slot: facts.slot, ...keptRuns, sources: judged.map((result) => result.state) },
      ...{ told, ...omitUndefined({ reminded }), history },
      ...(retractedFindings.length === 0 ? {} : { retractedFindings }),
    },
  };
}

function concatenate<Row>(lists: readonly Iterable<Row>[]): Iterable<Row> {
  return {
    *[Symbol.iterator]() {
      for (const list of lists) {
        yield* list;
      }
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

interface SourceResult {
  readonly source: JudgedSource;
  readonly devices: readonly JudgedView[];
  readonly changes: readonly Change[];
  readonly groups: Night['groups'];
  readonly coverage: Coverage;
  readonly state: SourceState;
  readonly compared: SourceState | undefined;
  /** Folded serial numbers of machines about which no event is raised. */
  readonly canarySerialNumbers: ReadonlySet<string>;
}

interface MatchedRecords extends Omit<DeviceRecords, 'records'> {
  /** By `toDeviceKey`: records that took another's place, and were counted in their baseline themselves. */
  readonly countedReplacements: ReadonlySet<string>;
  readonly findMatch: FindMatch;
  readonly movedAway: ReadonlySet<string>;
  readonly acknowledgements: readonly JudgedAcknowledgement[];
}

/** What takes the records of all sources; they are not kept, since each is made again when its device is judged. */
function matchRecords(inputs: readonly SourceInput[], pasts: readonly PreviousSource[], facts: Facts): MatchedRecords {
  const { records, ...known } = buildDeviceRecords(inputs, facts);
  const matches = matchDevices(records, pasts);
  const devices = records.map((record) => record.facts);
  return {
    ...known,
    ...matches,
    countedReplacements: listCountedReplacements(records, matches.findMatch),
    acknowledgements: judgeAcknowledgements(facts.acknowledgements ?? [], devices, facts.slot),
  };
}

interface KnownDevices extends MatchedRecords {
  /** By folded serial number. */
  readonly acknowledged: ReadonlyMap<string, Acknowledgement>;
  /** By source. */
  readonly provisional: ReadonlyMap<string, ProvisionalIndex>;
}

function judgeSource(input: SourceInput, known: KnownDevices, facts: Facts): SourceResult {
  const { name, kind, population, receipt, instrument, findings } = input.source;
  const { movedAway } = known;
  const platform = findSourcePlatform(input.rules);
  const canaries = facts.canaries?.filter(({ source }) => source === name) ?? [];
  const { devices, canaryResult } = judgeDevices(input, known, facts, canaries);

  // Only a complete answer is compared, and only with a baseline.
  const isFresh = input.reading === 'fresh';
  const compared = isFresh && input.state?.baseline ? input.state : undefined;
  const { rules } = input;
  const limits = facts.policy.breaker;
  const doubts = {
    breaker: compared && checkBreaker({ state: compared, devices, movedAway, rules, population, limits }),
    gaps: isFresh ? findListingGaps(readListingFigures(input.source), input.state?.baseline?.listing) : {},
    isFirstAndEmpty: isFresh && compared === undefined && devices.length === 0,
    canaryProblems: canaryResult.problems,
  };
  const soundness = judgeSoundness(input, doubts, facts.accepted?.sources.includes(name) === true);
  const source: JudgedSource = {
    ...{ name, kind, platform, soundness, receipt, instrument },
    deviceAddress: input.source.address === undefined ? undefined : `${input.source.address}${rules.devicePath}`,
    findings: [...findings, ...(isFresh ? findSharedSerialNumbers(name, known.sharing) : []), ...canaryResult.findings],
    first: soundness === 'complete' && compared === undefined,
    problem: explainSoundness(input, soundness, doubts),
    baseline: input.state?.baseline?.slot,
  };
  const changes = compared ? listChanges(compared, devices, movedAway) : [];
  return {
    source,
    devices,
    changes,
    groups: compareGroups({
      ...{ source: name, platform, soundness, devices },
      platformGroups: rules.platformGroups,
      groups: input.source.groups,
      compareWith: compared,
    }),
    coverage: computeCoverage(source, devices, changes, computeCountFlow(compared, devices)),
    state: computeNextSourceState(source, input, devices, facts),
    compared,
    canarySerialNumbers: listCanarySerialNumbers(canaries),
  };
}

/** A wrong canary takes the proof from every device of its source. */
function judgeDevices(
  input: SourceInput,
  known: KnownDevices,
  facts: Facts,
  canaries: NonNullable<Facts['canaries']>,
): { devices: readonly JudgedView[]; canaryResult: CanaryResult } {
  const isFresh = input.reading === 'fresh';
  const isTrusted = isFresh ? isInstrumentSound(input.source) : input.instrumentMemory.broken === undefined;
  const devices = listJudgedDevices(input, known, facts, isTrusted);
  const canaryResult = checkCanaries(canaries, devices, isFresh);
  return canaryResult.problems.length === 0
    ? { devices, canaryResult }
    : { devices: listJudgedDevices(input, known, facts, false), canaryResult };
}

function listJudgedDevices(
  input: SourceInput,
  known: KnownDevices,
  facts: Facts,
  isTrusted: boolean,
): readonly JudgedView[] {
  const make = createJudgedDeviceMaker();
  return input.rows.map((device) => {
    const record = toDeviceRecord(device, input, known.special);
    const match = known.findMatch(record);
    const shown =
      input.reading === 'fresh'
        ? listShownNights({ source: record.source, facts: device, match }, known.provisional)
        : [];
    const judgement = judgeDevice(record, input, facts, {
      isTrusted,
      since: findNotInstalledSince(match, shown, facts.slot),
      wasCounted:
        record.supersededBy !== undefined &&
        known.countedReplacements.has(toDeviceKey(record.supersededBy.source, record.supersededBy.id)),
      acknowledgement: findAcknowledgement(device, known.acknowledged),
    });
    return make(device, judgement, match);
  });
}

function listCountedReplacements(records: readonly DeviceRecord[], findMatch: FindMatch): ReadonlySet<string> {
  const replacements = new Set<string>();
  for (const { supersededBy } of records) {
    if (supersededBy !== undefined) {
      replacements.add(toDeviceKey(supersededBy.source, supersededBy.id));
    }
  }
  const counted = new Set<string>();
  for (const record of replacements.size === 0 ? [] : records) {
    const match = findMatch(record);
    const key = toDeviceKey(record.source, record.facts.id);
    if (match?.how === 'same' && match.known.counted && replacements.has(key)) {
      counted.add(key);
    }
  }
  return counted;
}

function judgeDevice(
  { source, facts, counted, excludedBecause, supersededBy }: DeviceRecord,
  { rules, answeredOn, instrumentMemory: { repairedAt } }: SourceInput,
  { policy, moment }: Pick<Facts, 'policy' | 'moment'>,
  night: {
    isTrusted: boolean;
    since: string;
    wasCounted: boolean;
    acknowledgement: Acknowledgement | undefined;
  },
): Judgement {
  const classified = classifyDevice(facts, rules);
  const { status, reason } = classified.verdict;
  return {
    ...{ source, rules, status, reason, counted, excludedBecause, answeredOn },
    answer: classified.answerIndex,
    supersededBy: supersededBy && { ...supersededBy, wasCounted: night.wasCounted },
    proven: night.isTrusted && canProve(facts, classified, rules, { policy, moment, repairedAt }),
    stale: isStale(facts, rules, policy, moment),
    isBeforeRepair: isBeforeRepair(facts, rules, repairedAt),
    notInstalledSince: status === 'Not Installed' ? night.since : undefined,
    acknowledgement: night.acknowledgement,
  };
}
