/** The devices of one reading of the list: equal rows of one id are one device, different ones contradict each other. */
import { MusterError } from '../../../base/errors.ts';
import { foldDeviceId, type ListedDevice } from '../parse.ts';

export type DevicesById = ReadonlyMap<string, ListedDevice>;

/** The devices that a list has, and how often it repeats some of them. */
export interface DeviceListing {
  readonly devices: readonly ListedDevice[];
  /** How many further rows a device has, by its folded id. */
  readonly repeated: ReadonlyMap<string, number>;
}

/** More repeated rows are a list that begins again, and not devices that stand in it several times. */
const toleratedRepetitions = 50;

export class ListedDevices {
  /** Keys are folded ids. */
  readonly byId = new Map<string, ListedDevice>();
  /** How many further, equal rows a device has, by its folded id. */
  readonly repeated = new Map<string, number>();
  readonly #who: string;
  readonly #known: DevicesById | undefined;

  /** `known` are the devices of another reading, for which the ids of this one stand. */
  constructor(who: string, known?: DevicesById) {
    this.#who = who;
    this.#known = known;
  }

  addPage(page: readonly ListedDevice[]): void {
    const before = this.byId.size;
    for (const device of page) {
      this.#add(device);
    }
    const isRepeated = page.length > 1 && this.byId.size === before;
    if (isRepeated || sumValues(this.repeated) > toleratedRepetitions) {
      throw this.#createError('the same devices again and again');
    }
  }

  #add(device: ListedDevice): void {
    const key = foldDeviceId(device.id);
    const same = this.byId.get(key);
    if (same === undefined) {
      const known = this.#known?.get(key);
      // Its own id as the key too, so that the text is in memory once.
      this.byId.set(known === undefined ? key : foldDeviceId(known.id), known ?? device);
      return;
    }
    if (this.#known === undefined && JSON.stringify(same) !== JSON.stringify(device)) {
      throw this.#createError('one device twice, with different values');
    }
    this.repeated.set(key, (this.repeated.get(key) ?? 0) + 1);
  }

  #createError(what: string): MusterError {
    return new MusterError(
      'paging-broken',
      `${this.#who} listed ${what}, so another may be missing: ${devicesPath}. Run again later, when the tenant changes less.`,
    );
  }
}

export const devicesPath = '/v1.0/deviceManagement/managedDevices';

/** Rows that both readings repeat: one alone repeats what moved from one page to the next meanwhile. */
export function findRepeated(first: ListedDevices, second: ListedDevices): ReadonlyMap<string, number> {
  return new Map([...first.repeated].filter(([key]) => second.repeated.has(key)));
}

export function sumValues(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}
