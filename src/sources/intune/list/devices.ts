/**
 * Lists every device of the tenant: https://learn.microsoft.com/graph/api/intune-devices-manageddevice-list. It reads
 * the list in ranges of the enrolment date where that is proved, otherwise serially, twice. If the pages contradict
 * each other, or there are fewer devices than the service's own count, it reads the list again.
 */

import { MusterError } from '../../../base/errors.ts';
import { formatCount } from '../../../core/text/format-count.ts';
import { pluralize } from '../../../core/text/pluralize.ts';
import { attempt, isRefusedRequest, readConsistently } from '../../reading/attempt.ts';
import { isFailureOfPage } from '../../reading/failed-page.ts';
import type { SourceReading } from '../../source.ts';
import type { Graph } from '../client.ts';
import type { ListedDevice } from '../parse.ts';
import { confirmClaim, refuseReplaced } from './confirm-list.ts';
import { RangesObstacle } from './enrolment-ranges.ts';
import {
  countDevices,
  DeviceList,
  findIdAfter,
  type ListQuery,
  listFields,
  lookUpDevice,
  toleratesDifferences,
  usualQuery,
} from './inventory.ts';
import { type DeviceListing, type DevicesById, devicesPath, findRepeated } from './listed-devices.ts';
import { type RangesContext, readInRanges } from './ranges.ts';

type Receipt = SourceReading['receipt'];

/** The documented page size, and smaller ones for a service that fails with it, down to one device. */
const pageSizes = [1000, 333, 111, 37, 12, 4, 1] as const;
/** Pages up to which a list is begun again with a smaller size, since a link to the next page keeps its size. */
const mostPagesAgain = 1000;
/** Queries to try in turn, because a service that refuses one does not say which part it refuses. */
const queries: readonly [ListQuery, ...ListQuery[]] = [
  usualQuery,
  { top: 1000, onlyWindows: false, withWorkloads: true },
  { top: 1000, onlyWindows: true, withWorkloads: false },
  { top: 1000, onlyWindows: false, withWorkloads: false },
  { top: 333, onlyWindows: true, withWorkloads: true },
  { top: 111, onlyWindows: true, withWorkloads: true },
  { top: 37, onlyWindows: true, withWorkloads: true },
  { top: 37, onlyWindows: false, withWorkloads: false },
];

/** Lists the devices, including those of other operating systems where the service does not apply the filter. */
export async function readDevices(context: RangesContext): Promise<DeviceListing> {
  const { receipt } = context;
  try {
    const listing = await readInRanges(context);
    receipt.listed = 'in ranges';
    return listing;
  } catch (error) {
    if (!(error instanceof RangesObstacle)) {
      throw error;
    }
    receipt.listed = `serially: ${error.why}`;
    return readSerially(context);
  }
}

async function readSerially(context: RangesContext): Promise<DeviceListing> {
  const { graph, receipt, onPage } = context;
  let [query] = queries;
  let refused = 0;
  return readConsistently(['paging-broken', 'rows-missing'], async () => {
    for (;;) {
      try {
        const listing = await walkTwice(graph, query, receipt, onPage);
        await confirmClaim(graph, query, receipt, listing);
        await refuseReplaced(context, query, listing);
        return listing;
      } catch (error) {
        refused += Number(isRefusedRequest(error));
        query = isFailureOfPage(error)
          ? await divide(graph, query, receipt.received, error)
          : replaceRefused(query, queries[refused], error);
      }
    }
  });
}

/** Replaces a refused query, keeping pages small after a page was too large. Throws where nothing is left to try. */
function replaceRefused(query: ListQuery, other: ListQuery | undefined, error: unknown): ListQuery {
  if (!isRefusedRequest(error) || other === undefined) {
    throw error;
  }
  return { ...other, top: Math.min(other.top, query.top) };
}

/** Chooses smaller pages, once the service answers a count; waits for that as long as the source has patience. */
async function divide(graph: Graph, query: ListQuery, received: number, failure: MusterError): Promise<ListQuery> {
  await countDevices(graph, query);
  const top = pageSizes.find((size) => size < query.top);
  if (top !== undefined && received <= top * mostPagesAgain) {
    return { ...query, top };
  }
  const next = await findIdAfter(graph, { ...query, top: pageSizes[0] }, received);
  const where = `After ${formatCount(received)} ${pluralize(received, 'device')}, every page fails, down to ${query.top} a page`;
  const message = `${failure.message} ${where}; the next device is ${next ?? 'not known'}.`;
  throw new MusterError(failure.code, message, { cause: failure });
}

/**
 * Walks the device list twice. A list of one page shows one moment; between the pages of a longer list devices come and
 * go, and if the service pages by position, that can skip a device without changing any count. So a second walk lists
 * the ids at other moments, and each difference is explained. It begins when the first has two pages: at the same
 * place, both could skip the same device.
 */
async function walkTwice(graph: Graph, query: ListQuery, receipt: Receipt, onPage: () => void): Promise<DeviceListing> {
  receipt.walks += 1;
  receipt.received = 0;
  for (const name of ['claimed', 'firstId', 'lastId'] as const) {
    delete receipt[name];
  }
  const first = new DeviceList(graph, query, listFields(query), {
    onPage: () => {
      recordPage(receipt, first);
      onPage();
    },
  });
  await first.readPage();
  if (first.hasEnded) {
    const { byId, repeated } = first.listed;
    return { devices: [...byId.values()], repeated };
  }
  await first.readPage();
  receipt.walks += 1;
  const second = new DeviceList(graph, query, ['id'], {
    known: first.listed.byId,
    onPage: () => {
      receipt.pages += 1;
      onPage();
    },
  });
  while (!first.hasEnded || !second.hasEnded) {
    // If one walk fails, the other requests no further page.
    const steps = [first.readPage(), second.readPage()];
    await Promise.allSettled(steps);
    await Promise.all(steps);
  }
  const devices = await explainDifferences(graph, query, first.listed.byId, second.listed.byId);
  receipt.received = devices.length;
  if (second.claimed !== undefined) {
    receipt.claimed = second.claimed;
  }
  return { devices, repeated: findRepeated(first.listed, second.listed) };
}

function recordPage(receipt: Receipt, { listed: { byId: devices }, claimed, lastId }: DeviceList): void {
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

/** Merges two walks: reads every device that only one of them listed by its id. `first` has all fields, `second` only ids. */
async function explainDifferences(
  graph: Graph,
  query: ListQuery,
  first: DevicesById,
  second: DevicesById,
): Promise<ListedDevice[]> {
  const unseen = [...second].filter(([key]) => !first.has(key)).map(([, device]) => device);
  const unseenAgain = [...first].filter(([key]) => !second.has(key)).map(([, device]) => device);
  const differences = unseen.length + unseenAgain.length;
  if (!toleratesDifferences(differences, first.size)) {
    throw new MusterError(
      'paging-broken',
      `${graph.who} listed ${formatCount(differences)} ${pluralize(differences, 'device')} in only one of two readings: ${devicesPath}. Run again later, when the tenant changes less.`,
    );
  }
  const found = await Promise.all(unseen.map((device) => lookUpDevice(graph, query, device.id)));
  // Removes a listed device only after a clear "no such device".
  const looked = await Promise.all(
    unseenAgain.map(async (device) => ({
      device,
      ...(await attempt(graph.signal, () => lookUpDevice(graph, query, device.id))),
    })),
  );
  const left = new Set(
    looked.filter(({ value, failure }) => value === undefined && failure === undefined).map(({ device }) => device),
  );
  return [...first.values(), ...found.filter((device) => device !== undefined)].filter((device) => !left.has(device));
}
