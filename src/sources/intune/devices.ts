/**
 * Lists every device of the tenant: https://learn.microsoft.com/graph/api/intune-devices-manageddevice-list.
 * If the pages contradict each other, or there are fewer devices than the service's own count, the list is read again.
 */
import { pluralize } from '../../core/pluralize.ts';
import { MusterError } from '../../errors.ts';
import { readRecord } from '../read.ts';
import type { SourceReading } from '../source.ts';
import { attempt } from './attempt.ts';
import { explainDifferences } from './differences.ts';
import { type Graph, parseObject } from './graph.ts';
import { countDevices, type DeviceListing, type ListQuery, listDevices } from './listing.ts';
import { createPageGate, type PageGate } from './page-gate.ts';
import { type ManagedDevice, managedDeviceFields } from './parse.ts';

const maximumRounds = 2;
/** The documented page size, and smaller ones for a service that times out. */
const pageSizes = [1000, 333, 111, 37];
const overviewPath = '/v1.0/deviceManagement/managedDeviceOverview';
/** Milliseconds; short, since this number proves nothing. */
const overviewTimeout = 10_000;

type ReceiptDraft = SourceReading['receipt'];

/** Devices of other operating systems are among them where the service does not apply the filter. */
export async function readDevices(graph: Graph, receipt: ReceiptDraft, onPage: () => void): Promise<ManagedDevice[]> {
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

/**
 * A list of one page shows one moment. Between the pages of a longer list devices come and go; if the service pages by
 * position, another device is then skipped unnoticed. So a second walk lists the ids, one page behind the first: what
 * one walk skips, the other passes at another moment. Each difference is explained.
 */
async function walkDevices(
  graph: Graph,
  query: ListQuery,
  receipt: ReceiptDraft,
  onPage: () => void,
): Promise<ManagedDevice[]> {
  receipt.walks += 1;
  receipt.received = 0;
  for (const name of ['claimed', 'firstId', 'lastId'] as const) {
    delete receipt[name];
  }
  const gate = createPageGate();
  // When one walk fails, the other requests no further page.
  const stop = new AbortController();
  const stopOther = (error: unknown) => stop.abort(error);
  const first = listDevices(graph, {
    ...query,
    fields: managedDeviceFields,
    beforePage: async () => stop.signal.throwIfAborted(),
    onPage: (listing) => {
      recordListing(receipt, listing);
      onPage();
      gate.pass();
    },
  }).finally(gate.end);
  const second = followWithIds(graph, query, { gate, signal: stop.signal, receipt, onPage });
  first.catch(stopOther);
  second.catch(stopOther);
  await Promise.allSettled([first, second]);
  stop.signal.throwIfAborted();
  const [listed, ids] = [await first, await second];
  if (ids === undefined) {
    return [...listed.devices.values()];
  }
  const devices = await explainDifferences(graph, listed.devices, ids.devices);
  receipt.received = devices.length;
  if (ids.claimed !== undefined) {
    receipt.claimed = ids.claimed;
  }
  return devices;
}

interface FollowOptions {
  readonly gate: PageGate;
  readonly signal: AbortSignal;
  readonly receipt: ReceiptDraft;
  readonly onPage: () => void;
}

/** Undefined where the first walk has one page only. */
async function followWithIds(
  graph: Graph,
  query: ListQuery,
  { gate, signal, receipt, onPage }: FollowOptions,
): Promise<DeviceListing | undefined> {
  if (!(await gate.hasPages(2))) {
    return undefined;
  }
  receipt.walks += 1;
  return listDevices(graph, {
    ...query,
    fields: ['id'],
    beforePage: async (page) => {
      await gate.hasPages(page + 1);
      signal.throwIfAborted();
    },
    onPage: () => {
      receipt.pages += 1;
      onPage();
    },
  });
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

/** The service's own count of Windows devices. It proves nothing by itself, so a failure is ignored. */
export async function readOverviewCount(graph: Graph): Promise<number | undefined> {
  try {
    const body = await graph.client.send({ url: overviewPath, idle: overviewTimeout, shrinks: true }, (answer) =>
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
