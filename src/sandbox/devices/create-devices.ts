/** Creates a fleet and brings it to a night. The same seed and night give the same fleet, however it got there. */

import { liveOneNight } from './advance-devices.ts';
import { day } from './contact-times.ts';
import { bearMac, bearOther, bearWindows } from './create-device.ts';
import type { Fleet } from './model.ts';
import { below, purpose } from './random.ts';

export interface FleetOptions {
  readonly devices: number;
  readonly seed: number;
  /** YYYY-MM-DD of night 0. */
  readonly firstNight: string;
  readonly frozenStates: boolean;
}

function longAgo(fleet: Fleet, ordinal: number): number {
  return -5 - below(600, fleet.seed, ordinal, purpose.enrolment);
}

/** Rows of two devices that left long ago stay in the app report for good. */
function addOldGhosts(fleet: Fleet): void {
  for (let count = 0; count < 2; count += 1) {
    const device = bearWindows(fleet, -300);
    device.contact = { kind: 'silent', since: -90 };
    fleet.ghosts.push({ device, leftNight: Number.POSITIVE_INFINITY });
  }
}

export function createFleet(options: FleetOptions): Fleet {
  const fleet: Fleet = {
    seed: options.seed,
    size: options.devices,
    start: Date.parse(`${options.firstNight}T00:00:00Z`),
    frozenStates: options.frozenStates,
    night: 0,
    version: 1,
    macs: [],
    windows: [],
    others: [],
    ghosts: [],
    nextMacId: 1,
    nextMac: 0,
    nextWindows: 0,
  };
  const macCount = Math.ceil(options.devices / 2);
  for (let count = 0; count < macCount; count += 1) {
    fleet.macs.push(bearMac(fleet, longAgo(fleet, count), true));
  }
  for (let count = macCount; count < options.devices; count += 1) {
    fleet.windows.push(bearWindows(fleet, longAgo(fleet, count), true));
  }
  for (let count = 0; count < Math.max(2, Math.floor(options.devices / 25)); count += 1) {
    fleet.others.push(bearOther(fleet, count));
  }
  addOldGhosts(fleet);
  return fleet;
}

export function nightOf(fleet: Fleet, moment: number): number {
  return Math.max(0, Math.floor((moment - fleet.start) / day));
}

/** Lives on to the night; a fleet cannot live backwards. */
export function liveUntil(fleet: Fleet, night: number): void {
  while (fleet.night < night) {
    liveOneNight(fleet);
  }
}
