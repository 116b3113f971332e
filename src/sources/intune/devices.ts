/**
 * Lists every device of the tenant: https://learn.microsoft.com/graph/api/intune-devices-manageddevice-list.
 * If the pages contradict each other, or there are fewer devices than the service's own count, the list is read again.
 */
import { MusterError } from '../../base/errors.ts';
import { pluralize } from '../../core/text/pluralize.ts';
import { attempt, hasCode, readConsistently } from '../reading/attempt.ts';
import { readRecord } from '../reading/fields.ts';
import type { SourceReading } from '../source.ts';
import { type Graph, parseObject, toOptionalGraph } from './client.ts';
import { countDevices, DeviceList, devicesPath, type ListQuery, lookUpDevice } from './inventory.ts';
import { type ListedDevice, managedDeviceFields } from './parse.ts';

type Receipt = SourceReading['receipt'];

/** The documented page size, and smaller ones for a service that times out. */
const pageSizes = [1000, 333, 111, 37] as const;
const overviewPath = '/v1.0/deviceManagement/managedDeviceOverview';
/** Milliseconds; short, since this number proves nothing. */
const overviewTimeout = 10_000;
/** A tenant does not change this much within minutes: with more differences, the list cannot be trusted. */
const toleratedDifferences = 50;
const toleratedShare = 0.01;

/** Devices of other operating systems are among them where the service does not apply the filter. */
export async function readDevices(graph: Graph, receipt: Receipt, onPage: () => void): Promise<ListedDevice[]> {
  let query: ListQuery = { top: pageSizes[0], onlyWindows: true };
  return readConsistently(['paging-broken', 'rows-missing'], async () => {
    for (;;) {
      try {
        const devices = await walkTwice(graph, query, receipt, onPage);
        await confirmClaim(graph, query, receipt, devices.length);
        return devices;
      } catch (error) {
        query = adaptQuery(query, error);
      }
    }
  });
}

/** What a service is asked that timed out, or that refuses the filter. */
function adaptQuery({ top, onlyWindows }: ListQuery, error: unknown): ListQuery {
  const smaller = pageSizes.find((size) => size < top);
  if (hasCode(error, 'request-timed-out') && smaller !== undefined) {
    return { top: smaller, onlyWindows };
  }
  if (hasCode(error, 'request-refused') && onlyWindows) {
    return { top, onlyWindows: false };
  }
  throw error;
}

/**
 * Walks the device list twice. A list of one page shows one moment; between the pages of a longer list devices come and
 * go, and if the service pages by position, another device is then skipped unnoticed. So a second walk lists the ids, one
 * page behind the first: what one walk skips, the other passes at another moment. Each difference is explained.
 */
async function walkTwice(
  graph: Graph,
  query: ListQuery,
  receipt: Receipt,
  onPage: () => void,
): Promise<ListedDevice[]> {
  receipt.walks += 1;
  receipt.received = 0;
  for (const name of ['claimed', 'firstId', 'lastId'] as const) {
    delete receipt[name];
  }
  const first = new DeviceList(graph, query, managedDeviceFields, {
    onPage: () => {
      recordPage(receipt, first);
      onPage();
    },
  });
  await first.readPage();
  if (first.hasEnded) {
    return [...first.devices.values()];
  }
  await first.readPage();
  receipt.walks += 1;
  const second = new DeviceList(graph, query, ['id'], {
    known: first.devices,
    onPage: () => {
      receipt.pages += 1;
      onPage();
    },
  });
  while (!first.hasEnded || !second.hasEnded) {
    // When one walk fails, the other requests no further page.
    const steps = [first.readPage(), second.readPage()];
    await Promise.allSettled(steps);
    await Promise.all(steps);
  }
  const devices = await explainDifferences(graph, first.devices, second.devices);
  receipt.received = devices.length;
  if (second.claimed !== undefined) {
    receipt.claimed = second.claimed;
  }
  return devices;
}

function recordPage(receipt: Receipt, { devices, claimed, lastId }: DeviceList): void {
  receipt.pages += 1;
  receipt.received = devices.size;
  if (claimed !== undefined) {
    receipt.claimed = claimed;
  }
  if (lastId !== undefined) {
    receipt.firstId ??= devices.values().next().value?.id ?? lastId;
    receipt.lastId = lastId;
  }
}

type DevicesById = DeviceList['devices'];

/** Merges two walks: every device that only one of them listed is read by its id. `first` has all fields, `second` only ids. */
async function explainDifferences(graph: Graph, first: DevicesById, second: DevicesById): Promise<ListedDevice[]> {
  const unseen = [...second].filter(([key]) => !first.has(key)).map(([, device]) => device);
  const unseenAgain = [...first].filter(([key]) => !second.has(key)).map(([, device]) => device);
  const differences = unseen.length + unseenAgain.length;
  if (differences > Math.max(toleratedDifferences, first.size * toleratedShare)) {
    throw new MusterError(
      'paging-broken',
      `${graph.who} listed ${differences} ${pluralize(differences, 'device')} in only one of two walks: ${devicesPath}. Run again later, when the tenant changes less.`,
    );
  }
  const found = await Promise.all(unseen.map((device) => lookUpDevice(graph, device.id)));
  // Only a clear "no such device" removes a device that a page has listed.
  const looked = await Promise.all(
    unseenAgain.map(async (device) => ({
      device,
      ...(await attempt(graph.signal, () => lookUpDevice(graph, device.id))),
    })),
  );
  const left = new Set(
    looked.filter(({ value, failure }) => value === undefined && failure === undefined).map(({ device }) => device),
  );
  return [...first.values(), ...found.filter((device) => device !== undefined)].filter((device) => !left.has(device));
}

/** A larger count than the list is asked for again, since devices may have left in the meantime. */
async function confirmClaim(graph: Graph, query: ListQuery, receipt: Receipt, received: number): Promise<void> {
  const { claimed = 0 } = receipt;
  if (claimed <= received) {
    return;
  }
  receipt.pages += 1;
  const counted = await attempt(graph.signal, () => countDevices(toOptionalGraph(graph), query));
  receipt.claimed = counted.value ?? claimed;
  if (receipt.claimed > received) {
    throw new MusterError(
      'rows-missing',
      `${graph.who} reports ${receipt.claimed} ${pluralize(receipt.claimed, 'device')} but listed ${received}, twice. Check that the application can see all of them, and run again.`,
    );
  }
}

/** The service's own count of Windows devices. It proves nothing by itself, so a failure is ignored. */
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
