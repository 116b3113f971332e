/** An implausible drop of the count or flood of changes: more likely a broken answer than a broken fleet. */
import { findOwnExclusion } from './exclusions.ts';
import type { Policy, SourceFacts } from './facts.ts';
import type { MatchedDevice } from './judged.ts';
import { toDeviceKey } from './match-devices.ts';
import { createIdFinder } from './order.ts';
import type { SourceRules } from './rules.ts';
import type { BaselineDevice, SourceState } from './state.ts';

export interface BreakerResult {
  readonly countedBefore: number;
  /** Counted before and not now, for a reason that came from the platform. */
  readonly gone: number;
  readonly inBoth: number;
  readonly flipped: number;
  readonly trips: boolean;
}

interface BreakerInput {
  readonly state: SourceState;
  readonly devices: readonly MatchedDevice[];
  readonly movedAway: ReadonlySet<string>;
  readonly rules: SourceRules;
  readonly population: SourceFacts['population'];
  readonly limits: Policy['breaker'];
}

export function checkBreaker(input: BreakerInput): BreakerResult {
  const { state, devices, movedAway, limits } = input;
  const before = (state.baseline?.devices ?? []).filter((known) => known.counted);
  const now = createIdFinder(devices, ({ facts }) => facts.id);
  let gone = 0;
  for (const known of before) {
    const isMoved = movedAway.has(toDeviceKey(state.name, known.facts.id));
    if (isDropped(known, now.find(known.facts.id), isMoved, input)) {
      gone += 1;
    }
  }
  let inBoth = 0;
  let flipped = 0;
  for (const { match, counted, status } of devices) {
    if (!counted || !match?.known.counted || match.wasAway) {
      continue;
    }
    inBoth += 1;
    if (match.known.status !== status) {
      flipped += 1;
    }
  }
  const trips =
    isAboveLimit(gone, before.length, limits.maximumFleetDropPercent, limits.minimumDevices) ||
    isAboveLimit(flipped, inBoth, limits.maximumFlipPercent, limits.minimumDevices);
  return { countedBefore: before.length, gone, inBoth, flipped, trips };
}

/** Counted before and not now, and neither a person nor a setting nor a move is the reason. */
function isDropped(
  known: BaselineDevice,
  device: MatchedDevice | undefined,
  isMoved: boolean,
  { rules, population }: Pick<BreakerInput, 'rules' | 'population'>,
): boolean {
  const because = device?.excludedBecause;
  if (isMoved) {
    return false;
  }
  if (device === undefined) {
    return true;
  }
  if (because === undefined || because === 'exempt') {
    return false;
  }
  if (because === 'superseded') {
    // A new record of the machine is a move; one that was counted itself makes one machine of two.
    return device.supersededBy?.wasCounted === true;
  }
  // What today's settings would have left out in the baseline too is no news from the platform.
  return findOwnExclusion(known.facts, rules, population) !== because;
}

/** Strictly above the percentage, and enough devices to mean anything; multiplied out, so that nothing is rounded. */
function isAboveLimit(part: number, whole: number, percent: number, minimum: number): boolean {
  return part >= minimum && part * 100 > percent * whole;
}
