/** An implausible drop of the fleet or flood of changes: more likely a broken answer than a broken fleet. */
import type { Policy } from './facts.ts';
import type { JudgedDevice } from './judged.ts';
import { type BaselineMatch, toDeviceKey } from './match-devices.ts';
import type { SourceState } from './state.ts';

export interface BreakerResult {
  readonly countedBefore: number;
  /** Counted devices that are gone, or that the platform now says are not to be counted. */
  readonly gone: number;
  readonly inBoth: number;
  readonly flipped: number;
  readonly trips: boolean;
}

/** Not counted because of our settings, a person's exemption or a newer record: not the platform's doing. */
const ownExclusionReasons = new Set(['exempt', 'superseded', 'personal']);

export function checkBreaker(
  state: SourceState,
  devices: readonly JudgedDevice[],
  ancestorOf: ReadonlyMap<JudgedDevice, BaselineMatch>,
  movedAway: ReadonlySet<string>,
  limits: Policy['breaker'],
): BreakerResult {
  const before = (state.baseline?.devices ?? []).filter((known) => known.counted);
  const now = new Map(devices.map((device) => [device.facts.id, device]));
  let gone = 0;
  for (const known of before) {
    if (movedAway.has(toDeviceKey(state.name, known.facts.id))) {
      continue;
    }
    const device = now.get(known.facts.id);
    if (device === undefined || isDropped(device)) {
      gone += 1;
    }
  }
  let inBoth = 0;
  let flipped = 0;
  for (const device of devices) {
    const ancestor = ancestorOf.get(device);
    if (!device.counted || !ancestor?.known.counted || ancestor.wasAway) {
      continue;
    }
    inBoth += 1;
    if (ancestor.known.status !== device.status) {
      flipped += 1;
    }
  }
  const trips =
    isAboveLimit(gone, before.length, limits.maximumFleetDropPercent, limits.minimumDevices) ||
    isAboveLimit(flipped, inBoth, limits.maximumFlipPercent, limits.minimumDevices);
  return { countedBefore: before.length, gone, inBoth, flipped, trips };
}

function isDropped(device: JudgedDevice): boolean {
  return device.excludedBecause !== undefined && !ownExclusionReasons.has(device.excludedBecause);
}

/** Strictly above the percentage, and enough devices to mean anything; multiplied out, so that nothing is rounded. */
function isAboveLimit(part: number, whole: number, percent: number, minimum: number): boolean {
  return part > 0 && part >= minimum && part * 100 > percent * whole;
}
