/**
 * Judgement: facts and what the last nights left → one judged night. Pure: no clock, network, file or environment, so
 * that the same facts always give the same night. The order of the steps is the order of the design.
 */
import { nextSourceState, notInstalledSince } from './baseline.ts';
import { breaker } from './breaker.ts';
import { changesOf } from './changes.ts';
import { type Classified, canProve, classify, isStale } from './classify.ts';
import { coverageOf, coverageOfAll } from './coverage.ts';
import { superseded } from './duplicates.ts';
import { isPassive, ownExclusion } from './exclusions.ts';
import { exempt } from './exemptions.ts';
import type { DeviceFacts, Facts, Platform, Problem, SourceFacts } from './facts.ts';
import type { Soundness } from './figures.ts';
import { drawGroups } from './groups.ts';
import type { Change, JudgedDevice, JudgedSource, Night } from './judged.ts';
import { type Ancestor, type Lineage, trace } from './lineage.ts';
import { byCodePoint } from './order.ts';
import type { ExcludedBecause, PlatformRules } from './rules.ts';
import { keptHistory, type SourceState, type State } from './state.ts';

export function judge(
  facts: Facts,
  previous: State | undefined,
  rulesOf: (platform: Platform) => PlatformRules,
): Night {
  const scenes = facts.sources
    .map((source) => sceneOf(source, facts.slot, previous, rulesOf(source.platform)))
    .sort((left, right) => byCodePoint(left.source.name, right.source.name));
  const records = scenes.flatMap((scene) => recordsOf(scene));
  const replaced = superseded(records);
  for (const record of records) if (replaced.has(record)) record.excludedBecause ??= 'superseded';
  const exemptions = exempt(facts.exemptions, records, facts.slot);
  for (const record of exemptions.devices) record.excludedBecause ??= 'exempt';

  const compared = new Set(scenes.filter((scene) => scene.reading === 'fresh').map((scene) => scene.source.name));
  const lineage = trace(
    records,
    scenes.flatMap((scene) => scene.state ?? []),
    compared,
  );
  const judged = scenes.map((scene) => judgeSource(scene, records, lineage, facts));

  const changes = judged.flatMap((result) => result.changes);
  const coverage = judged.map((result) => coverageOf(result.source, result.devices, changes));
  const all = [...coverage, coverageOfAll(coverage)];
  const published = [...(previous?.published ?? []), facts.slot].slice(-facts.keptNights);
  const instruments = judged.flatMap(({ source }) =>
    source.instrument.fingerprint === undefined ? [] : [{ source: source.name, ...source.instrument }],
  );
  const tonight = { slot: facts.slot, moment: facts.moment, coverage: all, instruments };
  const history = [...(previous?.history ?? []), tonight].slice(-keptHistory);
  return {
    slot: facts.slot,
    moment: facts.moment,
    muster: facts.muster,
    agent: facts.agent,
    policy: facts.policy,
    accepted: facts.accepted,
    sources: judged.map((result) => result.source),
    devices: judged.flatMap((result) => result.devices),
    changes,
    groups: judged.flatMap((result) => result.groups),
    coverage: all,
    exemptions: exemptions.rows,
    state: { schema: 1, slot: facts.slot, published, sources: judged.map((result) => result.state), history },
  };
}

/** One source before judgement: which rows are on the table tonight, and what they are compared with. */
interface Scene {
  readonly source: SourceFacts;
  readonly rules: PlatformRules;
  readonly state: SourceState | undefined;
  readonly reading: 'fresh' | 'carried' | 'missing';
  readonly rows: readonly DeviceFacts[];
  readonly answeredOn: string;
}

function sceneOf(source: SourceFacts, slot: string, previous: State | undefined, rules: PlatformRules): Scene {
  const state = previous?.sources.find(({ name, platform }) => name === source.name && platform === source.platform);
  const common = { source, rules, state };
  if (source.reading === 'complete') return { ...common, reading: 'fresh', rows: source.devices, answeredOn: slot };
  const baseline = state?.baseline;
  if (!baseline) return { ...common, reading: 'missing', rows: [], answeredOn: slot };
  const rows = baseline.devices.map((device) => device.facts);
  return { ...common, reading: 'carried', rows, answeredOn: baseline.slot };
}

/** A device with what can be said of it alone; exclusions that need the others are filled in afterwards. */
interface DeviceRecord {
  readonly source: string;
  readonly platform: Platform;
  readonly facts: DeviceFacts;
  readonly rules: PlatformRules;
  readonly classified: Classified;
  readonly passive: boolean;
  excludedBecause: ExcludedBecause | undefined;
}

function recordsOf(scene: Scene): DeviceRecord[] {
  const { name, platform, population } = scene.source;
  return scene.rows.map((facts) => {
    const excludedBecause = ownExclusion(facts, scene.rules, population);
    const classified = classify(facts, scene.rules);
    const passive = isPassive(excludedBecause);
    return { source: name, platform, facts, rules: scene.rules, classified, passive, excludedBecause };
  });
}

