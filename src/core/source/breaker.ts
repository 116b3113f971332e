/** An implausible drop of the count or flood of changes: more likely a broken answer than a broken fleet. */
import { type DeviceMatches, toDeviceKey } from '../device/match-devices.ts';
import type { Policy } from '../facts/facts.ts';
import type { JudgedDevice } from '../facts/judged.ts';
import type { BaselineDevice, SourceState } from '../facts/state.ts';
import { findOwnExclusion } from './device-records.ts';
import type { SourceInput } from './source-input.ts';

export interface BreakerResult {
  readonly countedBefore: number;
  /** Counted before and not now, for a reason that came from the platform. */
  readonly gone: number;
  /** Gone after they had not been heard from for long, as a clean-up rule removes them: no drop. */
  readonly cleanedUp: number;
  readonly inBoth: number;
  readonly flipped: number;
  readonly trips: boolean;
}

export function checkBreaker(
  compared: SourceState,
  input: SourceInput,
  devices: readonly JudgedDevice[],
  { findMatch, movedAway }: Pick<DeviceMatches, 'findMatch' | 'movedAway'>,
  limits: Policy['breaker'],
): BreakerResult {
  const before = (compared.baseline?.devices ?? []).filter((known) => known.counted);
  const now = new Map(devices.map((device) => [device.facts.id, device]));
  const remaining = before.filter(({ facts }) => !movedAway.has(toDeviceKey(compared.name, facts.id)));
  const isCleanedUp = ({ stale, facts }: BaselineDevice) => stale === true && !now.has(facts.id);
  const cleanedUp = remaining.filter(isCleanedUp).length;
  const gone = remaining
    .filter((known) => !isCleanedUp(known))
    .filter((known) => isDropped(known, now.get(known.facts.id), input)).length;
  const inBoth = devices.flatMap(({ source, facts, judgement }) => {
    const match = findMatch(source, facts.id);
    const isInBoth = judgement.counted && match?.known.counted && !match.wasAway;
    return isInBoth ? { isFlipped: match.known.status !== judgement.status } : [];
  });
  const flipped = inBoth.filter(({ isFlipped }) => isFlipped).length;
  const trips =
    isAboveLimit(gone, before.length, limits.maximumFleetDropPercent, limits.minimumDevices) ||
    isAboveLimit(flipped, inBoth.length, limits.maximumFlipPercent, limits.minimumDevices);
  return { countedBefore: before.length, gone, cleanedUp, inBoth: inBoth.length, flipped, trips };
}

/** Not counted now, and neither a person nor a setting is the reason. */
function isDropped(known: BaselineDevice, device: JudgedDevice | undefined, { rules, source }: SourceInput): boolean {
  if (device === undefined) {
    return true;
  }
  const because = device.judgement.excludedBecause;
  if (because === undefined || because === 'exempt') {
    return false;
  }
  if (because === 'superseded') {
    // A new record of the machine is a move; one that was counted itself makes one machine of two.
    return device.judgement.wasReplacementCounted;
  }
  // What today's settings would have left out in the baseline too is no news from the platform.
  return findOwnExclusion(known.facts, rules, source.population) !== because;
}

/** Strictly above the percentage, and enough devices to mean anything; multiplied out, so that nothing is rounded. */
export function isAboveLimit(part: number, whole: number, percent: number, minimum: number): boolean {
  return part >= minimum && part * 100 > percent * whole;
}
