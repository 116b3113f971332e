/** Changes that are made to the simulated devices from outside. */
import { macAgentStates, windowsAgentStates } from '../devices/agent-states.ts';
import { setWindowsAgent } from '../devices/create-device.ts';
import type { Mac, SimulatedDevices, WindowsDevice } from '../devices/model.ts';
import { drawFraction, purpose } from '../devices/random.ts';

export type SourceName = 'macs' | 'windows';

export interface DeviceChange {
  readonly agent?: 'installed' | 'missing' | 'nothing';
  readonly name?: string | null;
  /** On Windows, false means retirePending. */
  readonly managed?: boolean;
  readonly silent?: boolean;
  readonly gone?: boolean;
}

export interface RemovedDevices {
  macs: Mac[];
  windows: WindowsDevice[];
}

/** Long enough to be stale. */
const silentNights = 40;

export function changeDevice(
  devices: SimulatedDevices,
  source: SourceName,
  deviceId: string,
  change: DeviceChange,
): void {
  const mac = source === 'macs' ? devices.macs.find(({ id }) => String(id) === deviceId) : undefined;
  const windowsDevice = source === 'windows' ? devices.windows.find(({ id }) => id === deviceId) : undefined;
  const device = mac ?? windowsDevice;
  if (device === undefined) {
    throw new Error(`the sandbox has no device ${deviceId} in ${source}`);
  }
  if (mac !== undefined) {
    changeMac(devices, mac, change);
  }
  if (windowsDevice !== undefined) {
    changeWindowsDevice(devices, windowsDevice, change);
  }
  changeNameAndContact(devices, device, change);
  if (change.gone) {
    devices.macs = devices.macs.filter((candidate) => candidate !== mac);
    devices.windows = devices.windows.filter((candidate) => candidate !== windowsDevice);
  }
  devices.revision += 1;
}

function changeNameAndContact(devices: SimulatedDevices, device: Mac | WindowsDevice, change: DeviceChange): void {
  if (change.name !== undefined) {
    device.name = change.name;
  }
  if (change.silent !== undefined) {
    device.contact = change.silent ? { kind: 'silent', since: devices.night - silentNights } : { kind: 'regular' };
  }
}

/** Takes a share of the devices away and keeps them in `removed`. */
export function removeShare(
  devices: SimulatedDevices,
  removed: RemovedDevices,
  percent: number,
  source: SourceName | undefined,
): void {
  if (source !== 'windows') {
    removed.macs.push(...devices.macs.filter((mac) => isInShare(devices, mac, percent)));
    devices.macs = devices.macs.filter((mac) => !isInShare(devices, mac, percent));
  }
  if (source !== 'macs') {
    removed.windows.push(...devices.windows.filter((device) => isInShare(devices, device, percent)));
    devices.windows = devices.windows.filter((device) => !isInShare(devices, device, percent));
  }
  devices.revision += 1;
}

/** Installs the agent on a share of the devices where it is missing, and removes it where it is installed; not on canaries. */
export function flipShare(devices: SimulatedDevices, percent: number, source: SourceName | undefined): void {
  const macs = source === 'windows' ? [] : devices.macs;
  for (const mac of macs.filter((candidate) => !candidate.canary && isInShare(devices, candidate, percent))) {
    changeMac(devices, mac, flipAgent(mac));
  }
  const windows = source === 'macs' ? [] : devices.windows;
  for (const device of windows.filter((candidate) => isInShare(devices, candidate, percent))) {
    changeWindowsDevice(devices, device, flipAgent(device));
  }
  devices.revision += 1;
}

function isInShare(devices: SimulatedDevices, { ordinal }: Mac | WindowsDevice, percent: number): boolean {
  return drawFraction(devices.seed, ordinal, purpose.share) * 100 < percent;
}

function changeMac(devices: SimulatedDevices, mac: Mac, change: DeviceChange): void {
  if (change.agent !== undefined) {
    mac.agent = macAgentStates[change.agent];
    mac.lastEventNight = devices.night;
  }
  mac.managed = change.managed ?? mac.managed;
}

function flipAgent(device: Mac | WindowsDevice): DeviceChange {
  return { agent: device.agent.truth.status === 'Installed' ? 'missing' : 'installed' };
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

/** Puts the removed devices back in their places. */
export function restoreRemoved(devices: SimulatedDevices, removed: RemovedDevices): void {
  devices.macs = [...devices.macs, ...removed.macs.splice(0)].sort((one, other) => one.id - other.id);
  devices.windows = [...devices.windows, ...removed.windows.splice(0)].sort(
    (one, other) => one.ordinal - other.ordinal,
  );
  devices.revision += 1;
}
