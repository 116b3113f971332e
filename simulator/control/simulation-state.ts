/** The simulated time, and the devices as they are then, with the changes that were made to them from outside. */
import { advanceToNight, computeNight } from '../devices/advance-devices.ts';
import { millisecondsPerDay } from '../devices/contact-times.ts';
import { createDevices, type DeviceOptions } from '../devices/create-devices.ts';
import type { DeviceLists, SimulatedDevices, SourceName } from '../devices/model.ts';
import {
  changeDevice,
  type DeviceChange,
  flipShare,
  removeShare,
  restoreRemoved,
  sourceNames,
} from './change-devices.ts';

const nightsBeforeStart = 30;

export class SimulationState {
  #readClock: () => Date;
  readonly #options: DeviceOptions;
  #devices: SimulatedDevices;
  #removed: DeviceLists = { macs: [], windows: [] };

  /** The devices are brought to the first moment at once, so that no request has to wait for it. */
  constructor(clock: () => Date, options: Omit<DeviceOptions, 'firstNight'>, firstNight: string | undefined) {
    const usual = new Date(clock().getTime() - nightsBeforeStart * millisecondsPerDay).toISOString().slice(0, 10);
    this.#readClock = clock;
    this.#options = { ...options, firstNight: firstNight ?? usual };
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

  changeDevice(source: SourceName, deviceId: string, change: DeviceChange): void {
    changeDevice(this.devices(), source, deviceId, change);
  }

  /** Where no source is named, devices of every source are meant. */
  removeShareOfDevices(percent: number, source?: SourceName): void {
    for (const name of listSources(source)) {
      removeShare(this.devices(), this.#removed, percent, name);
    }
  }

  /** Where no source is named, devices of every source are meant, but for canaries. */
  flipShareOfDevices(percent: number, source?: SourceName): void {
    for (const name of listSources(source)) {
      flipShare(this.devices(), percent, name);
    }
  }

  restoreDevices(): void {
    for (const name of sourceNames) {
      restoreRemoved(this.devices(), this.#removed, name);
    }
  }
}

function listSources(source: SourceName | undefined): readonly SourceName[] {
  return source === undefined ? sourceNames : [source];
}
