/** What one night does to the fleet: each machine's night is drawn by itself, so that no other change disturbs it. */
import { macAgentStates, windowsAgentStates } from './agent-states.ts';
import { createMac, createWindowsDevice, setWindowsAgent } from './create-device.ts';
import type { Mac, SimulatedDevices, WindowsDevice } from './model.ts';
import { drawBelow, drawFraction, purpose } from './random.ts';

const macSalt = 11;
const windowsSalt = 22;
const nightsUntilDepartedRowsGo = 14;

/** The next night. A fleet reaches night N only through every night before it. */
export function advanceOneNight(devices: SimulatedDevices): void {
  devices.night += 1;
  devices.revision += 1;
  const newMacs: Mac[] = [];
  const macs = devices.macs.filter((mac) => advanceMac(devices, mac, newMacs));
  for (let count = countArrivals(devices, macSalt); count > 0; count -= 1) {
    newMacs.push(createMac(devices, devices.night));
  }
  devices.macs = [...macs, ...newMacs];

  const newWindows: WindowsDevice[] = [];
  const left: WindowsDevice[] = [];
  const windows = devices.windows.filter(
    (device) => advanceWindowsDevice(devices, device, newWindows) || left.push(device) < 0,
  );
  for (let count = countArrivals(devices, windowsSalt); count > 0; count -= 1) {
    newWindows.push(createWindowsDevice(devices, devices.night));
  }
  devices.windows = [...windows, ...newWindows];
  devices.departed = [
    ...devices.departed.filter((ghost) => devices.night - ghost.leftNight < nightsUntilDepartedRowsGo),
    ...left.map((device) => ({ device, leftNight: devices.night })),
  ];
}

/** False when the record is deleted; a machine that comes back arrives under a new id. */
function advanceMac(devices: SimulatedDevices, mac: Mac, arrivals: Mac[]): boolean {
  const chance = mac.isEdgeCase ? undefined : drawEvent(devices, macSalt, mac.ordinal);
  if (chance === undefined) {
    return true;
  }
  if (chance >= 0.3 && chance < 0.45) {
    return false;
  }
  if (chance >= 0.45 && chance < 0.58) {
    arrivals.push(createMac(devices, devices.night, false, mac));
    mac.contact = { kind: 'silent', since: devices.night - 1 };
    return chance >= 0.55;
  }
  if (mac.contact.kind === 'silent') {
    mac.contact = { kind: 'regular' };
  } else if (chance >= 0.58 && chance < 0.7) {
    mac.contact = { kind: 'silent', since: devices.night };
    return true;
  } else if (chance >= 0.7 && chance < 0.78) {
    mac.name = null;
  } else if (chance >= 0.78 && chance < 0.88) {
    mac.managed = !mac.managed;
  } else if (chance >= 0.88 && chance < 0.93) {
    mac.agentTruth = macAgentStates.nothing.truth;
    mac.attributeEntry = macAgentStates.nothing.attributeEntry;
  } else if (mac.agentTruth.status === 'Not Installed' || chance < 0.1) {
    toggleMacAgent(mac);
  }
  mac.lastEventNight = devices.night;
  return true;
}

/** The night's fate of a machine, 0 to 1, or undefined on the many nights when nothing happens to it. */
function drawEvent(devices: SimulatedDevices, salt: number, ordinal: number): number | undefined {
  return drawFraction(devices.seed, devices.night, salt, ordinal, purpose.event) < computeEventProbability(devices)
    ? drawFraction(devices.seed, devices.night, salt, ordinal, purpose.kind)
    : undefined;
}

function computeEventProbability(devices: SimulatedDevices): number {
  return Math.max(0.01, 0.5 / devices.initialCount);
}

function toggleMacAgent(mac: Mac): void {
  const agent = mac.agentTruth.status === 'Installed' ? macAgentStates.missing : macAgentStates.installed;
  mac.agentTruth = agent.truth;
  mac.attributeEntry = agent.attributeEntry;
}

/** As many arrive as leave in the long run; the fraction is drawn. */
function countArrivals(devices: SimulatedDevices, salt: number): number {
  const expected = (devices.initialCount / 2) * computeEventProbability(devices) * 0.14;
  return Math.floor(expected + drawFraction(devices.seed, devices.night, salt, purpose.arrivals));
}

function advanceWindowsDevice(devices: SimulatedDevices, device: WindowsDevice, arrivals: WindowsDevice[]): boolean {
  if (device.removalNight !== undefined && device.removalNight <= devices.night) {
    return false;
  }
  const chance =
    device.isEdgeCase || device.removalNight !== undefined
      ? undefined
      : drawEvent(devices, windowsSalt, device.ordinal);
  if (chance === undefined) {
    return true;
  }
  if (chance >= 0.3 && chance < 0.4) {
    return false;
  }
  if (chance >= 0.4 && chance < 0.53) {
    arrivals.push(createWindowsDevice(devices, devices.night, false, device));
    device.contact = { kind: 'silent', since: devices.night - 1 };
    return chance >= 0.5;
  }
  if (device.contact.kind === 'silent') {
    device.contact = { kind: 'regular' };
  } else if (chance >= 0.53 && chance < 0.65) {
    device.contact = { kind: 'silent', since: devices.night };
    return true;
  } else if (chance >= 0.65 && chance < 0.73) {
    device.name = null;
  } else if (chance >= 0.73 && chance < 0.83) {
    device.managementState = 'retirePending';
    device.removalNight = devices.night + 2;
  } else if (device.agentTruth.status === 'Not Installed') {
    device.appRequested = true;
    setWindowsAgent(devices, device, windowsAgentStates.installed);
  } else if (chance < 0.06 || chance >= 0.95) {
    setWindowsAgent(devices, device, chance < 0.06 ? windowsAgentStates.missing : windowsAgentStates.failed);
  }
  device.lastEventNight = devices.night;
  return true;
}

/** How often a machine reports its inventory, in nights. */
export function drawReportPeriod(seed: number, ordinal: number): number {
  return 1 + drawBelow(7, seed, ordinal, purpose.period);
}
