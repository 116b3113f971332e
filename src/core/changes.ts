/** What changed since the baseline: rows that together explain why the count and its two halves are what they are. */

import type { Change, MatchedDevice } from './judged.ts';
import { type BaselineMatch, toDeviceKey, wasInBaseline } from './match-devices.ts';
import { compareCodePoints, createIdFinder } from './order.ts';
import type { BaselineDevice, SourceState } from './state.ts';
import type { ChangeKind } from './vocabulary.ts';

/** The change rows of one source that has a baseline and answered completely. */
export function listChanges(
  state: SourceState,
  devices: readonly MatchedDevice[],
  movedAway: ReadonlySet<string>,
): Change[] {
  // A machine that moved has its changes under the id that it came back with.
  const hasMoved = (id: string) => movedAway.has(toDeviceKey(state.name, id));
  const changes = devices.flatMap((device) => {
    if (device.match?.how === 'same' && hasMoved(device.facts.id)) {
      return [];
    }
    return decideChangeKinds(device, device.match).map((kind) => toChange(kind, device, device.match?.known));
  });
  const present = createIdFinder(devices, (device) => device.facts.id);
  for (const known of state.baseline?.devices ?? []) {
    const { id } = known.facts;
    if (known.counted && present.find(id) === undefined && !hasMoved(id)) {
      changes.push(toRemoval(state, known));
    }
  }
  return changes.sort((left, right) => compareCodePoints(left.device.id, right.device.id));
}

/** In the order of `changeKinds`. */
function decideChangeKinds(device: MatchedDevice, match: BaselineMatch | undefined): ChangeKind[] {
  // The same id back after it was reported as removed is new again, with its old history.
  if (match === undefined || match.how === 'back') {
    if (!device.counted) {
      return [];
    }
    return [device.status === 'Installed' ? 'new-installed' : 'new-not-installed'];
  }
  const before = match.known;
  const wasCounted = before.counted && !match.wasAway;
  const kinds: ChangeKind[] = [];
  if (match.how === 'moved' && (wasCounted || device.counted)) {
    kinds.push('moved');
  }
  if (wasCounted && !device.counted) {
    kinds.push('excluded');
  }
  if (!before.counted && device.counted) {
    kinds.push('included');
  }
  if (before.counted && device.counted && before.status !== device.status) {
    kinds.push(device.status === 'Installed' ? 'recovered' : 'lost');
  }
  return kinds;
}

function toChange(kind: ChangeKind, device: MatchedDevice, before: BaselineDevice | undefined): Change {
  const isNew = kind === 'new-installed' || kind === 'new-not-installed';
  return {
    source: device.source,
    platform: device.platform,
    device: device.facts,
    kind,
    from: isNew ? undefined : before?.status,
    to: device.status,
    reason: chooseChangeReason(kind, device, before),
    flow: decideFlow(kind, device),
  };
}

/** A machine that came from another source has one row for both counts. */
function decideFlow(kind: ChangeKind, { source, counted, match }: MatchedDevice): Change['flow'] {
  switch (kind) {
    case 'new-installed':
    case 'new-not-installed':
    case 'included':
      return 'joined';
    case 'excluded':
      return 'left';
    case 'moved':
      return match?.known.counted === true && counted && !wasInBaseline(source, match) ? 'both' : undefined;
    default:
      return undefined;
  }
}

/** For a device that left or entered the count: why it is, or was, not counted. */
function chooseChangeReason(
  kind: ChangeKind,
  device: MatchedDevice,
  before: BaselineDevice | undefined,
): Change['reason'] {
  if (kind === 'excluded') {
    return device.excludedBecause ?? device.reason;
  }
  if (kind === 'included') {
    return before?.excludedBecause ?? device.reason;
  }
  return device.reason;
}

function toRemoval({ name }: SourceState, known: BaselineDevice): Change {
  const { facts: device, status: from, reason } = known;
  return {
    source: name,
    platform: device.platform,
    device,
    kind: 'removed',
    from,
    to: undefined,
    reason,
    flow: 'left',
  };
}
