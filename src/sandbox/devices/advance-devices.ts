/** What happens to the devices in one night: drawn for each device by itself, so that no other change disturbs it. */
import { macAgentStates, windowsAgentStates } from './agent-states.ts';
import { millisecondsPerDay } from './contact-times.ts';
import { createMac, createWindowsDevice, setWindowsAgent } from './create-device.ts';
import type { Mac, SimulatedDevices, WindowsDevice } from './model.ts';
import {
  arrivalsPerEvent,
  type EventTable,
  macEvents,
  minimumNightlyEvents,
  probability,
  windowsEvents,
} from './probabilities.ts';
import { drawChance, drawFraction, purpose, salt } from './random.ts';

/** The app report holds the rows of a device that left for so many nights. */
const nightsOfDepartedRows = 14;
const nightsUntilRetired = 2;

/** Devices reach a night only through every night before it, and never go back. */
export function advanceToNight(devices: SimulatedDevices, night: number): void {
  while (devices.night < night) {
    advanceOneNight(devices);
  }
}

function advanceOneNight(devices: SimulatedDevices): void {
  devices.night += 1;
  devices.revision += 1;
  advanceMacs(devices);
  advanceWindowsDevices(devices);
}

function advanceMacs(devices: SimulatedDevices): void {
  const arrivals: Mac[] = [];
  const stayed = devices.macs.filter((mac) => advanceMac(devices, mac, arrivals));
  for (let count = countArrivals(devices, salt.macNight); count > 0; count -= 1) {
    arrivals.push(createMac(devices, devices.night));
  }
  devices.macs = [...stayed, ...arrivals];
}

/** False when the record is deleted; a Mac that is enrolled again arrives under a new id. */
function advanceMac(devices: SimulatedDevices, mac: Mac, arrivals: Mac[]): boolean {
  const event = mac.isEdgeCase ? undefined : drawEvent(devices, salt.macNight, mac.ordinal, macEvents);
  if (event === undefined || (mac.replaced && event !== 'record-deleted')) {
    return true;
  }
  if (event === 'record-deleted') {
    return false;
  }
  if (event === 're-enrolled' || event === 're-enrolled-beside-old-record') {
    arrivals.push(createMac(devices, devices.night, { replaces: mac }));
    mac.contact = { kind: 'silent', since: devices.night - 1 };
    mac.replaced = true;
    return event === 're-enrolled-beside-old-record';
  }
  if (mac.contact.kind === 'silent') {
    mac.contact = { kind: 'regular' };
  } else if (event === 'falls-silent') {
    mac.contact = { kind: 'silent', since: devices.night };
    return true;
  } else if (event === 'name-lost') {
    mac.name = null;
  } else if (event === 'management-toggled') {
    mac.managed = !mac.managed;
  } else if (event === 'attribute-value-lost') {
    mac.agent = macAgentStates.nothing;
  } else if (mac.agent.truth.status === 'Not Installed') {
    mac.agent = macAgentStates.installed;
  } else if (event === 'agent-toggled') {
    mac.agent = macAgentStates.missing;
  }
  mac.lastEventNight = devices.night;
  return true;
}

function advanceWindowsDevices(devices: SimulatedDevices): void {
  const arrivals: WindowsDevice[] = [];
  const stayed: WindowsDevice[] = [];
  const left: WindowsDevice[] = [];
  for (const device of devices.windows) {
    (advanceWindowsDevice(devices, device, arrivals) ? stayed : left).push(device);
  }
  for (let count = countArrivals(devices, salt.windowsNight); count > 0; count -= 1) {
    arrivals.push(createWindowsDevice(devices, devices.night));
  }
  devices.windows = [...stayed, ...arrivals];
  devices.departed = [
    ...devices.departed.filter((departed) => devices.night - departed.leftNight < nightsOfDepartedRows),
    ...left.map((device) => ({ device, leftNight: devices.night })),
  ];
}

function advanceWindowsDevice(devices: SimulatedDevices, device: WindowsDevice, arrivals: WindowsDevice[]): boolean {
  if (device.removalNight !== undefined) {
    return devices.night < device.removalNight;
  }
  const event = device.isEdgeCase ? undefined : drawEvent(devices, salt.windowsNight, device.ordinal, windowsEvents);
  if (event === undefined || (device.replaced && event !== 'record-deleted')) {
    return true;
  }
  if (event === 'record-deleted') {
    return false;
  }
  if (event === 're-enrolled' || event === 're-enrolled-beside-old-record') {
    arrivals.push(createWindowsDevice(devices, devices.night, { replaces: device }));
    device.contact = { kind: 'silent', since: devices.night - 1 };
    device.replaced = true;
    return event === 're-enrolled-beside-old-record';
  }
  if (device.contact.kind === 'silent') {
    device.contact = { kind: 'regular' };
  } else if (event === 'falls-silent') {
    device.contact = { kind: 'silent', since: devices.night };
    return true;
  } else if (event === 'name-lost') {
    device.name = null;
  } else if (event === 'retired') {
    device.managementState = 'retirePending';
    device.removalNight = devices.night + nightsUntilRetired;
  } else if (device.agent.truth.status === 'Not Installed') {
    device.appRequested = true;
    setWindowsAgent(devices, device, windowsAgentStates.installed);
  } else if (event === 'agent-toggled') {
    setWindowsAgent(devices, device, windowsAgentStates.missing);
  } else if (event === 'agent-install-fails') {
    setWindowsAgent(devices, device, windowsAgentStates.failed);
  }
  device.lastEventNight = devices.night;
  return true;
}

/** What happens to a device in this night; undefined on the many nights when nothing does. */
function drawEvent<Event extends string>(
  devices: SimulatedDevices,
  salt: number,
  ordinal: number,
  events: EventTable<Event>,
): Event | undefined {
  const numbers = [devices.seed, devices.night, salt, ordinal];
  if (!drawChance(computeEventProbability(devices), ...numbers, purpose.event)) {
    return undefined;
  }
  const drawn = drawFraction(...numbers, purpose.eventKind);
  let bound = 0;
  return events.find(([, percent]) => {
    bound += percent;
    return drawn < bound / 100;
  })?.[0];
}

/** The fraction of a device that is left over is drawn. */
function countArrivals(devices: SimulatedDevices, salt: number): number {
  const expected = (devices.initialCount / 2) * computeEventProbability(devices) * arrivalsPerEvent;
  return Math.floor(expected + drawFraction(devices.seed, devices.night, salt, purpose.arrivals));
}

function computeEventProbability(devices: SimulatedDevices): number {
  return Math.max(probability.nightlyEvent, minimumNightlyEvents / devices.initialCount);
}

export function computeNight(devices: SimulatedDevices, moment: number): number {
  return Math.max(0, Math.floor((moment - devices.startTime) / millisecondsPerDay));
}
