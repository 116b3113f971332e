/** Collects the devices of one reading of the list: equal rows of one id are one device, different ones are an error. */
import { MusterError } from '../../../base/errors.ts';
import { foldDeviceId, type ListedDevice } from '../parse.ts';

export type DevicesById = ReadonlyMap<string, ListedDevice>;

/** The devices of a list, and how often it repeats some of them. */
export interface DeviceListing {
  readonly devices: readonly ListedDevice[];
  /** Numbers of further rows, by folded id of the device. */
  readonly repeated: ReadonlyMap<string, number>;
}

/** Repeated rows above which the list has begun again, rather than listing single devices several times. */
const toleratedRepetitions = 50;

export class ListedDevices {
  /** Keyed by folded id. */
  readonly byId = new Map<string, ListedDevice>();
  /** Numbers of further, equal rows, by folded id of the device. */
  readonly repeated = new Map<string, number>();
  readonly #who: string;
  readonly #known: DevicesById | undefined;

  /** Collects ids alone where `known` has the devices of another reading. */
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
      // Uses the known device's own text as the key, so that memory holds it once.
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

/** Rows that both readings repeat; a single reading also repeats devices that moved between pages. */
export function findRepeated(first: ListedDevices, second: ListedDevices): ReadonlyMap<string, number> {
  return new Map([...first.repeated].filter(([key]) => second.repeated.has(key)));
}

export function sumValues(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}
