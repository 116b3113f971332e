/** Pages of `managedDevices`, and single devices of it. */
import { createDeviceInterner } from '../../../core/facts/device-fields.ts';
import { attempt } from '../../reading/attempt.ts';
import { triesOfPage } from '../../reading/failed-page.ts';
import { readRecord } from '../../reading/fields.ts';
import { type Graph, type GraphPage, parseObject, readPages, toOptionalGraph } from '../client.ts';
import { type ListedDevice, managedDeviceFields, parseListedDevice, workloadsField } from '../parse.ts';
import { type EnrolmentRange, formatRange } from './enrolment-ranges.ts';
import { type DevicesById, devicesPath, ListedDevices } from './listed-devices.ts';

const overviewPath = '/v1.0/deviceManagement/managedDeviceOverview';
/** Milliseconds; short, since this number proves nothing. */
const overviewTimeout = 10_000;
/** Uses only operators that the metadata lists; the service is known to ignore `ne` silently. */
const windowsFilter = "operatingSystem eq 'Windows'";
/** Limits of differences between two readings; a tenant does not change more within minutes. */
const toleratedDifferences = 50;
const toleratedShare = 0.01;

export interface ListQuery {
  readonly top: number;
  /** True to leave out other operating systems; some tenants refuse that filter (HTTP 400). */
  readonly onlyWindows: boolean;
  /** True to ask who delivers the apps of co-managed devices. */
  readonly withWorkloads: boolean;
  readonly range?: EnrolmentRange;
}

/** The query to try first. */
export const usualQuery: ListQuery = { top: 1000, onlyWindows: true, withWorkloads: true };

interface ListOptions {
  readonly onPage: () => void;
  /** Devices of another walk, whose objects are used for the same ids. */
  readonly known?: DevicesById;
}

/** One walk over the list, page by page. */
export class DeviceList {
  hasEnded = false;
  /** The service's own count; undefined before the first page, and where it gives none. */
  claimed: number | undefined;
  lastId: string | undefined;
  readonly listed: ListedDevices;
  readonly #who: string;
  readonly #pages: AsyncGenerator<GraphPage>;
  readonly #shareWords = createDeviceInterner();
  readonly #onPage: () => void;
  #isFirst = true;

  constructor(graph: Graph, query: ListQuery, fields: readonly string[], { onPage, known }: ListOptions) {
    this.#who = graph.who;
    this.#pages = readPages(graph, devicesPath, buildQuery(query, fields), triesOfPage);
    this.#onPage = onPage;
    this.listed = new ListedDevices(graph.who, known);
  }

  /** Reads the next page, unless the list has ended. */
  async readPage(): Promise<void> {
    const { value: page }: { readonly value?: GraphPage } = await this.#pages.next();
    if (page === undefined) {
      return;
    }
    const devices = page.rows.map((row) => shareWordsOf(parseListedDevice(row, this.#who), this.#shareWords));
    this.listed.addPage(devices);
    this.lastId = devices.at(-1)?.id ?? this.lastId;
    if (this.#isFirst) {
      this.claimed = readTotalCount(page);
    }
    this.#isFirst = false;
    this.hasEnded = page.next === undefined;
    this.#onPage();
  }
}

/** Shares the words of a device when it is read, since a list keeps the devices of all pages. */
export function shareWordsOf(
  { id, facts }: ListedDevice,
  share: ReturnType<typeof createDeviceInterner>,
): ListedDevice {
  return { id, ...(facts && { facts: share(facts) }) };
}

/** The number of devices that the service counts now; undefined where it gives none. */
export async function countDevices(graph: Graph, query: ListQuery): Promise<number | undefined> {
  const { value: page } = await readPages(graph, devicesPath, buildQuery({ ...query, top: 1 }, ['id'])).next();
  return page === undefined ? undefined : readTotalCount(page);
}

/** The id of the device after the given number; undefined where the service does not return that either. */
export async function findIdAfter(graph: Graph, query: ListQuery, received: number): Promise<string | undefined> {
  const list = new DeviceList(graph, query, ['id'], { onPage: () => undefined });
  await attempt(graph.signal, async () => {
    while (!list.hasEnded && list.listed.byId.size <= received) {
      await list.readPage();
    }
  });
  return [...list.listed.byId.values()][received]?.id;
}

/** Fields to request for each device. */
export function listFields({ withWorkloads }: ListQuery): readonly string[] {
  return withWorkloads ? [...managedDeviceFields, workloadsField] : managedDeviceFields;
}

export function toleratesDifferences(differences: number, devices: number): boolean {
  return differences <= Math.max(toleratedDifferences, devices * toleratedShare);
}

/** Reads one device; undefined when there is none. */
export function lookUpDevice(graph: Graph, query: ListQuery, id: string): Promise<ListedDevice | undefined> {
  const url = `${devicesPath}/${encodeURIComponent(id)}?$select=${listFields(query).join(',')}`;
  return graph.client.send({ url, alsoUnderstood: [404] }, (answer) =>
    answer.status === 404 ? undefined : parseListedDevice(parseObject(answer, graph.who), graph.who),
  );
}

export function buildQuery({ onlyWindows, range, top }: ListQuery, fields: readonly string[]): string {
  const clauses = [...(onlyWindows ? [windowsFilter] : []), ...(range === undefined ? [] : formatRange(range))];
  const filter = clauses.length === 0 ? '' : `$filter=${encodeURIComponent(clauses.join(' and '))}&`;
  return `${filter}$select=${fields.join(',')}&$top=${top}`;
}

/** The total in a page. Some services count its rows instead: a first page of one row with a next link then says 1. */
function readTotalCount({ next, count, rows }: GraphPage): number | undefined {
  return next === undefined || count !== rows.length ? count : undefined;
}

/** Reads the service's own count of Windows devices; undefined after a failure, since it proves nothing by itself. */
export async function readOverviewCount(graph: Graph): Promise<number | undefined> {
  try {
    const { client, who } = toOptionalGraph(graph);
    const body = await client.send({ url: overviewPath, idle: overviewTimeout }, (answer) => parseObject(answer, who));
    const count = readRecord(body.deviceOperatingSystemSummary)?.windowsCount;
    return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
  } catch {
    return undefined;
  }
}
