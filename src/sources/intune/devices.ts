/**
 * Lists every device of the tenant: https://learn.microsoft.com/graph/api/intune-devices-manageddevice-list.
 * If the pages contradict each other, or there are fewer devices than the service's own count, the list is read again.
 */
import { pluralize } from '../../core/pluralize.ts';
import { MusterError } from '../../errors.ts';
import { readRecord } from '../read.ts';
import { attempt } from './attempt.ts';
import { type Graph, parseObject } from './graph.ts';
import { countDevices, type ListQuery } from './listing.ts';
import type { ListedDevice } from './parse.ts';
import { type ReceiptDraft, walkDevices } from './walks.ts';

const maximumRounds = 2;
/** The documented page size, and smaller ones for a service that times out. */
const pageSizes = [1000, 333, 111, 37];
const overviewPath = '/v1.0/deviceManagement/managedDeviceOverview';
/** Milliseconds; short, since this number proves nothing. */
const overviewTimeout = 10_000;

/** Devices of other operating systems are among them where the service does not apply the filter. */
export async function readDevices(graph: Graph, receipt: ReceiptDraft, onPage: () => void): Promise<ListedDevice[]> {
  let tooLarge = 0;
  let onlyWindows = true;
  for (let rounds = 1; ; ) {
    const isLastRound = rounds >= maximumRounds;
    const query = { top: pageSizes[tooLarge] ?? 0, onlyWindows };
    try {
      const devices = await walkDevices(graph, query, receipt, onPage);
      if ((await confirmClaim(graph, query, receipt, devices.length)) <= devices.length) {
        return devices;
      }
      if (isLastRound) {
        throw createDevicesMissingError(graph.who, receipt.claimed ?? 0, devices.length);
      }
      rounds += 1;
    } catch (error) {
      const code = error instanceof MusterError ? error.code : undefined;
      if (code === 'request-timed-out' && tooLarge + 1 < pageSizes.length) {
        tooLarge += 1;
      } else if (code === 'request-refused' && onlyWindows) {
        onlyWindows = false;
      } else if (code === 'paging-broken' && !isLastRound) {
        rounds += 1;
      } else {
        throw error;
      }
    }
  }
}

/** The service's own count. A larger one than the list is asked for again, since devices may have left in the meantime. */
async function confirmClaim(graph: Graph, query: ListQuery, receipt: ReceiptDraft, received: number): Promise<number> {
  const { claimed = 0 } = receipt;
  if (claimed <= received) {
    return claimed;
  }
  receipt.pages += 1;
  const counted = await attempt(graph, () => countDevices(graph, query));
  receipt.claimed = counted.value ?? claimed;
  return receipt.claimed;
}

/** The service's own count of Windows devices. It proves nothing by itself, so a failure is ignored. */
export async function readOverviewCount(graph: Graph): Promise<number | undefined> {
  try {
    const body = await graph.client.send({ url: overviewPath, idle: overviewTimeout, isOptional: true }, (answer) =>
      parseObject(answer, graph.who),
    );
    const count = readRecord(body.deviceOperatingSystemSummary)?.windowsCount;
    return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
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
