/** The simulated time, and the devices at that time, with changes made from outside. */
import { advanceToNight, computeNight } from '../devices/advance-devices.ts';
import { macAgentStates, windowsAgentStates } from '../devices/agent-states.ts';
import { millisecondsPerDay } from '../devices/contact-times.ts';
import { setWindowsAgent } from '../devices/create-device.ts';
import { createDevices, type DeviceOptions } from '../devices/create-devices.ts';
import type { DeviceLists, Mac, SimulatedDevices, SourceDevice, SourceName, WindowsDevice } from '../devices/model.ts';
import { drawFraction, purpose } from '../devices/random.ts';

type AgentChange = 'installed' | 'missing' | 'nothing';

export interface DeviceChange {
  readonly agent?: AgentChange;
  readonly name?: string | null;
  /** False means retirePending on Windows. */
  readonly managed?: boolean;
  readonly gone?: boolean;
}

/** Changes whose effect depends on the source. */
interface SourceChanges {
  setAgent(devices: SimulatedDevices, device: SourceDevice, agent: AgentChange): void;
  setManaged(device: SourceDevice, managed: boolean): void;
}

const sourceChanges: Readonly<Record<SourceName, SourceChanges>> = {
  macs: {
    setAgent(_, mac: Mac, agent) {
      mac.agent = macAgentStates[agent];
    },
    setManaged(mac: Mac, managed) {
      mac.managed = managed;
    },
  },
  windows: {
    setAgent(devices, device: WindowsDevice, agent) {
      device.appRequested = true;
      setWindowsAgent(devices, device, windowsAgentStates[agent]);
    },
    setManaged(device: WindowsDevice, managed) {
      device.managementState = managed ? 'managed' : 'retirePending';
    },
  },
};

const sourceNames = Object.keys(sourceChanges) as readonly SourceName[];

const nightsBeforeStart = 30;

export class Simulation {
  #readClock: () => Date;
  readonly #options: DeviceOptions;
  #devices: SimulatedDevices;
  #removed: DeviceLists = { macs: [], windows: [] };

  /** Advances the devices to the first moment at once, so that no request waits for it. */
  constructor(clock: () => Date, options: Omit<DeviceOptions, 'firstNight'>) {
    const firstNight = new Date(clock().getTime() - nightsBeforeStart * millisecondsPerDay).toISOString().slice(0, 10);
    this.#readClock = clock;
    this.#options = { ...options, firstNight };
    this.#devices = createDevices(this.#options);
    this.devices();
  }

  /** Milliseconds since 1970. */
  now(): number {
    return this.#readClock().getTime();
  }

  devices(): SimulatedDevices {
    const night = computeNight(this.#devices, this.now());
    if (night < this.#devices.night) {
      // Devices cannot go back, so that they are created again, without the changes made to them.
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

  changeDevice(source: SourceName, deviceId: string, change: DeviceChange): void {
    const devices = this.devices();
    const lists: DeviceLists = devices;
    const device = lists[source].find(({ id }) => String(id) === deviceId);
    if (device === undefined) {
      throw new Error(`the simulator has no device ${deviceId} in ${source}`);
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
      lists[source] = lists[source].filter((candidate) => candidate !== device);
    }
  }

  /** Removes a share of a source's devices, or of every source's. */
  removeShareOfDevices(percent: number, source?: SourceName): void {
    const devices = this.devices();
    const lists: DeviceLists = devices;
    for (const name of source === undefined ? sourceNames : [source]) {
      const taken = lists[name].filter((device) => isInShare(devices, device, percent));
      this.#removed[name].push(...taken);
      lists[name] = lists[name].filter((device) => !taken.includes(device));
    }
  }

  /**
   * Installs the agent on a share of the devices where it is missing, and removes it where it is installed; canaries keep
   * what they have.
   */
  flipShareOfDevices(percent: number, source?: SourceName): void {
    const devices = this.devices();
    const lists: DeviceLists = devices;
    for (const name of source === undefined ? sourceNames : [source]) {
      for (const device of lists[name]) {
        const isCanary = 'canary' in device && device.canary !== undefined;
        if (!isCanary && isInShare(devices, device, percent)) {
          setAgent(devices, name, device, device.agent.hasAgent ? 'missing' : 'installed');
        }
      }
    }
  }

  /** Puts the removed devices back in their places. */
  restoreDevices(): void {
    const lists: DeviceLists = this.devices();
    for (const source of sourceNames) {
      lists[source].push(...this.#removed[source].splice(0));
      lists[source].sort((one, other) => one.ordinal - other.ordinal);
    }
  }
}

function setAgent(devices: SimulatedDevices, source: SourceName, device: SourceDevice, agent: AgentChange): void {
  sourceChanges[source].setAgent(devices, device, agent);
  device.lastEventNight = devices.night;
}

function isInShare({ seed }: SimulatedDevices, { ordinal }: SourceDevice, percent: number): boolean {
  return drawFraction(seed, ordinal, purpose.share) * 100 < percent;
}
