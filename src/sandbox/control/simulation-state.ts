/** The sandbox's present: which moment it is, and the fleet as it lived up to then, with what a test did to it. */

import { macAgents, windowsAgents } from '../devices/agent-states.ts';
import { day } from '../devices/contact-times.ts';
import { equipWindows } from '../devices/create-device.ts';
import { createFleet, type FleetOptions, liveUntil, nightOf } from '../devices/create-devices.ts';
import type { Fleet, Mac, WindowsDevice } from '../devices/model.ts';
import { purpose, share } from '../devices/random.ts';

export interface DeviceChange {
  readonly agent?: 'installed' | 'missing' | 'nothing';
  readonly name?: string | null;
  /** macOS: managed or not. Windows: false is retirePending. */
  readonly managed?: boolean;
  readonly silent?: boolean;
  readonly gone?: boolean;
}

export interface Present {
  moment(): number;
  fleet(): Fleet;
  setMoment(moment: Date): void;
  changeDevice(source: 'macs' | 'windows', deviceId: string, change: DeviceChange): void;
  removeShareOfFleet(percent: number, source?: 'macs' | 'windows'): void;
  flipShareOfFleet(percent: number, source?: 'macs' | 'windows'): void;
  restoreFleet(): void;
}

function changeMac(fleet: Fleet, mac: Mac, change: DeviceChange): void {
  if (change.agent !== undefined) {
    mac.verdict = macAgents[change.agent].verdict;
    mac.answer = macAgents[change.agent].answer;
    mac.eventNight = fleet.night;
  }
  mac.managed = change.managed ?? mac.managed;
}

function changeWindows(fleet: Fleet, device: WindowsDevice, change: DeviceChange): void {
  if (change.agent !== undefined) {
    device.asked = true;
    equipWindows(fleet, device, windowsAgents[change.agent]);
    device.eventNight = fleet.night;
  }
  if (change.managed !== undefined) {
    device.managementState = change.managed ? 'managed' : 'retirePending';
  }
}

function changeMachine(fleet: Fleet, machine: Mac | WindowsDevice, change: DeviceChange): void {
  if (change.name !== undefined) {
    machine.name = change.name;
  }
  if (change.silent !== undefined) {
    machine.contact = change.silent ? { kind: 'silent', since: fleet.night - 40 } : { kind: 'regular' };
  }
}

/** Night 0 is thirty days before the present's date, unless it is given. */
export function firstNightBefore(moment: number): string {
  return new Date(moment - 30 * day).toISOString().slice(0, 10);
}

export function createPresent(start: Date | (() => Date), options: FleetOptions): Present {
  let clock = typeof start === 'function' ? start : () => start;
  let fleet = createFleet(options);
  let removed: { macs: Mac[]; windows: WindowsDevice[] } = { macs: [], windows: [] };

  function bringUp(): Fleet {
    const night = nightOf(fleet, clock().getTime());
    if (night < fleet.night) {
      // A fleet cannot live backwards; what tests did to it is forgotten.
      fleet = createFleet(options);
      removed = { macs: [], windows: [] };
    }
    liveUntil(fleet, night);
    return fleet;
  }

  return {
    moment: () => clock().getTime(),
    fleet: bringUp,
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
        changeWindows(present, device, change);
      }
      changeMachine(present, machine, change);
      if (change.gone) {
        present.macs = present.macs.filter((candidate) => candidate !== mac);
        present.windows = present.windows.filter((candidate) => candidate !== device);
      }
      present.version += 1;
    },
    removeShareOfFleet(percent, source) {
      const present = bringUp();
      const goes = (ordinal: number) => share(present.seed, ordinal, purpose.outage) * 100 < percent;
      if (source !== 'windows') {
        removed.macs.push(...present.macs.filter((mac) => goes(mac.ordinal)));
        present.macs = present.macs.filter((mac) => !goes(mac.ordinal));
      }
      if (source !== 'macs') {
        removed.windows.push(...present.windows.filter((device) => goes(device.ordinal)));
        present.windows = present.windows.filter((device) => !goes(device.ordinal));
      }
      present.version += 1;
    },
    flipShareOfFleet(percent, source) {
      const present = bringUp();
      const flips = (machine: Mac | WindowsDevice) =>
        share(present.seed, machine.ordinal, purpose.outage) * 100 < percent;
      const other = (machine: Mac | WindowsDevice): DeviceChange => ({
        agent: machine.verdict.status === 'Installed' ? 'missing' : 'installed',
      });
      for (const mac of source === 'windows' ? [] : present.macs.filter(flips)) {
        changeMac(present, mac, other(mac));
      }
      for (const device of source === 'macs' ? [] : present.windows.filter(flips)) {
        changeWindows(present, device, other(device));
      }
      present.version += 1;
    },
    restoreFleet() {
      const present = bringUp();
      present.macs = [...present.macs, ...removed.macs].sort((one, other) => one.id - other.id);
      present.windows = [...present.windows, ...removed.windows].sort((one, other) => one.ordinal - other.ordinal);
      present.version += 1;
      removed = { macs: [], windows: [] };
    },
  };
}
