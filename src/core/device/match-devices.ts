/** Which device of the baseline a device of tonight is: by id, or by serial number when it came back under a new id. */

import type { BaselineMatch, DeviceStanding, FindMatch, JudgedDevice } from '../facts/judged.ts';
import type { SourceRules } from '../facts/rules.ts';
import type { BaselineDevice, DepartedDevice, SourceState } from '../facts/state.ts';
import { compareCodePoints, createIdFinder, type IdFinder } from '../text/order.ts';
import { appendToList, compareRecords, haveLivedAtOnce, readRecordAge, toMachineKey } from './duplicates.ts';

type CurrentDevice = JudgedDevice<DeviceStanding>;

/** What the last nights left of a source. */
export interface PreviousSource {
  readonly state: SourceState;
  readonly rules: SourceRules;
  /** Asked tonight; a source that was taken out of the settings is not, and its devices may turn up elsewhere. */
  readonly isConfigured: boolean;
}

interface MatchCandidate {
  readonly source: string;
  readonly known: BaselineDevice | DepartedDevice;
  readonly wasAway: boolean;
  readonly id: string;
  readonly age: number;
}

export interface DeviceMatches {
  readonly findMatch: FindMatch;
  /** Keys (`toDeviceKey`) of devices that live on under another id; nothing is told of the old one. */
  readonly movedAway: ReadonlySet<string>;
}

export function matchDevices(devices: readonly CurrentDevice[], pasts: readonly PreviousSource[]): DeviceMatches {
  const listed = indexBySource(devices);
  const findSame = createSameFinder(pasts);
  const others = new Map<string, BaselineMatch>();
  const away = new Map<string, BaselineDevice>();
  const unclaimed = new Map<string, MatchCandidate[]>();
  const left = new Set<string>();
  for (const { state, rules, isConfigured } of pasts) {
    const { name: source } = state;
    const now = isConfigured ? listed.get(source) : undefined;
    const offer = (known: BaselineDevice, wasAway: boolean) => {
      const machine = toMachineKey(known.facts);
      if (machine !== undefined) {
        const age = readRecordAge(known.facts, rules);
        appendToList(unclaimed, machine, { source, id: known.facts.id, known, wasAway, age });
      }
    };
    for (const known of state.baseline?.devices ?? []) {
      const same = now?.find(known.facts.id);
      // Nothing of a carried source is absent: its rows tonight are its baseline's.
      if (same === undefined || same.judgement.supersededBy !== undefined) {
        left.add(toDeviceKey(source, known.facts.id));
        offer(known, false);
      }
    }
    for (const known of state.departed) {
      if (isConfigured) {
        away.set(toDeviceKey(source, known.facts.id), known);
      }
      // Back under its id with another serial number, it is no machine that is gone.
      const back = now?.find(known.facts.id);
      const isReplaced = back === undefined || back.judgement.supersededBy !== undefined;
      if (isReplaced || toMachineKey(back.facts) === toMachineKey(known.facts)) {
        offer(known, true);
      }
    }
  }
  withholdSharedSerialNumbers(unclaimed, devices);
  const movedAway = new Set<string>();
  const isAnyMissing = unclaimed.size > 0 || away.size > 0;
  const isNewcomer = ({ source, facts }: CurrentDevice) => findSame(source, facts.id) === undefined;
  const newcomers = isAnyMissing ? devices.filter(isNewcomer).sort(compareClaims) : [];
  for (const device of newcomers) {
    const key = toDeviceKey(device.source, device.facts.id);
    // A record that is itself already replaced is not the machine coming back.
    const candidate = device.judgement.supersededBy === undefined ? takeBestCandidate(unclaimed, device) : undefined;
    const before = away.get(key);
    if (candidate) {
      const old = toDeviceKey(candidate.source, candidate.known.facts.id);
      const { source, known, wasAway } = candidate;
      const isItself = before !== undefined && toMachineKey(before.facts) === toMachineKey(device.facts);
      others.set(key, { source, known, wasAway, how: wasAway && isItself ? 'back' : 'moved' });
      movedAway.add(old);
    } else if (before) {
      others.set(key, { source: device.source, known: before, how: 'back', wasAway: true });
    }
  }
  for (const key of listMovesAlreadyReported(pasts)) {
    if (left.has(key)) {
      movedAway.add(key);
    }
  }
  const findOther: FindMatch = (source, id) => (others.size === 0 ? undefined : others.get(toDeviceKey(source, id)));
  return { findMatch: (source, id) => findOther(source, id) ?? findSame(source, id), movedAway };
}

