/** The sandbox's present: which moment it is, and the fleet as it lived up to then, with what a test did to it. */
import { macAgentStates, windowsAgentStates } from '../devices/agent-states.ts';
import { millisecondsPerDay } from '../devices/contact-times.ts';
import { setWindowsAgent } from '../devices/create-device.ts';
import { advanceToNight, computeNight, createDevices, type DeviceOptions } from '../devices/create-devices.ts';
import type { Mac, SimulatedDevices, WindowsDevice } from '../devices/model.ts';
import { drawFraction, purpose } from '../devices/random.ts';

export interface DeviceChange {
  readonly agent?: 'installed' | 'missing' | 'nothing';
  readonly name?: string | null;
  /** macOS: managed or not. Windows: false is retirePending. */
  readonly managed?: boolean;
  readonly silent?: boolean;
  readonly gone?: boolean;
}

export interface SimulationState {
  now(): number;
  devices(): SimulatedDevices;
  setMoment(moment: Date): void;
  changeDevice(source: 'macs' | 'windows', deviceId: string, change: DeviceChange): void;
  removeShareOfDevices(percent: number, source?: 'macs' | 'windows'): void;
  flipShareOfDevices(percent: number, source?: 'macs' | 'windows'): void;
  restoreDevices(): void;
}

/** Night 0 is thirty days before the present's date, unless it is given. */
export function chooseFirstNight(moment: number): string {
  return new Date(moment - 30 * millisecondsPerDay).toISOString().slice(0, 10);
}

export function createSimulationState(start: Date | (() => Date), options: DeviceOptions): SimulationState {
  let clock = typeof start === 'function' ? start : () => start;
  let devices = createDevices(options);
  let removed: { macs: Mac[]; windows: WindowsDevice[] } = { macs: [], windows: [] };

  function bringUp(): SimulatedDevices {
    const night = computeNight(devices, clock().getTime());
    if (night < devices.night) {
      // A fleet cannot live backwards; what tests did to it is forgotten.
      devices = createDevices(options);
      removed = { macs: [], windows: [] };
    }
    advanceToNight(devices, night);
    return devices;
  }

  return {
    now: () => clock().getTime(),
    devices: bringUp,
    setMoment(moment) {
      clock = () => moment;
      bringUp();
    },
    changeDevice(source, deviceId, change) {
      const present = bringUp();
      const mac = source === 'macs' ? present.macs.find((candidate) => String(candidate.id) === deviceId) : undefined;
      const device = source === 'windows' ? present.windows.find((candidate) => candidate.id === deviceId) : undefined;
      const machine = mac ?? device;
      if (machine === undefined) {
        throw new Error(`the sandbox has no device ${deviceId} in ${source}`);
      }
      if (mac !== undefined) {
        changeMac(present, mac, change);
      }
      if (device !== undefined) {
        changeWindowsDevice(present, device, change);
      }
      changeNameAndContact(present, machine, change);
      if (change.gone) {
        present.macs = present.macs.filter((candidate) => candidate !== mac);
        present.windows = present.windows.filter((candidate) => candidate !== device);
      }
      present.revision += 1;
    },
    removeShareOfDevices(percent, source) {
      const present = bringUp();
      const goes = (ordinal: number) => drawFraction(present.seed, ordinal, purpose.outage) * 100 < percent;
      if (source !== 'windows') {
        removed.macs.push(...present.macs.filter((mac) => goes(mac.ordinal)));
        present.macs = present.macs.filter((mac) => !goes(mac.ordinal));
      }
      if (source !== 'macs') {
        removed.windows.push(...present.windows.filter((device) => goes(device.ordinal)));
        present.windows = present.windows.filter((device) => !goes(device.ordinal));
      }
      present.revision += 1;
    },
    flipShareOfDevices(percent, source) {
      const present = bringUp();
      const flips = (machine: Mac | WindowsDevice) =>
        drawFraction(present.seed, machine.ordinal, purpose.outage) * 100 < percent;
      const other = (machine: Mac | WindowsDevice): DeviceChange => ({
        agent: machine.agentTruth.status === 'Installed' ? 'missing' : 'installed',
      });
      for (const mac of source === 'windows' ? [] : present.macs.filter(flips)) {
        changeMac(present, mac, other(mac));
      }
      for (const device of source === 'macs' ? [] : present.windows.filter(flips)) {
        changeWindowsDevice(present, device, other(device));
      }
      present.revision += 1;
    },
    restoreDevices() {
      const present = bringUp();
      present.macs = [...present.macs, ...removed.macs].sort((one, other) => one.id - other.id);
      present.windows = [...present.windows, ...removed.windows].sort((one, other) => one.ordinal - other.ordinal);
      present.revision += 1;
      removed = { macs: [], windows: [] };
    },
  };
}

function changeMac(devices: SimulatedDevices, mac: Mac, change: DeviceChange): void {
  if (change.agent !== undefined) {
    mac.agentTruth = macAgentStates[change.agent].truth;
    mac.attributeEntry = macAgentStates[change.agent].attributeEntry;
    mac.lastEventNight = devices.night;
  }
  mac.managed = change.managed ?? mac.managed;
}

function changeWindowsDevice(devices: SimulatedDevices, device: WindowsDevice, change: DeviceChange): void {
  if (change.agent !== undefined) {
    device.appRequested = true;
    setWindowsAgent(devices, device, windowsAgentStates[change.agent]);
    device.lastEventNight = devices.night;
  }
  if (change.managed !== undefined) {
    device.managementState = change.managed ? 'managed' : 'retirePending';
  }
}

function changeNameAndContact(devices: SimulatedDevices, machine: Mac | WindowsDevice, change: DeviceChange): void {
  if (change.name !== undefined) {
    machine.name = change.name;
  }
  if (change.silent !== undefined) {
    machine.contact = change.silent ? { kind: 'silent', since: devices.night - 40 } : { kind: 'regular' };
  }
}
