/**
 * Lists every Windows device of the tenant: https://learn.microsoft.com/graph/api/intune-devices-manageddevice-list.
 * If the pages contradict each other, or there are fewer devices than the service's own count, the list is read again.
 */
import { pluralize } from '../../core/pluralize.ts';
import { MusterError } from '../../errors.ts';
import { readRecord } from '../read.ts';
import type { SourceReading } from '../source.ts';
import { explainDifferences } from './differences.ts';
import { type Graph, parseObject } from './graph.ts';
import { type DeviceListing, listDevices } from './listing.ts';
import { isWindows, type ManagedDevice, managedDeviceFields } from './parse.ts';

const maximumRounds = 2;
/** The documented page size, and smaller ones for a service that times out. */
const pageSizes = [1000, 333, 111, 37];
const overviewPath = '/v1.0/deviceManagement/managedDeviceOverview';
/** Milliseconds; short, since this number proves nothing. */
const overviewTimeout = 10_000;

type ReceiptDraft = SourceReading['receipt'];

export async function readDevices(graph: Graph, receipt: ReceiptDraft, onPage: () => void): Promise<ManagedDevice[]> {
  let tooLarge = 0;
  for (let rounds = 1; ; ) {
    const isLastRound = rounds >= maximumRounds;
    try {
      const devices = await walkDevices(graph, pageSizes[tooLarge] ?? 0, receipt, onPage);
      const claimed = receipt.claimed ?? 0;
      if (claimed <= devices.length) {
        return devices.filter(isWindows);
      }
      if (isLastRound) {
        throw createDevicesMissingError(graph.who, claimed, devices.length);
      }
      rounds += 1;
    } catch (error) {
      const code = error instanceof MusterError ? error.code : undefined;
      if (code === 'request-timed-out' && tooLarge + 1 < pageSizes.length) {
        tooLarge += 1;
      } else if (code === 'paging-broken' && !isLastRound) {
        rounds += 1;
      } else {
        throw error;
      }
    }
  }
}

/**
 * A list of one page shows one moment. Between the pages of a longer list devices come and go; if the service pages by
 * position, another device is then skipped unnoticed. So the ids are listed again, and each difference is explained.
 */
async function walkDevices(
  graph: Graph,
  top: number,
  receipt: ReceiptDraft,
  onPage: () => void,
): Promise<ManagedDevice[]> {
  receipt.walks += 1;
  receipt.received = 0;
  for (const name of ['claimed', 'firstId', 'lastId'] as const) {
    delete receipt[name];
  }
  const first = await listDevices(graph, managedDeviceFields, top, (listing) => {
    recordListing(receipt, listing);
    onPage();
  });
  if (first.pages === 1) {
    return [...first.devices.values()];
  }
  receipt.walks += 1;
  const second = await listDevices(graph, ['id'], top, () => {
    receipt.pages += 1;
    onPage();
  });
  const devices = await explainDifferences(graph, first.devices, second.devices);
  receipt.received = devices.length;
  if (second.claimed !== undefined) {
    receipt.claimed = second.claimed;
  }
  return devices;
}

function recordListing(receipt: ReceiptDraft, { devices, claimed, lastId }: DeviceListing): void {
  receipt.pages += 1;
  receipt.received = devices.size;
  if (claimed !== undefined) {
    receipt.claimed = claimed;
  }
  if (lastId === undefined) {
    return;
  }
  receipt.firstId ??= devices.values().next().value?.id ?? lastId;
  receipt.lastId = lastId;
}

/** The service's own count of Windows devices: shown for comparison only, so a failure is ignored. */
export async function readOverviewCount(graph: Graph): Promise<number | undefined> {
  try {
    const body = await graph.client.send({ url: overviewPath, idle: overviewTimeout, isOptional: true }, (answer) =>
      parseObject(answer, graph.who),
    );
    const count = readRecord(body.deviceOperatingSystemSummary)?.windowsCount;
    return typeof count === 'number' && Number.isSafeInteger(count) ? count : undefined;
  } catch {
    return undefined;
  }
}

function createDevicesMissingError(who: string, claimed: number, received: number): MusterError {
  return new MusterError(
    'rows-missing',
    `${who} reports ${claimed} ${pluralize(claimed, 'device')} but listed ${received}, twice. Check that the application can see all of them, and run again.`,
  );
}
