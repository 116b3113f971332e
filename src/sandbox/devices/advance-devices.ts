/** What one night does to the fleet: each machine's night is drawn by itself, so that no other change disturbs it. */

import { macAgents, windowsAgents } from './agent-states.ts';
import { bearMac, bearWindows, equipWindows } from './create-device.ts';
import type { Fleet, Mac, WindowsDevice } from './model.ts';
import { below, purpose, share } from './random.ts';

const macSalt = 11;
const windowsSalt = 22;
const ghostNights = 14;

function nightlyShare(fleet: Fleet): number {
  return Math.max(0.01, 0.5 / fleet.size);
}

/** The night's fate of a machine, 0 to 1, or undefined on the many nights when nothing happens to it. */
function fate(fleet: Fleet, salt: number, ordinal: number): number | undefined {
  return share(fleet.seed, fleet.night, salt, ordinal, purpose.event) < nightlyShare(fleet)
    ? share(fleet.seed, fleet.night, salt, ordinal, purpose.kind)
    : undefined;
}

function toggleMacAgent(mac: Mac): void {
  const agent = mac.verdict.status === 'Installed' ? macAgents.missing : macAgents.installed;
  mac.verdict = agent.verdict;
  mac.answer = agent.answer;
}

/** False when the record is deleted; a machine that comes back arrives under a new id. */
function liveMac(fleet: Fleet, mac: Mac, arrivals: Mac[]): boolean {
  const chance = mac.pinned ? undefined : fate(fleet, macSalt, mac.ordinal);
  if (chance === undefined) {
    return true;
  }
  if (chance >= 0.3 && chance < 0.45) {
    return false;
  }
  if (chance >= 0.45 && chance < 0.58) {
    arrivals.push(bearMac(fleet, fleet.night, false, mac));
    mac.contact = { kind: 'silent', since: fleet.night - 1 };
    return chance >= 0.55;
  }
  if (mac.contact.kind === 'silent') {
    mac.contact = { kind: 'regular' };
  } else if (chance >= 0.58 && chance < 0.7) {
    mac.contact = { kind: 'silent', since: fleet.night };
    return true;
  } else if (chance >= 0.7 && chance < 0.78) {
    mac.name = null;
  } else if (chance >= 0.78 && chance < 0.88) {
    mac.managed = !mac.managed;
  } else if (chance >= 0.88 && chance < 0.93) {
    mac.verdict = macAgents.nothing.verdict;
    mac.answer = macAgents.nothing.answer;
  } else if (mac.verdict.status === 'Not Installed' || chance < 0.1) {
    toggleMacAgent(mac);
  }
  mac.eventNight = fleet.night;
  return true;
}

function liveWindows(fleet: Fleet, device: WindowsDevice, arrivals: WindowsDevice[]): boolean {
  if (device.leavesNight !== undefined && device.leavesNight <= fleet.night) {
    return false;
  }
  const chance =
    device.pinned || device.leavesNight !== undefined ? undefined : fate(fleet, windowsSalt, device.ordinal);
  if (chance === undefined) {
    return true;
  }
  if (chance >= 0.3 && chance < 0.4) {
    return false;
  }
  if (chance >= 0.4 && chance < 0.53) {
    arrivals.push(bearWindows(fleet, fleet.night, false, device));
    device.contact = { kind: 'silent', since: fleet.night - 1 };
    return chance >= 0.5;
  }
  if (device.contact.kind === 'silent') {
    device.contact = { kind: 'regular' };
  } else if (chance >= 0.53 && chance < 0.65) {
    device.contact = { kind: 'silent', since: fleet.night };
    return true;
  } else if (chance >= 0.65 && chance < 0.73) {
    device.name = null;
  } else if (chance >= 0.73 && chance < 0.83) {
    device.managementState = 'retirePending';
    device.leavesNight = fleet.night + 2;
  } else if (device.verdict.status === 'Not Installed') {
    device.asked = true;
    equipWindows(fleet, device, windowsAgents.installed);
  } else if (chance < 0.06 || chance >= 0.95) {
    equipWindows(fleet, device, chance < 0.06 ? windowsAgents.missing : windowsAgents.failed);
  }
  device.eventNight = fleet.night;
  return true;
}

/** As many arrive as leave in the long run; the fraction is drawn. */
function arrivalsOf(fleet: Fleet, salt: number): number {
  const expected = (fleet.size / 2) * nightlyShare(fleet) * 0.14;
  return Math.floor(expected + share(fleet.seed, fleet.night, salt, purpose.arrivals));
}

/** The next night. A fleet reaches night N only through every night before it. */
export function liveOneNight(fleet: Fleet): void {
  fleet.night += 1;
  fleet.version += 1;
  const newMacs: Mac[] = [];
  const macs = fleet.macs.filter((mac) => liveMac(fleet, mac, newMacs));
  for (let count = arrivalsOf(fleet, macSalt); count > 0; count -= 1) {
    newMacs.push(bearMac(fleet, fleet.night));
  }
  fleet.macs = [...macs, ...newMacs];

  const newWindows: WindowsDevice[] = [];
  const left: WindowsDevice[] = [];
  const windows = fleet.windows.filter((device) => liveWindows(fleet, device, newWindows) || left.push(device) < 0);
  for (let count = arrivalsOf(fleet, windowsSalt); count > 0; count -= 1) {
    newWindows.push(bearWindows(fleet, fleet.night));
  }
  fleet.windows = [...windows, ...newWindows];
  fleet.ghosts = [
    ...fleet.ghosts.filter((ghost) => fleet.night - ghost.leftNight < ghostNights),
    ...left.map((device) => ({ device, leftNight: fleet.night })),
  ];
}

/** How often a machine reports its inventory, in nights. */
export function reportPeriod(seed: number, ordinal: number): number {
  return 1 + below(7, seed, ordinal, purpose.period);
}
