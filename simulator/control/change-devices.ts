/** Changes that are made to the simulated devices from outside. */
import { macAgentStates, windowsAgentStates } from '../devices/agent-states.ts';
import { setWindowsAgent } from '../devices/create-device.ts';
import {
  type Device,
  type DeviceLists,
  type DeviceTypes,
  replaceList,
  type SimulatedDevices,
  type SourceName,
} from '../devices/model.ts';
import { drawFraction, purpose } from '../devices/random.ts';

export interface DeviceChange {
  readonly agent?: 'installed' | 'missing' | 'nothing' | undefined;
  readonly name?: string | null | undefined;
  /** On Windows, false means retirePending. */
  readonly managed?: boolean | undefined;
  readonly silent?: boolean | undefined;
  readonly gone?: boolean | undefined;
}

type AgentChange = NonNullable<DeviceChange['agent']>;

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

export const sourceNames = Object.keys(sourceChanges) as readonly SourceName[];

/** Long enough to be stale. */
const silentNights = 40;

export function changeDevice<Source extends SourceName>(
  devices: SimulatedDevices,
  source: Source,
  deviceId: string,
  change: DeviceChange,
): void {
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
  if (change.silent !== undefined) {
    device.contact = change.silent ? { kind: 'silent', since: devices.night - silentNights } : { kind: 'regular' };
  }
  if (change.gone) {
    replaceList(
      devices,
      source,
      lists[source].filter((candidate) => candidate !== device),
    );
  }
  devices.revision += 1;
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

/** Takes a share of the devices away and keeps them in `removed`. */
export function removeShare<Source extends SourceName>(
  devices: SimulatedDevices,
  removed: DeviceLists,
  percent: number,
  source: Source,
): void {
  const lists: DeviceLists = devices;
  const { true: taken = [], false: kept = [] } = Object.groupBy(lists[source], (device) =>
    isInShare(devices, device, percent) ? 'true' : 'false',
  );
  removed[source].push(...taken);
  replaceList(devices, source, kept);
  devices.revision += 1;
}

/** Installs the agent on a share of the devices where it is missing, and removes it where it is installed. */
export function flipShare<Source extends SourceName>(devices: SimulatedDevices, percent: number, source: Source): void {
  const lists: DeviceLists = devices;
  for (const device of lists[source]) {
    if (!sourceChanges[source].keepsAgent(device) && isInShare(devices, device, percent)) {
      setAgent(devices, source, device, device.agent.truth.status === 'Installed' ? 'missing' : 'installed');
    }
  }
  devices.revision += 1;
}

function isInShare({ seed }: SimulatedDevices, { ordinal }: Device, percent: number): boolean {
  return drawFraction(seed, ordinal, purpose.share) * 100 < percent;
}

/** Puts the removed devices back in their places. */
export function restoreRemoved<Source extends SourceName>(
  devices: SimulatedDevices,
  removed: DeviceLists,
  source: Source,
): void {
  const lists: DeviceLists = devices;
  lists[source].push(...removed[source].splice(0));
  lists[source].sort((one, other) => one.ordinal - other.ordinal);
  devices.revision += 1;
}
