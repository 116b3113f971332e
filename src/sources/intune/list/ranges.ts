/**
 * Reads the Windows devices in ranges of their enrolment dates, several at once: all fields first, then the ids alone
 * in other ranges. No page of the two readings ends at the same place, and a change at one moment affects one reading
 * alone. Doubts are thrown as obstacles, and the list is read in another way.
 */

import { createDeviceInterner } from '../../../core/facts/device-fields.ts';
import { attempt, hasCode, isRefusedRequest } from '../../reading/attempt.ts';
import { isFailureOfPage, triesOfPage } from '../../reading/failed-page.ts';
import { readTime } from '../../reading/fields.ts';
import type { LastDevices, PreviousReading, SourceReading } from '../../source.ts';
import { type Graph, readPages } from '../client.ts';
import { foldDeviceId, type ListedDevice, parseListedDevice, type RowsByDevice } from '../parse.ts';
import {
  checkCount,
  chooseBounds,
  type EnrolmentRange,
  RangesObstacle,
  refuseOutside,
  toRanges,
} from './enrolment-ranges.ts';
import {
  buildQuery,
  listFields,
  lookUpDevice,
  readOverviewCount,
  shareWordsOf,
  toleratesDifferences,
  usualQuery,
} from './inventory.ts';
import { type DeviceListing, type DevicesById, devicesPath, findRepeated, ListedDevices } from './listed-devices.ts';

export interface RangesContext {
  readonly graph: Graph;
  readonly remembered: PreviousReading;
  readonly receipt: SourceReading['receipt'];
  readonly onPage: () => void;
  /** Rows of the apps' reports. */
  readonly reports: Promise<RowsByDevice>;
  /** The service's own count of Windows devices, from before the list was read. */
  readonly overview: Promise<number | undefined>;
}

export async function readInRanges(context: RangesContext): Promise<DeviceListing> {
  const { graph, receipt, remembered } = context;
  const bounds = chooseBounds(remembered, usualQuery.top);
  receipt.walks += 2;
  const [first, last] = await Promise.all([readDevicesInRanges(context, bounds.first), readLastDevices(context)]);
  if (last === undefined) {
    throw new RangesObstacle('last run not readable');
  }
  // Begins after the first reading, so that a change at one moment affects one of them alone.
  const again = await readIdsInRanges(context, bounds.second, first.byId);
  const others = await listOtherIds(context, last);
  const left = await lookUpDifferences(graph, first.byId, again.byId, others);
  const devices = first.byId;
  const listed = countWindows(devices);
  checkCount(remembered, listed + left, await context.overview);
  checkCount(remembered, listed, await readOverviewCount(graph));
  receipt.received = devices.size;
  return { devices: [...devices.values()], repeated: findRepeated(first, again) };
}

/** Folded ids that the report or the last run knows, without those that the last report named and no list has. */
export async function listOtherIds({ reports }: RangesContext, last: LastDevices | undefined): Promise<string[]> {
  const unlisted = new Set(last?.unlisted);
  const reported = [...(await reports).keys()].filter((key) => key !== '' && !unlisted.has(key));
  return [...reported, ...(last?.ids ?? []).map(foldDeviceId)];
}

export async function readLastDevices({ graph, remembered }: RangesContext): Promise<LastDevices | undefined> {
  return (await attempt(graph.signal, async () => remembered.readLastDevices?.())).value;
}

type Row = Readonly<Record<string, unknown>>;

/** Reads all ranges at once; the client limits concurrent requests. If one fails, the others request no further page. */
async function readRanges(
  { graph, receipt, onPage }: RangesContext,
  bounds: readonly string[],
  fields: readonly string[],
  onRows: (rows: readonly Row[], range: EnrolmentRange) => void,
): Promise<void> {
  let isOver = false;
  const readRange = async (range: EnrolmentRange) => {
    for await (const { rows } of readPages(
      graph,
      devicesPath,
      buildQuery({ ...usualQuery, range }, fields),
      triesOfPage,
    )) {
      onRows(rows, range);
      receipt.pages += 1;
      onPage();
      if (isOver) {
        return;
      }
    }
  };
  const readings = toRanges(bounds).map((range) =>
    readRange(range).catch((error: unknown) => {
      isOver = true;
      throw toObstacle(error);
    }),
  );
  await Promise.allSettled(readings);
  await Promise.all(readings);
}

