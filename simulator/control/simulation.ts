/** The simulated time, and the devices as they are then, with the changes that are made to them from outside. */
import { advanceToNight, computeNight } from '../devices/advance-devices.ts';
import { macAgentStates, windowsAgentStates } from '../devices/agent-states.ts';
import { millisecondsPerDay } from '../devices/contact-times.ts';
import { setWindowsAgent } from '../devices/create-device.ts';
import { createDevices, type DeviceOptions } from '../devices/create-devices.ts';
import {
  type Device,
  type DeviceLists,
  type DeviceTypes,
  replaceList,
  type SimulatedDevices,
  type SourceName,
} from '../devices/model.ts';
import { drawFraction, purpose } from '../devices/random.ts';

type AgentChange = 'installed' | 'missing' | 'nothing';

export interface DeviceChange {
  readonly agent?: AgentChange;
  readonly name?: string | null;
  /** On Windows, false means retirePending. */
  readonly managed?: boolean;
  readonly gone?: boolean;
}

/** What is changed in another way on the devices of each source. */
interface SourceChanges<Device> {
  setAgent(devices: SimulatedDevices, device: Device, agent: AgentChange): void;
  setManaged(device: Device, managed: boolean): void;
  /** Whether its agent stays as it is when those of a share are changed. */
  keepsAgent(device: Device): boolean;
}

const sourceChanges: { readonly [Source in SourceName]: SourceChanges<DeviceTypes[Source]> } = {
  macs: {
    setAgent(_, mac, agent) {
      mac.agent = macAgentStates[agent];
    },
    setManaged(mac, managed) {
      mac.managed = managed;
    },
    keepsAgent: (mac) => mac.canary !== undefined,
  },
  windows: {
    setAgent(devices, device, agent) {
      device.appRequested = true;
      setWindowsAgent(devices, device, windowsAgentStates[agent]);
    },
    setManaged(device, managed) {
      device.managementState = managed ? 'managed' : 'retirePending';
    },
    keepsAgent: () => false,
  },
};

const sourceNames = Object.keys(sourceChanges) as readonly SourceName[];

const nightsBeforeStart = 30;

export class Simulation {
  #readClock: () => Date;
  readonly #options: DeviceOptions;
  #devices: SimulatedDevices;
  #removed: DeviceLists = { macs: [], windows: [] };

  /** The devices are brought to the first moment at once, so that no request has to wait for it. */
  constructor(clock: () => Date, options: Omit<DeviceOptions, 'firstNight'>) {
    const firstNight = new Date(clock().getTime() - nightsBeforeStart * millisecondsPerDay).toISOString().slice(0, 10);
    this.#readClock = clock;
    this.#options = { ...options, firstNight };
    this.#devices = createDevices(this.#options);
    this.devices();
  }

  /** In milliseconds. */
  now(): number {
    return this.#readClock().getTime();
  }

  devices(): SimulatedDevices {
    const night = computeNight(this.#devices, this.now());
    if (night < this.#devices.night) {
      // Devices cannot go back: they are created again, without the changes that were made to them.
      this.#devices = createDevices(this.#options);
      this.#removed = { macs: [], windows: [] };
    }
    advanceToNight(this.#devices, night);
    return this.#devices;
  }

  setMoment(moment: Date): void {
    this.#readClock = () => moment;
    this.devices();
  }

  changeDevice<Source extends SourceName>(source: Source, deviceId: string, change: DeviceChange): void {
    const devices = this.devices();
    const lists: DeviceLists = devices;
    const device = lists[source].find(({ id }) => String(id) === deviceId);
    if (device === undefined) {
      throw new Error(`the sandbox has no device ${deviceId} in ${source}`);
    }
    if (change.agent !== undefined) {
      setAgent(devices, source, device, change.agent);
    }
    if (change.managed !== undefined) {
      sourceChanges[source].setManaged(device, change.managed);
    }
    if (change.name !== undefined) {
      device.name = change.name;
    }
    if (change.gone) {
      keepOnly(devices, source, (candidate) => candidate !== device);
    }
  }

  /** Takes a share of the devices away. Where no source is named, devices of every source are meant. */
  removeShareOfDevices(percent: number, source?: SourceName): void {
    const devices = this.devices();
    for (const name of source === undefined ? sourceNames : [source]) {
      this.#removeShare(devices, name, percent);
    }
  }

  #removeShare<Source extends SourceName>(devices: SimulatedDevices, source: Source, percent: number): void {
    const lists: DeviceLists = devices;
    const isTaken = (device: Device) => isInShare(devices, device, percent);
    this.#removed[source].push(...lists[source].filter(isTaken));
    keepOnly(devices, source, (device) => !isTaken(device));
  }

  /** Installs the agent on a share of the devices where it is missing, and removes it where it is installed. */
  flipShareOfDevices(percent: number, source?: SourceName): void {
    const devices = this.devices();
    for (const name of source === undefined ? sourceNames : [source]) {
      flipShare(devices, name, percent);
    }
  }

  /** Puts the removed devices back in their places. */
  restoreDevices(): void {
    const devices = this.devices();
    for (const source of sourceNames) {
      this.#restore(devices, source);
    }
  }

  #restore<Source extends SourceName>(lists: DeviceLists, source: Source): void {
    lists[source].push(...this.#removed[source].splice(0));
    lists[source].sort((one, other) => one.ordinal - other.ordinal);
  }
}

function setAgent<Source extends SourceName>(
  devices: SimulatedDevices,
  source: Source,
  device: DeviceTypes[Source],
  agent: AgentChange,
): void {
  sourceChanges[source].setAgent(devices, device, agent);
  device.lastEventNight = devices.night;
}

function keepOnly<Source extends SourceName>(
  lists: DeviceLists,
  source: Source,
  isKept: (device: DeviceTypes[Source]) => boolean,
): void {
  replaceList(lists, source, lists[source].filter(isKept));
}

function flipShare<Source extends SourceName>(devices: SimulatedDevices, source: Source, percent: number): void {
  const lists: DeviceLists = devices;
  for (const device of lists[source]) {
    if (!sourceChanges[source].keepsAgent(device) && isInShare(devices, device, percent)) {
      setAgent(devices, source, device, device.agent.truth.status === 'Installed' ? 'missing' : 'installed');
    }
  }
}

function isInShare({ seed }: SimulatedDevices, { ordinal }: Device, percent: number): boolean {
  return drawFraction(seed, ordinal, purpose.share) * 100 < percent;
}
