/**
 * Judgement: facts and what the last nights left → one judged night. Pure: no clock, network, file or environment, so
 * that the same facts always give the same night. The order of the steps is the order of the design.
 */

import { decideAlerts } from './alerts/decide-alerts.ts';
import { computeNextSourceState, findNotInstalledSince } from './baseline.ts';
import { checkBreaker } from './breaker.ts';
import { listChanges } from './changes.ts';
import { canProve, isBeforeRepair, isStale } from './classify.ts';
import { computeCountFlow, computeCoverage, computeTotalCoverage } from './coverage.ts';
import type { Facts } from './facts.ts';
import type { Coverage } from './figures.ts';
import { compareGroups } from './groups.ts';
import type { Change, JudgedDevice, JudgedSource, Night } from './judged.ts';
import { type BaselineMatch, type DeviceMatches, matchDevices, type PreviousSource } from './match-devices.ts';
import { compareCodePoints } from './order.ts';
import { decideKeptRuns } from './retention.ts';
import { findSourcePlatform, type RulesTable } from './rules.ts';
import { explainSoundness, isInstrumentSound, judgeSoundness } from './soundness.ts';
import {
  buildDeviceRecords,
  buildSourceInput,
  type DeviceRecord,
  isSameSource,
  type SourceInput,
} from './source-input.ts';
import { keptHistory, type SourceState, type State } from './state.ts';

export function judge(facts: Facts, previous: State | undefined, rules: RulesTable): Night {
  const scenes = facts.sources
    .map((source) => buildSourceInput(source, facts.slot, previous, rules))
    .sort((left, right) => compareCodePoints(left.source.name, right.source.name));
  const { records, exemptions } = buildDeviceRecords(scenes, facts);
  const lineage = matchDevices(records, listPreviousSources(scenes, previous));
  const judged = scenes.map((scene) => judgeSource(scene, records, lineage, facts));

  const coverage = judged.map((result) => result.coverage);
  const all = [...coverage, computeTotalCoverage(coverage)];
  const keptRuns = decideKeptRuns(previous, facts);
  const instruments = judged.flatMap(({ source }) =>
    source.instrument.fingerprint === undefined ? [] : [{ source: source.name, ...source.instrument }],
  );
  const tonight = { slot: facts.slot, moment: facts.moment, coverage: all, instruments };
  const history = [...(previous?.history ?? []), tonight].slice(-keptHistory);
  const { events, alertStates: told } = decideAlerts({
    slot: facts.slot,
    policy: facts.policy,
    sourceInputs: judged.map((result) => ({
      ...result,
      slot: facts.slot,
      moment: facts.moment,
      policy: facts.policy,
      before: result.compared,
    })),
    movedAway: lineage.movedAway,
    all: computeTotalCoverage(coverage),
    exemptions,
    left: (previous?.sources ?? [])
      .map(({ name }) => name)
      .filter((name) => !scenes.some(({ source }) => source.name === name)),
    undelivered: facts.undelivered ?? [],
    unfinished: facts.unfinished,
    heldBack: keptRuns.heldBack,
    alertStates: facts.told ?? previous?.told ?? [],
  });
  return {
    slot: facts.slot,
    moment: facts.moment,
    muster: facts.muster,
    agent: facts.agent,
    platformTitles: rules.platformTitles,
    policy: facts.policy,
    accepted: facts.accepted,
    sources: judged.map((result) => result.source),
    devices: judged.flatMap((result) => result.devices),
    changes: judged.flatMap((result) => result.changes),
    groups: judged.flatMap((result) => result.groups),
    coverage: all,
    exemptions,
    events,
    state: { schema: 2, slot: facts.slot, ...keptRuns, sources: judged.map((result) => result.state), told, history },
  };
}

function listPreviousSources(scenes: readonly SourceInput[], previous: State | undefined): PreviousSource[] {
  return (previous?.sources ?? []).map((state) => ({
    state,
    isConfigured: scenes.some(({ source }) => isSameSource(source, state)),
  }));
}

