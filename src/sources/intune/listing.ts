/** Reads all pages of `managedDevices` once; a device that appears twice is an error. */
import { createDevicePacker } from '../../core/packed-devices.ts';
import { MusterError } from '../../errors.ts';
import { createUnreadableAnswerError } from '../../http/body.ts';
import { omitUndefined } from '../../omit-undefined.ts';
import { type Graph, type GraphPage, readPages } from './graph.ts';
import {
  foldDeviceId,
  type ListedDevice,
  type ManagedDevice,
  managedDeviceFields,
  parseListedDevice,
  readDeviceId,
} from './parse.ts';

export const devicesPath = '/v1.0/deviceManagement/managedDevices';
/** Only operators that the metadata lists; the service is known to ignore `ne` silently. */
const windowsFilter = `$filter=${encodeURIComponent("operatingSystem eq 'Windows'")}`;

export interface DeviceListing {
  /** By folded id. */
  readonly devices: ReadonlyMap<string, ListedDevice>;
  /** The service's own count. */
  readonly claimed?: number;
  readonly pages: number;
  readonly lastId?: string;
}

export interface ListQuery {
  readonly top: number;
  /** Whether the service is asked to leave out other operating systems: some tenants refuse the filter (HTTP 400). */
  readonly onlyWindows: boolean;
}

interface ListOptions extends ListQuery {
  /** Devices of another walk: those that are listed again are not kept twice. */
  readonly known?: () => DeviceListing['devices'] | undefined;
  readonly fields: readonly string[];
  readonly beforePage: (page: number) => Promise<void>;
  readonly onPage: (listing: DeviceListing) => void;
}

export async function listDevices(graph: Graph, options: ListOptions): Promise<DeviceListing> {
  const { beforePage, onPage, known } = options;
  const devices = new Map<string, ListedDevice>();
  const pack = createDevicePacker();
  let listing: DeviceListing = { devices, pages: 0 };
  for await (const page of readPages(graph, devicesPath, buildQuery(options), { shrinks: true, beforePage })) {
    let { lastId } = listing;
    const rows = page.rows.map((row) => parseListedDevice(parseManagedDevice(row, graph.who, options.fields)));
    // At once, since the list keeps the devices of all pages.
    const packed = pack(rows.map(({ facts }) => facts));
    for (const [index, { id }] of rows.entries()) {
      const key = foldDeviceId(id);
      if (devices.has(key)) {
        throw createRepeatedDeviceError(graph.who);
      }
      const same = known?.()?.get(key);
      // Its own id as the key too, so that the text is in memory once.
      devices.set(
        same === undefined ? key : foldDeviceId(same.id),
        same ?? { id, ...omitUndefined({ facts: packed[index] }) },
      );
      lastId = id;
    }
    const claimed = listing.pages === 0 ? readTotalCount(page) : listing.claimed;
    listing = omitUndefined({ devices, pages: listing.pages + 1, claimed, lastId });
    onPage(listing);
  }
  return listing;
}

/** How many devices the service counts now; undefined where it does not say. */
export async function countDevices(graph: Graph, { onlyWindows }: ListQuery): Promise<number | undefined> {
  const query = buildQuery({ onlyWindows, top: 1, fields: ['id'] });
  for await (const page of readPages(graph, devicesPath, query, { isOptional: true })) {
    return readTotalCount(page);
  }
  return undefined;
}

function buildQuery({ onlyWindows, fields, top }: Pick<ListOptions, 'onlyWindows' | 'fields' | 'top'>): string {
  return `${onlyWindows ? `${windowsFilter}&` : ''}$select=${fields.join(',')}&$top=${top}`;
}

/** Some services count the rows of the page: a first page of one row with a next link counts 1, which is not the total. */
function readTotalCount({ isLast, count, rows }: GraphPage): number | undefined {
  return isLast || count !== rows.length ? count : undefined;
}

export function parseManagedDevice(
  row: Record<string, unknown>,
  who: string,
  names: readonly string[] = managedDeviceFields,
): ManagedDevice {
  const id = readDeviceId(row);
  if (id === undefined) {
    throw createUnreadableAnswerError(who, 'a device without a usable id');
  }
  const device: Record<string, unknown> = {};
  for (const name of names) {
    device[name] = row[name];
  }
  return { ...device, id };
}

function createRepeatedDeviceError(who: string): MusterError {
  return new MusterError(
    'paging-broken',
    `${who} listed the same device twice, so another may be missing: ${devicesPath}. Run again later, when the tenant changes less.`,
  );
}
