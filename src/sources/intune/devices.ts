/**
 * Every Windows device of the tenant: https://learn.microsoft.com/graph/api/intune-devices-manageddevice-list.
 * A walk whose pages contradict each other, or that ends short of the service's own count, is walked once more.
 */
import { pluralize } from '../../core/pluralize.ts';
import { MusterError } from '../../errors.ts';
import type { SourceReading } from '../source.ts';
import { explainDifferences } from './differences.ts';
import { type Graph, isRecord, parseObject } from './graph.ts';
import { type DeviceListing, listDevices } from './listing.ts';
import { isWindows, type ManagedDevice, managedDeviceFields } from './parse.ts';

const maximumRounds = 2;
/** The documented page size, and smaller ones for a service that times out over it. */
const pageSizes = [1000, 333, 111, 37];
const overviewPath = '/v1.0/deviceManagement/managedDeviceOverview';
/** Milliseconds; nobody should wait long for a number that proves nothing. */
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
 * A list of one page is of one moment. Between the pages of a longer one devices come and go, and if pages are cut by
 * position another device is passed over without a trace: its ids are listed once more, and each difference explained.
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

/** The service's own count of Windows devices: shown beside, proves nothing, and missing it harms nobody. */
export async function readOverviewCount(graph: Graph): Promise<number | undefined> {
  try {
    const body = await graph.client.send({ url: overviewPath, idle: overviewTimeout, shrinks: true }, (answer) =>
      parseObject(answer, graph.who),
    );
    const summary = body.deviceOperatingSystemSummary;
    const count = isRecord(summary) ? summary.windowsCount : undefined;
    return typeof count === 'number' && Number.isSafeInteger(count) ? count : undefined;
  } catch {
    return undefined;
  }
}

function createDevicesMissingError(who: string, claimed: number, received: number): MusterError {
  return new MusterError(
    'rows-missing',
    `${who} counts ${claimed} ${pluralize(claimed, 'device')} but listed ${received}, twice. The account may not see all of them.`,
  );
}
