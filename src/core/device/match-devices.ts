/** Which device of the baseline a device of tonight is: by id, or by serial number when it came back under a new id. */

import type { SourceKindName } from '../facts/facts.ts';
import type { BaselineMatch, DeviceStanding, FindMatch, JudgedDevice } from '../facts/judged.ts';
import type { SourceRules } from '../facts/rules.ts';
import type { BaselineDevice, DepartedDevice, SourceState } from '../facts/state.ts';
import { compareCodePoints } from '../text/order.ts';
import { compareRecords, type DatedRecord, haveLivedAtOnce, toDatedRecord, toMachineKey } from './duplicates.ts';

type CurrentDevice = JudgedDevice<DeviceStanding>;

/** What the last nights left of a source. */
export interface PreviousSource {
  readonly state: SourceState;
  readonly rules: SourceRules;
  /** Asked tonight; a source that was taken out of the settings is not, and its devices may turn up elsewhere. */
  readonly isConfigured: boolean;
}

/** A former record, whose machine may be a newcomer of tonight. */
interface MatchCandidate extends DatedRecord {
  readonly kind: SourceKindName;
  readonly known: BaselineDevice | DepartedDevice;
  readonly wasAway: boolean;
  /** No longer listed, or replaced; one that is back under its old id goes on as itself and is nobody else's past. */
  readonly isGone: boolean;
}

export interface DeviceMatches {
  readonly findMatch: FindMatch;
  /** Keys (`toDeviceKey`) of devices that live on under another id; nothing is told of the old one. */
  readonly movedAway: ReadonlySet<string>;
  /** Keys of records whose past a newer one has had since an earlier run; one with a past of its own took none. */
  readonly takenPasts: ReadonlySet<string>;
}

export function matchDevices(devices: readonly CurrentDevice[], pasts: readonly PreviousSource[]): DeviceMatches {
  const configured = pasts.filter(({ isConfigured }) => isConfigured);
  const baselines = new Map(configured.map(({ state }) => [state.name, indexMatches(state)]));
  const departed = new Map(configured.map(({ state }) => [state.name, indexById(state.departed)]));
  const listed = Map.groupBy(devices, ({ source }) => source);
  const candidates = pasts.flatMap((past) =>
    listCandidates(past, indexById(past.isConfigured ? (listed.get(past.state.name) ?? []) : [])),
  );
  const unclaimed = groupUnclaimed(candidates, devices);

  const matches = new Map<string, BaselineMatch>();
  const reported = listMovesAlreadyReported(pasts, candidates);
  const movedAway = new Set(reported.map(({ key }) => key));
  const newcomers = devices.filter(
    ({ source, facts, judgement }) => judgement.unread !== 'blank' && baselines.get(source)?.has(facts.id) !== true,
  );
  for (const device of newcomers.sort(compareClaims)) {
    const { source, facts, judgement } = device;
    const machine = toMachineKey(facts);
    // A record that is itself already replaced is not the machine coming back.
    const candidate = judgement.supersededBy === undefined ? takeBest(unclaimed.get(machine), device) : undefined;
    const before = departed.get(source)?.get(facts.id);
    if (candidate !== undefined) {
      const { source: from, known, wasAway } = candidate;
      const isBack = wasAway && before !== undefined && toMachineKey(before.facts) === machine;
      const how = isBack ? 'back' : 'moved';
      const ownPast = known === before ? undefined : before?.past;
      matches.set(toDeviceKey(source, facts.id), { source: from, known, wasAway, how, ownPast });
      movedAway.add(toDeviceKey(from, known.facts.id));
    } else if (before !== undefined) {
      matches.set(toDeviceKey(source, facts.id), { source, known: before, wasAway: true, how: 'back' });
    }
  }
  const findMatch: FindMatch = (source, id) => {
    const same = baselines.get(source)?.get(id);
    return same ?? (matches.size === 0 ? undefined : matches.get(toDeviceKey(source, id)));
  };
  const takenPasts = new Set(reported.flatMap(({ key, isPastTaken }) => (isPastTaken ? [key] : [])));
  return { findMatch, movedAway, takenPasts };
}

/** Made once for each device, since a dozen rules ask for it. */
function indexMatches({ name: source, baseline }: SourceState): ReadonlyMap<string, BaselineMatch> {
  const matches = new Map<string, BaselineMatch>();
  for (const known of baseline?.devices ?? []) {
    matches.set(known.facts.id, { source, known, how: 'same', wasAway: false });
  }
  return matches;
}

function indexById<Device extends Pick<BaselineDevice, 'facts'>>(devices: readonly Device[]): Map<string, Device> {
  return new Map(devices.map((device) => [device.facts.id, device]));
}

export function toDeviceKey(source: string, id: string): string {
  return `${source}\u0000${id}`;
}

/** Whether a device was in that source's baseline, under this id or an older one. */
export function wasInBaseline(source: string, match: BaselineMatch | undefined): match is BaselineMatch {
  return match?.source === source && !match.wasAway;
}