/** Turns errors that ranges may cause (refusals, contradictions, failed pages) into obstacles; others would fail any reading. */
function toObstacle(error: unknown): unknown {
  if (isRefusedRequest(error)) {
    return new RangesObstacle('refused');
  }
  if (hasCode(error, 'paging-broken')) {
    return new RangesObstacle('contradicted');
  }
  return isFailureOfPage(error) ? new RangesObstacle('pages failed') : error;
}

async function readDevicesInRanges(context: RangesContext, bounds: readonly string[]): Promise<ListedDevices> {
  const { graph, receipt } = context;
  const shareWords = createDeviceInterner();
  const listed = new ListedDevices(graph.who);
  await readRanges(context, bounds, listFields(usualQuery), (rows, range) => {
    const devices = rows.map((row) => {
      refuseOutside(readTime(row.enrolledDateTime, 'Z'), range);
      return shareWordsOf(parseListedDevice(row, graph.who), shareWords);
    });
    listed.addPage(devices);
    receipt.received = listed.byId.size;
  });
  return listed;
}

/** The second reading, of ids alone, which refer to the devices of the first. */
async function readIdsInRanges(
  context: RangesContext,
  bounds: readonly string[],
  first: DevicesById,
): Promise<ListedDevices> {
  const { who } = context.graph;
  const listed = new ListedDevices(who, first);
  await readRanges(context, bounds, ['id'], (rows, range) => {
    const devices = rows.map((row) => parseListedDevice(row, who));
    for (const { id } of devices) {
      const same = first.get(foldDeviceId(id));
      if (same?.facts !== undefined) {
        refuseOutside(same.facts.enrolledAt, range);
      }
    }
    listed.addPage(devices);
  });
  return listed;
}

/**
 * Looks up every device that one reading lacks, or that `others` know and both lack, and corrects `first`. Returns how
 * many Windows devices have left since they were listed. Throws an obstacle if both readings missed an existing device,
 * since ranges then hide devices.
 */
async function lookUpDifferences(
  graph: Graph,
  first: Map<string, ListedDevice>,
  second: DevicesById,
  others: readonly string[],
): Promise<number> {
  const ids = new Map<string, string>();
  for (const [key, { id }] of [...first, ...second]) {
    if (!first.has(key) || !second.has(key)) {
      ids.set(key, id);
    }
  }
  for (const key of others) {
    if (!first.has(key) && !second.has(key)) {
      ids.set(key, key);
    }
  }
  if (!toleratesDifferences(ids.size, first.size)) {
    throw new RangesObstacle('too many differences');
  }
  const looked = await Promise.all(
    [...ids].map(async ([key, id]) => ({
      key,
      ...(await attempt(graph.signal, () => lookUpDevice(graph, usualQuery, id))),
    })),
  );
  let left = 0;
  for (const { key, value: device, failure } of looked) {
    if (failure !== undefined) {
      throw new RangesObstacle('look-up failed');
    }
    if (device === undefined) {
      left += Number(first.get(key)?.facts !== undefined);
      first.delete(key);
    } else if (device.facts !== undefined) {
      refuseMissed(device.facts.enrolledAt, first.has(key) || second.has(key));
      first.set(key, first.get(key) ?? device);
    }
  }
  return left;
}

function refuseMissed(date: string | undefined, isListed: boolean): void {
  if (date === undefined) {
    throw new RangesObstacle('dates not known');
  }
  if (!isListed) {
    throw new RangesObstacle('missed by both');
  }
}

function countWindows(devices: DevicesById): number {
  return [...devices.values()].filter(({ facts }) => facts !== undefined).length;
}
