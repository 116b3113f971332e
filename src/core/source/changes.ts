/** What changed since the baseline: rows that together explain why the count and its two halves are what they are. */

import { type DeviceMatches, toDeviceKey, wasInBaseline } from '../device/match-devices.ts';
import type { BaselineMatch, Change, JudgedDevice } from '../facts/judged.ts';
import type { BaselineDevice, SourceState } from '../facts/state.ts';
import type { ChangeKind } from '../facts/vocabulary.ts';
import { compareCodePoints } from '../text/order.ts';

/** The change rows of one source that has a baseline and answered completely. */
export function listChanges(
  state: SourceState,
  devices: readonly JudgedDevice[],
  { findMatch, movedAway }: DeviceMatches,
): Change[] {
  // A machine that moved has its changes under the id that it came back with.
  const hasMoved = (id: string) => movedAway.has(toDeviceKey(state.name, id));
  const known = devices.filter(({ judgement }) => judgement.unread !== 'blank');
  const changes = known.flatMap((device) => {
    const match = findMatch(device.source, device.facts.id);
    if (match?.how === 'same' && hasMoved(device.facts.id)) {
      return [];
    }
    return decideChangeKinds(device, match).map((kind) => toChange(kind, device, match));
  });
  const present = new Set(devices.map(({ facts }) => facts.id));
  const removals = (state.baseline?.devices ?? [])
    .filter(({ counted, facts }) => counted && !present.has(facts.id) && !hasMoved(facts.id))
    .map((known) => toRemoval(state, known));
  return [...changes, ...removals].sort((left, right) => compareCodePoints(left.device.id, right.device.id));
}

/** In the order of `changeKinds`. */
function decideChangeKinds(device: JudgedDevice, match: BaselineMatch | undefined): ChangeKind[] {
  // The same id back after it was reported as removed is new again, with its old history.
  if (match === undefined || match.how === 'back') {
    if (!device.judgement.counted) {
      return [];
    }
    return [device.judgement.status === 'Installed' ? 'new-installed' : 'new-not-installed'];
  }
  const before = match.known;
  const wasCounted = before.counted && !match.wasAway;
  const kinds: ChangeKind[] = [];
  if (match.how === 'moved' && (wasCounted || device.judgement.counted)) {
    kinds.push('moved');
  }
  if (wasCounted && !device.judgement.counted) {
    kinds.push('excluded');
  }
  if (!before.counted && device.judgement.counted) {
    kinds.push('included');
  }
  if (before.counted && device.judgement.counted && before.status !== device.judgement.status) {
    kinds.push(device.judgement.status === 'Installed' ? 'recovered' : 'lost');
  }
  return kinds;
}

function toChange(kind: ChangeKind, device: JudgedDevice, match: BaselineMatch | undefined): Change {
  const before = match?.known;
  const isNew = kind === 'new-installed' || kind === 'new-not-installed';
  return {
    source: device.source,
    operatingSystem: device.facts.operatingSystem,
    device: device.facts,
    kind,
    from: isNew ? undefined : before?.status,
    to: device.judgement.status,
    reason: chooseChangeReason(kind, device, before),
    flow: decideFlow(kind, device, match),
  };
}

/** A machine that came from another source has one row for both counts. */
function decideFlow(
  kind: ChangeKind,
  { source, judgement }: JudgedDevice,
  match: BaselineMatch | undefined,
): Change['flow'] {
  if (kind === 'moved') {
    return match?.known.counted === true && judgement.counted && !wasInBaseline(source, match) ? 'both' : undefined;
  }
  return flows[kind];
}

const flows: Readonly<Partial<Record<ChangeKind, Change['flow']>>> = {
  'new-installed': 'joined',
  'new-not-installed': 'joined',
  included: 'joined',
  excluded: 'left',
};

/** A device that left or entered the count has the reason why it is, or was, not counted. */
function chooseChangeReason(
  kind: ChangeKind,
  device: JudgedDevice,
  before: BaselineDevice | undefined,
): Change['reason'] {
  if (kind === 'excluded') {
    return device.judgement.excludedBecause ?? device.judgement.reason;
  }
  if (kind === 'included') {
    return before?.excludedBecause ?? device.judgement.reason;
  }
  return device.judgement.reason;
}

function toRemoval({ name }: SourceState, known: BaselineDevice): Change {
  const { facts: device, status: from, reason } = known;
  return {
    source: name,
    operatingSystem: device.operatingSystem,
    device,
    kind: 'removed',
    from,
    to: undefined,
    reason,
    flow: 'left',
  };
}