/** Records that are gone tonight, or replaced by a newer one; nothing of a carried source is gone. */
function listCandidates(
  { state, rules }: PreviousSource,
  listed: ReadonlyMap<string, CurrentDevice>,
): readonly MatchCandidate[] {
  const isGone = ({ facts }: BaselineDevice) => {
    const device = listed.get(facts.id);
    return device === undefined || device.judgement.supersededBy !== undefined;
  };
  // Back under its id with another serial number, it is no machine that is gone.
  const isSameMachine = ({ facts }: BaselineDevice) =>
    toMachineKey(listed.get(facts.id)?.facts ?? facts) === toMachineKey(facts);
  const toCandidate = (known: BaselineDevice, wasAway: boolean): MatchCandidate => ({
    ...toDatedRecord({ source: state.name, facts: known.facts }, rules),
    kind: state.kind,
    known,
    wasAway,
    isGone: isGone(known),
  });
  return [
    ...(state.baseline?.devices ?? []).filter(isGone).map((known) => toCandidate(known, false)),
    ...state.departed.filter((known) => isGone(known) || isSameMachine(known)).map((known) => toCandidate(known, true)),
  ];
}

/** Groups them by machine. A serial number moves nobody where two of its records lived at once, listed tonight or not. */
function groupUnclaimed(
  candidates: readonly MatchCandidate[],
  devices: readonly CurrentDevice[],
): ReadonlyMap<string | undefined, MatchCandidate[]> {
  const unclaimed = Map.groupBy(candidates, ({ known }) => toMachineKey(known.facts));
  unclaimed.delete(undefined);
  const concerned = unclaimed.size === 0 ? [] : devices.filter(({ facts }) => unclaimed.has(toMachineKey(facts)));
  const listed = Map.groupBy(concerned, ({ facts }) => toMachineKey(facts));
  for (const [machine, former] of unclaimed) {
    if (isSerialNumberShared(former, listed.get(machine) ?? [])) {
      unclaimed.delete(machine);
    }
  }
  return unclaimed;
}

function isSerialNumberShared(former: readonly MatchCandidate[], listed: readonly CurrentDevice[]): boolean {
  // Listed under its old id too, it is one record, as it is tonight.
  const records = new Map([
    ...former.map(({ source, kind, known: { facts } }) => [toDeviceKey(source, facts.id), { kind, facts }] as const),
    ...listed.map(({ source, facts, judgement }) => {
      return [toDeviceKey(source, facts.id), { kind: judgement.rules.kind, facts }] as const;
    }),
  ]);
  const kinds = Map.groupBy(records.values(), ({ kind }) => kind);
  return (
    listed.some(({ judgement }) => judgement.sharesSerialNumber) ||
    [...kinds.values()].some((ofKind) => haveLivedAtOnce(ofKind.map(({ facts }) => facts)))
  );
}

/**
 * The baseline of a source can be older than a move to another source, and count the machine still: its move was
 * reported on that night, so that its old record is no removal now.
 */
function listMovesAlreadyReported(
  pasts: readonly PreviousSource[],
  candidates: readonly MatchCandidate[],
): { readonly key: string; readonly isPastTaken: boolean }[] {
  const left = new Set(candidates.flatMap(({ source, id, wasAway }) => (wasAway ? [] : toDeviceKey(source, id))));
  const baselines = new Map(pasts.map(({ state }) => [state.name, state.baseline?.slot ?? '']));
  return pasts
    .flatMap(({ state }) => [state.baseline?.devices ?? [], state.departed])
    .flat()
    .flatMap(({ movedFrom = [], past = [] }) => movedFrom.map((move) => ({ ...move, past })))
    .filter(({ source, on }) => (baselines.get(source) ?? '') < on)
    .map(({ source, id, on, past }) => ({
      key: toDeviceKey(source, id),
      isPastTaken: past.some(({ slot, moved }) => moved === true && slot === on),
    }))
    .filter(({ key }) => left.has(key));
}

/** Two newcomers can be the same machine: the one that is counted comes first. */
function compareClaims(left: CurrentDevice, right: CurrentDevice): number {
  return (
    Number(right.judgement.counted) - Number(left.judgement.counted) ||
    compareCodePoints(left.source, right.source) ||
    compareCodePoints(left.facts.id, right.facts.id)
  );
}

/**
 * Takes one that is left tonight, or the last that left; then its own, one that was counted, one of its source, the
 * newest. Each is taken once.
 */
function takeBest(candidates: MatchCandidate[] = [], { source, facts }: CurrentDevice): MatchCandidate | undefined {
  const isOwn = (one: MatchCandidate) => one.source === source && one.id === facts.id;
  candidates.sort(
    (left, right) =>
      Number(right.wasAway) - Number(left.wasAway) ||
      compareCodePoints(readLeftOn(left), readLeftOn(right)) ||
      Number(isOwn(left)) - Number(isOwn(right)) ||
      Number(left.known.counted) - Number(right.known.counted) ||
      Number(left.source === source) - Number(right.source === source) ||
      compareRecords(left, right),
  );
  const best = candidates.findLastIndex((one) => one.isGone || isOwn(one));
  return best === -1 ? undefined : candidates.splice(best, 1)[0];
}

function readLeftOn({ known }: MatchCandidate): string {
  return 'leftOn' in known ? known.leftOn : '';
}
