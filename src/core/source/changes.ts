/** What changed since the baseline: rows that together explain why the count and its two halves are what they are. */

import { type DeviceMatches, toDeviceKey } from '../device/match-devices.ts';
import type { BaselineMatch, Change, JudgedDevice } from '../facts/judged.ts';
import type { BaselineDevice, SourceState } from '../facts/state.ts';
import type { DifferenceKind } from '../facts/vocabulary.ts';
import { compareCodePoints } from '../text/order.ts';
import { type CountLetterPair, isCounted, toCountLetter } from './count-letter.ts';

/** A machine that is not what it was in the baseline; without `device` it is gone. */
export interface DevicePair extends CountLetterPair {
  readonly device?: JudgedDevice;
  readonly match?: Pick<BaselineMatch, 'known' | 'source' | 'wasAway' | 'ownPast'> | undefined;
}

/** The machines of one source that has a baseline and answered completely: each once, under the record that it has now. */
export function pairDevices(
  { name, baseline }: Pick<SourceState, 'name'> & { readonly baseline: SourceState['baseline'] },
  devices: readonly JudgedDevice[],
  { findMatch, movedAway }: Pick<DeviceMatches, 'findMatch' | 'movedAway'>,
): DevicePair[] {
  // A machine that moved has its changes under the id that it came back with.
  const hasMoved = (id: string) => movedAway.has(toDeviceKey(name, id));
  const listed = devices.flatMap((device): DevicePair[] => {
    const match = findMatch(device.source, device.facts.id);
    if (device.judgement.unread === 'blank' || (match?.how === 'same' && hasMoved(device.facts.id))) {
      return [];
    }
    const moved = match?.how === 'moved';
    const is = toCountLetter(device.judgement);
    const was = match === undefined || match.wasAway ? '-' : toCountLetter(match.known);
    // The same id back after it was reported as removed is new again, with its old history.
    const known = match !== undefined && moved ? toCountLetter(match.known) : was;
    return was === is && !moved ? [] : [{ was, is, known, moved, device, match }];
  });
  const present = new Set(devices.map(({ facts }) => facts.id));
  const gone = (baseline?.devices ?? [])
    .filter(({ facts }) => !present.has(facts.id) && !hasMoved(facts.id))
    .map((known): DevicePair => {
      const was = toCountLetter(known);
      return { was, is: '-', known: was, moved: false, match: { source: name, known, wasAway: false } };
    });
  return [...listed, ...gone];
}

/** The rows of the pairs of one source. */
export function listChanges<Kind extends DifferenceKind>(
  name: string,
  pairs: readonly DevicePair[],
  decideKinds: (pair: CountLetterPair) => readonly Kind[],
): Change<Kind>[] {
  return pairs
    .flatMap((pair) => decideKinds(pair).flatMap((kind) => toChange(name, kind, pair)))
    .sort((left, right) => compareCodePoints(left.device.id, right.device.id));
}

function toChange<Kind extends DifferenceKind>(source: string, kind: Kind, pair: DevicePair): Change<Kind>[] {
  const { device: now, match } = pair;
  const before = match?.known;
  const device = now?.facts ?? before?.facts;
  const reason = findExclusion(kind, now, before) ?? now?.judgement.reason ?? before?.reason;
  if (device === undefined || reason === undefined) {
    return [];
  }
  const isNew = kind === 'new-installed' || kind === 'new-not-installed';
  return [
    {
      source,
      operatingSystem: device.operatingSystem,
      device,
      kind,
      from: isNew ? undefined : before?.status,
      to: now?.judgement.status,
      reason,
      flow: decideFlow(source, kind, pair),
    },
  ];
}

/** A machine that came from another source has one row for both counts. */
function decideFlow(source: string, kind: DifferenceKind, { was, is, known, match }: DevicePair): Change['flow'] {
  if (kind !== 'moved') {
    return flows[kind];
  }
  if (!(isCounted(known) && isCounted(is))) {
    return undefined;
  }
  return was === '-' ? 'joined' : match?.source === source ? undefined : 'both';
}

const flows: Readonly<Partial<Record<DifferenceKind, Change['flow']>>> = {
  'new-installed': 'joined',
  'new-not-installed': 'joined',
  included: 'joined',
  excluded: 'left',
  removed: 'left',
};

/** A device that left or entered the count has the reason why it is, or was, not counted. */
function findExclusion(kind: DifferenceKind, now: JudgedDevice | undefined, before: BaselineDevice | undefined) {
  if (kind === 'excluded') {
    return now?.judgement.excludedBecause;
  }
  return kind === 'included' ? before?.excludedBecause : undefined;
}
