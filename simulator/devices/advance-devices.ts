/** Advances the devices by one night; draws for each device by itself, so that no other change affects it. */
import { macAgentStates, windowsAgentStates } from './agent-states.ts';
import { millisecondsPerDay } from './contact-times.ts';
import { createMac, createWindowsDevice, type Enrollment, setWindowsAgent } from './create-device.ts';
import type { DeviceLists, Mac, SimulatedDevices, SourceDevice, SourceName, WindowsDevice } from './model.ts';
import {
  arrivalsPerEvent,
  type DeviceEvent,
  type EventTable,
  macEvents,
  minimumNightlyEvents,
  probability,
  windowsEvents,
} from './probabilities.ts';
import { drawChance, drawFraction, purpose, salt } from './random.ts';

/** Nights for which the app report keeps the rows of a device that left. */
const nightsOfDepartedRows = 14;
const nightsUntilRetired = 2;

/** Rules of a night that depend on the source. */
interface NightRules {
  readonly salt: number;
  readonly events: EventTable;
  enroll(devices: SimulatedDevices, night: number, enrollment: Enrollment<SourceDevice>): SourceDevice;
  /** Applies an event's effect on the agent or the management; effects on any device are applied elsewhere. */
  applyEvent(devices: SimulatedDevices, device: SourceDevice, event: DeviceEvent): void;
}

const nightRules: Readonly<Record<SourceName, NightRules>> = {
  macs: {
    salt: salt.macNight,
    events: macEvents,
    enroll: createMac,
    applyEvent(_, mac: Mac, event) {
      if (event === 'management-toggled') {
        mac.managed = !mac.managed;
      } else if (event === 'attribute-value-lost') {
        mac.agent = macAgentStates.nothing;
      } else if (!mac.agent.hasAgent) {
        mac.agent = macAgentStates.installed;
      } else if (event === 'agent-toggled') {
        mac.agent = macAgentStates.missing;
      }
    },
  },
  windows: {
    salt: salt.windowsNight,
    events: windowsEvents,
    enroll: createWindowsDevice,
    applyEvent(devices, device: WindowsDevice, event) {
      if (event === 'retired') {
        device.managementState = 'retirePending';
        device.removalNight = devices.night + nightsUntilRetired;
      } else if (!device.agent.hasAgent) {
        device.appRequested = true;
        setWindowsAgent(devices, device, windowsAgentStates.installed);
      } else if (event === 'agent-toggled') {
        setWindowsAgent(devices, device, windowsAgentStates.missing);
      } else if (event === 'agent-install-fails') {
        setWindowsAgent(devices, device, windowsAgentStates.failed);
      }
    },
  },
};

/** Advances the devices through every night up to this one; they never go back. */
export function advanceToNight(devices: SimulatedDevices, night: number): void {
  while (devices.night < night) {
    advanceOneNight(devices);
  }
}

function advanceOneNight(devices: SimulatedDevices): void {
  devices.night += 1;
  advanceSource(devices, 'macs');
  const { windows } = devices;
  advanceSource(devices, 'windows');
  const stayed = new Set(devices.windows);
  devices.departed = [
    ...devices.departed.filter((departed) => devices.night - departed.leftNight < nightsOfDepartedRows),
    ...windows.filter((device) => !stayed.has(device)).map((device) => ({ device, leftNight: devices.night })),
  ];
}

function advanceSource(devices: SimulatedDevices, source: SourceName): void {
  const lists: DeviceLists = devices;
  const rules = nightRules[source];
  const arrivals: SourceDevice[] = [];
  const stayed = lists[source].filter((device) => advanceDevice(devices, rules, device, arrivals));
  for (let count = countArrivals(devices, rules.salt); count > 0; count -= 1) {
    arrivals.push(rules.enroll(devices, devices.night, {}));
  }
  lists[source] = [...stayed, ...arrivals];
}

/** Advances a device; false when its record is deleted. A device that is enrolled again gets a new id. */
function advanceDevice(
  devices: SimulatedDevices,
  rules: NightRules,
  device: SourceDevice,
  arrivals: SourceDevice[],
): boolean {
  if (device.removalNight !== undefined) {
    return devices.night < device.removalNight;
  }
  const event = device.isEdgeCase ? undefined : drawEvent(devices, rules, device.ordinal);
  if (event === undefined || (device.replaced && event !== 'record-deleted')) {
    return true;
  }
  if (event === 'record-deleted') {
    return false;
  }
  if (event === 're-enrolled' || event === 're-enrolled-beside-old-record') {
    arrivals.push(rules.enroll(devices, devices.night, { replaces: device }));
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
  } else {
    rules.applyEvent(devices, device, event);
  }
  device.lastEventNight = devices.night;
  return true;
}

/** Draws the event of a device in this night; undefined on most nights. */
function drawEvent(devices: SimulatedDevices, { salt, events }: NightRules, ordinal: number): DeviceEvent | undefined {
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

/** Number of arrivals; the fraction of a device that remains is drawn. */
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

/** Removes the first device that is no edge case, as can happen while a client reads pages. */
export function removeFirstDevice(lists: DeviceLists, source: SourceName): void {
  const first = lists[source].find((device) => !device.isEdgeCase);
  lists[source] = lists[source].filter((device) => device !== first);
}

/** Removes the first such device, and enrolls another. */
export function replaceFirstDevice(devices: SimulatedDevices, source: SourceName): void {
  const lists: DeviceLists = devices;
  removeFirstDevice(devices, source);
  lists[source].push(nightRules[source].enroll(devices, devices.night, {}));
}

/** Gives it a name before all others, as can happen while a client reads pages. */
export function renameDevice(device: SourceDevice | undefined): void {
  if (device !== undefined) {
    device.name = `!${device.name}`;
  }
}