interface SourceResult {
  readonly source: JudgedSource;
  readonly devices: readonly JudgedDevice[];
  readonly changes: readonly Change[];
  readonly groups: Night['groups'];
  readonly coverage: Coverage;
  readonly state: SourceState;
  readonly compared: SourceState | undefined;
  readonly baselineMatches: ReadonlyMap<JudgedDevice, BaselineMatch>;
  readonly unrepaired: ReadonlySet<JudgedDevice>;
}

function judgeSource(
  scene: SourceInput,
  records: readonly DeviceRecord[],
  lineage: DeviceMatches<DeviceRecord>,
  facts: Facts,
): SourceResult {
  const { name, kind, receipt, instrument, findings } = scene.source;
  const platform = findSourcePlatform(scene.rules);
  const { movedAway } = lineage;
  const trust = assessTrust(scene, facts.moment);
  const ancestorOf = new Map<JudgedDevice, BaselineMatch>();
  const provisional = new Map(scene.state?.provisional.map(({ id, since }) => [id, since]));
  const devices = records
    .filter((record) => record.source === name)
    .map((record) => {
      const ancestor = lineage.baselineMatches.get(record);
      const since = findNotInstalledSince(ancestor, provisional.get(record.facts.id), facts.slot);
      const device = judgeDevice(record, scene, { ...trust, policy: facts.policy, moment: facts.moment, since });
      if (ancestor) {
        ancestorOf.set(device, ancestor);
      }
      return device;
    });

  // Only a complete answer is compared, and only with a baseline.
  const compared = scene.reading === 'fresh' && scene.state?.baseline ? scene.state : undefined;
  const tripped = compared && checkBreaker(compared, devices, ancestorOf, movedAway, facts.policy.breaker);
  const soundness = judgeSoundness(scene, tripped, facts.accepted?.sources.includes(name) === true);
  const source: JudgedSource = {
    ...{ name, kind, platform, soundness, receipt, instrument, findings },
    first: soundness === 'complete' && compared === undefined,
    problem: explainSoundness(scene, soundness, tripped),
    baseline: scene.state?.baseline?.slot,
  };
  const changes = compared ? listChanges(compared, devices, ancestorOf, movedAway) : [];
  return {
    source,
    devices,
    changes,
    groups: compareGroups({
      ...{ source: name, platform, soundness, devices, baselineMatches: ancestorOf },
      platformGroups: scene.rules.platformGroups,
      groups: scene.source.groups,
      compareWith: compared,
    }),
    coverage: computeCoverage(source, devices, changes, computeCountFlow(compared, devices, ancestorOf)),
    state: computeNextSourceState(source, scene.source, devices, ancestorOf, scene.state, facts),
    compared,
    baselineMatches: ancestorOf,
    unrepaired: new Set(devices.filter(({ facts: device }) => isBeforeRepair(device, scene.rules, trust.soundAgainAt))),
  };
}

interface Trust {
  /** Whether tonight's values can be proof at all. */
  readonly trusted: boolean;
  /** Values older than this prove nothing: the instrument was repaired then. */
  readonly soundAgainAt: string | undefined;
}

/** A carried source's values were proof when they were taken, unless its instrument was found broken since. */
function assessTrust(scene: SourceInput, moment: string): Trust {
  const { state } = scene;
  if (scene.reading !== 'fresh') {
    return { trusted: !state?.untrusted, soundAgainAt: state?.soundAgainAt };
  }
  return {
    trusted: isInstrumentSound(scene.source),
    soundAgainAt: state?.untrusted ? moment : state?.soundAgainAt,
  };
}

function judgeDevice(
  record: DeviceRecord,
  { rules, answeredOn }: SourceInput,
  night: Pick<Facts, 'policy' | 'moment'> & Trust & { since: string },
): JudgedDevice {
  const { source, facts, classified, counted, excludedBecause } = record;
  const { status, reason } = classified.verdict;
  return {
    ...{ source, platform: facts.platform, facts, status, reason, counted, excludedBecause, answeredOn },
    value: classified.answer?.value,
    detail: classified.answer?.detail,
    // Where a platform dates its answers by the inventory report, "no value" has that date too.
    valueAt: classified.answer?.at ?? facts.reportedAt,
    proven: night.trusted && canProve(facts, classified, rules, night),
    stale: isStale(facts, rules, night.policy, night.moment),
    notInstalledSince: status === 'Not Installed' ? night.since : undefined,
  };
}
