/** The simulated time, and the devices as they are then, with the changes that were made to them from outside. */
import { advanceToNight, computeNight } from '../devices/advance-devices.ts';
import { millisecondsPerDay } from '../devices/contact-times.ts';
import { createDevices, type DeviceOptions } from '../devices/create-devices.ts';
import type { SimulatedDevices } from '../devices/model.ts';
import {
  changeDevice,
  type DeviceChange,
  flipShare,
  type RemovedDevices,
  removeShare,
  restoreRemoved,
  type SourceName,
} from './change-devices.ts';

const nightsBeforeStart = 30;

/** What may be done to the time and the devices while the sandbox runs. */
export interface DeviceControls {
  setMoment(moment: Date): void;
  changeDevice(source: SourceName, deviceId: string, change: DeviceChange): void;
  removeShareOfDevices(percent: number, source?: SourceName): void;
  flipShareOfDevices(percent: number, source?: SourceName): void;
  restoreDevices(): void;
}

export interface SimulationState {
  now(): number;
  devices(): SimulatedDevices;
  readonly controls: DeviceControls;
}

export function createSimulationState(clock: () => Date, options: DeviceOptions): SimulationState {
  let readClock = clock;
  let devices = createDevices(options);
  let removed: RemovedDevices = { macs: [], windows: [] };

  function advanceToNow(): SimulatedDevices {
    const night = computeNight(devices, readClock().getTime());
    if (night < devices.night) {
      // Devices cannot go back: they are created again, without the changes that were made to them.
      devices = createDevices(options);
      removed = { macs: [], windows: [] };
    }
    advanceToNight(devices, night);
    return devices;
  }

  return {
    now: () => readClock().getTime(),
    devices: advanceToNow,
    controls: {
      setMoment(moment) {
        readClock = () => moment;
        advanceToNow();
      },
      changeDevice: (source, deviceId, change) => changeDevice(advanceToNow(), source, deviceId, change),
      removeShareOfDevices: (percent, source) => removeShare(advanceToNow(), removed, percent, source),
      flipShareOfDevices: (percent, source) => flipShare(advanceToNow(), percent, source),
      restoreDevices: () => restoreRemoved(advanceToNow(), removed),
    },
  };
}

/** The date of night 0 where it is not given. */
export function chooseFirstNight(moment: number): string {
  return new Date(moment - nightsBeforeStart * millisecondsPerDay).toISOString().slice(0, 10);
}