interface SourceResult {
  readonly source: JudgedSource;
  readonly devices: readonly JudgedDevice[];
  readonly changes: readonly Change[];
  readonly groups: Night['groups'];
  readonly state: SourceState;
}

function judgeSource(
  scene: Scene,
  records: readonly DeviceRecord[],
  lineage: Lineage<DeviceRecord>,
  facts: Facts,
): SourceResult {
  const { name, platform } = scene.source;
  const instrumentSound = !scene.source.findings.some(
    ({ instrument, result }) => instrument && (result === 'fail' || result === 'unknown'),
  );
  const repair = repairOf(scene, instrumentSound, facts.moment);
  const ancestorOf = new Map<JudgedDevice, Ancestor>();
  const provisional = new Map(scene.state?.provisional.map(({ id, since }) => [id, since]));
  const devices = records
    .filter((record) => record.source === name)
    .map((record) => {
      const ancestor = lineage.ancestorOf.get(record);
      const device = judgeDevice(record, scene, {
        ...repair,
        policy: facts.policy,
        moment: facts.moment,
        since: notInstalledSince(ancestor, provisional.get(record.facts.id), facts.slot),
      });
      if (ancestor) ancestorOf.set(device, ancestor);
      return device;
    })
    .sort((left, right) => byCodePoint(left.facts.id, right.facts.id));

  const comparable = scene.reading === 'fresh' && scene.state?.baseline ? scene.state : undefined;
  const tripped = comparable && breaker(comparable, devices, ancestorOf, lineage.movedAway, facts.policy.breaker);
  const isSuspect = tripped?.trips === true && !facts.accepted?.sources.includes(name);
  const soundness = soundnessOf(scene, instrumentSound, isSuspect);
  const source: JudgedSource = {
    name,
    platform,
    soundness,
    first: soundness === 'complete' && comparable === undefined,
    problem: problemOf(scene, soundness, tripped),
    receipt: scene.source.receipt,
    instrument: scene.source.instrument,
    findings: scene.source.findings,
    baseline: scene.state?.baseline?.slot,
  };
  return {
    source,
    devices,
    changes: comparable ? changesOf(comparable, devices, ancestorOf, lineage.movedAway) : [],
    groups: drawGroups({
      source: name,
      platform,
      soundness,
      platformGroups: scene.rules.platformGroups,
      groups: scene.source.groups,
      devices,
      ancestorOf,
      movedAway: lineage.movedAway,
      compareWith: comparable,
    }),
    state: nextSourceState(source, scene.source, devices, ancestorOf, scene.state, facts),
  };
}

/** Whether tonight's values can be proof at all, and from when on. A carried source's were proof when they were taken. */
function repairOf(scene: Scene, instrumentSound: boolean, moment: string) {
  const { state } = scene;
  if (scene.reading !== 'fresh') return { trusted: true, soundAgainAt: state?.soundAgainAt };
  return { trusted: instrumentSound, soundAgainAt: state?.untrusted ? moment : state?.soundAgainAt };
}

function judgeDevice(
  record: DeviceRecord,
  scene: Scene,
  night: Pick<Facts, 'policy' | 'moment'> & { trusted: boolean; soundAgainAt: string | undefined; since: string },
): JudgedDevice {
  const { facts, classified, rules } = record;
  const { status, reason } = classified.verdict;
  return {
    source: record.source,
    platform: record.platform,
    facts,
    status,
    reason,
    value: classified.answer?.value,
    detail: classified.answer?.detail,
    // Where a platform dates its answers by the inventory report, "no value" has that date too.
    valueAt: classified.answer?.at ?? facts.reportedAt,
    proven: night.trusted && canProve(facts, classified, rules, night),
    stale: isStale(facts, rules, night.policy, night.moment),
    counted: record.excludedBecause === undefined,
    excludedBecause: record.excludedBecause,
    notInstalledSince: status === 'Not Installed' ? night.since : undefined,
    answeredOn: scene.answeredOn,
  };
}

function soundnessOf(scene: Scene, instrumentSound: boolean, isSuspect: boolean): Soundness {
  if (scene.reading === 'missing') return 'missing';
  if (scene.reading === 'carried') return 'carried';
  if (!instrumentSound) return 'untrusted';
  return isSuspect ? 'suspect' : 'complete';
}

function problemOf(
  scene: Scene,
  soundness: Soundness,
  tripped: ReturnType<typeof breaker> | undefined,
): Problem | undefined {
  if (soundness === 'missing' || soundness === 'carried') return scene.source.problem;
  if (soundness === 'untrusted') {
    const finding = scene.source.findings.find(({ instrument, result }) => instrument && result !== 'pass');
    return {
      code: 'instrument',
      message: `${finding?.check}: expected ${finding?.expected}; found ${finding?.found}.`,
    };
  }
  if (soundness === 'suspect' && tripped) {
    const drop = `${tripped.gone} of ${tripped.countedBefore} counted devices are gone`;
    const flip = `${tripped.flipped} of ${tripped.inBoth} changed their status`;
    return { code: 'breaker', message: `${drop}, ${flip} since ${scene.state?.baseline?.slot}.` };
  }
  return undefined;
}
