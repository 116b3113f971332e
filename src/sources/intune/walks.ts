/**
 * Walks the device list twice. A list of one page shows one moment; between the pages of a longer list devices come and
 * go, and if the service pages by position, another device is then skipped unnoticed. So a second walk lists the ids, one
 * page behind the first: what one walk skips, the other passes at another moment. Each difference is explained.
 */
import type { SourceReading } from '../source.ts';
import { explainDifferences } from './differences.ts';
import type { Graph } from './graph.ts';
import { type DeviceListing, type ListQuery, listDevices } from './listing.ts';
import { createPageGate, type PageGate } from './page-gate.ts';
import { type ListedDevice, managedDeviceFields } from './parse.ts';

export type ReceiptDraft = SourceReading['receipt'];

interface WalkOptions {
  readonly query: ListQuery;
  readonly receipt: ReceiptDraft;
  readonly onPage: () => void;
  readonly gate: PageGate;
  /** When one walk fails, the other requests no further page. */
  readonly stop: AbortController;
  /** What the first walk has listed so far. */
  listed?: DeviceListing['devices'];
}

export async function walkDevices(
  graph: Graph,
  query: ListQuery,
  receipt: ReceiptDraft,
  onPage: () => void,
): Promise<ListedDevice[]> {
  receipt.walks += 1;
  receipt.received = 0;
  for (const name of ['claimed', 'firstId', 'lastId'] as const) {
    delete receipt[name];
  }
  const options: WalkOptions = { query, receipt, onPage, gate: createPageGate(), stop: new AbortController() };
  const walks = [walkFirst(graph, options), walkBehind(graph, options)] as const;
  await Promise.allSettled(walks);
  options.stop.signal.throwIfAborted();
  const [first, second] = await Promise.all(walks);
  if (second === undefined) {
    return [...first.devices.values()];
  }
  const devices = await explainDifferences(graph, first.devices, second.devices);
  receipt.received = devices.length;
  if (second.claimed !== undefined) {
    receipt.claimed = second.claimed;
  }
  return devices;
}

async function walkFirst(graph: Graph, options: WalkOptions): Promise<DeviceListing> {
  const { query, receipt, onPage, gate, stop } = options;
  try {
    return await listDevices(graph, {
      ...query,
      fields: managedDeviceFields,
      beforePage: async () => stop.signal.throwIfAborted(),
      onPage: (listing) => {
        options.listed = listing.devices;
        recordListing(receipt, listing);
        onPage();
        gate.pass();
      },
    });
  } catch (error) {
    stop.abort(error);
    throw error;
  } finally {
    gate.end();
  }
}

/** Undefined where the first walk has one page only. */
async function walkBehind(graph: Graph, options: WalkOptions): Promise<DeviceListing | undefined> {
  const { query, receipt, onPage, gate, stop } = options;
  if (!(await gate.hasPages(2))) {
    return undefined;
  }
  receipt.walks += 1;
  try {
    return await listDevices(graph, {
      ...query,
      fields: ['id'],
      known: () => options.listed,
      beforePage: async (page) => {
        await gate.hasPages(page + 1);
        stop.signal.throwIfAborted();
      },
      onPage: () => {
        receipt.pages += 1;
        onPage();
      },
    });
  } catch (error) {
    stop.abort(error);
    throw error;
  }
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