function indexBySource(devices: readonly CurrentDevice[]): ReadonlyMap<string, IdFinder<CurrentDevice>> {
  const bySource = Map.groupBy(devices, ({ source }) => source);
  return new Map([...bySource].map(([source, own]) => [source, createIdFinder(own, ({ facts }) => facts.id)]));
}

/** The device of its source's baseline that has the same id. */
function createSameFinder(pasts: readonly PreviousSource[]): FindMatch {
  const known = new Map(
    pasts
      .filter(({ isConfigured }) => isConfigured)
      .map(({ state: { name, baseline } }) => [name, createIdFinder(baseline?.devices ?? [], ({ facts }) => facts.id)]),
  );
  return (source, id) => {
    const same = known.get(source)?.find(id);
    return same && { source, known: same, how: 'same', wasAway: false };
  };
}

export function toDeviceKey(source: string, id: string): string {
  return `${source}\u0000${id}`;
}

/** Whether a device was in that source's baseline, under this id or an older one. */
export function wasInBaseline(source: string, match: BaselineMatch | undefined): match is BaselineMatch {
  return match?.source === source && !match.wasAway;
}

/** Where two records of a serial number lived at once, it moves nobody, whether they are listed tonight or not. */
function withholdSharedSerialNumbers(
  unclaimed: Map<string, MatchCandidate[]>,
  devices: readonly CurrentDevice[],
): void {
  const listed = new Map<string, CurrentDevice[]>();
  for (const device of unclaimed.size === 0 ? [] : devices) {
    const machine = toMachineKey(device.facts);
    if (machine !== undefined && unclaimed.has(machine)) {
      appendToList(listed, machine, device);
    }
  }
  for (const [machine, candidates] of unclaimed) {
    const records = new Map(candidates.map(({ source, known }) => [toDeviceKey(source, known.facts.id), known.facts]));
    let isShared = false;
    for (const { source, facts, judgement } of listed.get(machine) ?? []) {
      // Listed under its old id too, it is one record, as it is tonight.
      records.set(toDeviceKey(source, facts.id), facts);
      isShared ||= judgement.sharesSerialNumber;
    }
    if (isShared || haveLivedAtOnce([...records.values()])) {
      unclaimed.delete(machine);
    }
  }
}

/**
 * The baseline of a source can be older than a move to another source, and count the machine still: its move was
 * reported on that night, so that its old record is no removal now.
 */
function listMovesAlreadyReported(pasts: readonly PreviousSource[]): string[] {
  const baselines = new Map(pasts.map(({ state }) => [state.name, state.baseline?.slot ?? '']));
  return pasts
    .flatMap(({ state }) => [state.baseline?.devices ?? [], state.departed])
    .flatMap((devices) => devices.flatMap(({ movedFrom }) => movedFrom ?? []))
    .filter(({ source, on }) => (baselines.get(source) ?? '') < on)
    .map(({ source, id }) => toDeviceKey(source, id));
}

/** Two newcomers can be the same machine: the one that is counted comes first. */
function compareClaims(left: CurrentDevice, right: CurrentDevice): number {
  return (
    Number(right.judgement.counted) - Number(left.judgement.counted) ||
    compareCodePoints(left.source, right.source) ||
    compareCodePoints(left.facts.id, right.facts.id)
  );
}

/** One that is left tonight, or the last that left; then its own, one that was counted, the newest. Each is taken once. */
function takeBestCandidate(
  unclaimed: ReadonlyMap<string, MatchCandidate[]>,
  device: CurrentDevice,
): MatchCandidate | undefined {
  const candidates = listCandidates(unclaimed, device);
  const isOwn = ({ source, known }: MatchCandidate) => source === device.source && known.facts.id === device.facts.id;
  candidates.sort(
    (left, right) =>
      Number(right.wasAway) - Number(left.wasAway) ||
      compareCodePoints(readLeftOn(left), readLeftOn(right)) ||
      Number(isOwn(left)) - Number(isOwn(right)) ||
      Number(left.known.counted) - Number(right.known.counted) ||
      Number(left.source === device.source) - Number(right.source === device.source) ||
      compareRecords(left, right),
  );
  return candidates.pop();
}

function readLeftOn({ known }: MatchCandidate): string {
  return 'leftOn' in known ? known.leftOn : '';
}

/** Former records of the device's machine; the list itself, so that one can be taken from it. */
function listCandidates(unclaimed: ReadonlyMap<string, MatchCandidate[]>, { facts }: CurrentDevice): MatchCandidate[] {
  const machine = toMachineKey(facts);
  return (machine === undefined ? undefined : unclaimed.get(machine)) ?? [];
}
