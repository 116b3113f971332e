/** Confirms a list that was read serially against the service's count, and the devices that the report or the last run knows. */

import { MusterError } from '../../../base/errors.ts';
import { formatCount } from '../../../core/text/format-count.ts';
import { pluralize } from '../../../core/text/pluralize.ts';
import { attempt } from '../../reading/attempt.ts';
import type { SourceReading } from '../../source.ts';
import { type Graph, toOptionalGraph } from '../client.ts';
import { foldDeviceId } from '../parse.ts';
import { countDevices, type ListQuery, lookUpDevice, toleratesDifferences } from './inventory.ts';
import { type DeviceListing, devicesPath, sumValues } from './listed-devices.ts';
import { listOtherIds, type RangesContext, readLastDevices } from './ranges.ts';

/**
 * Throws `rows-missing` where the service counts more devices than it listed. It counts again first, since devices may
 * have left in the meantime. The service counts rows, the receipt devices.
 */
export async function confirmClaim(
  graph: Graph,
  query: ListQuery,
  receipt: SourceReading['receipt'],
  { devices: { length: received }, repeated }: DeviceListing,
): Promise<void> {
  const { claimed } = receipt;
  if (claimed === undefined) {
    return;
  }
  const copies = sumValues(repeated);
  receipt.claimed = claimed - copies;
  if (receipt.claimed > received) {
    receipt.pages += 1;
    const counted = await attempt(graph.signal, () => countDevices(toOptionalGraph(graph), query));
    receipt.claimed = (counted.value ?? claimed) - copies;
  }
  if (receipt.claimed > received) {
    throw new MusterError(
      'rows-missing',
      `${graph.who} reports ${formatCount(receipt.claimed)} ${pluralize(receipt.claimed, 'device')} but listed ${formatCount(received)}, twice. Check that the application can see all of them, and run again.`,
    );
  }
}

/**
 * Throws where rows were repeated in the place of others: then a device that the report or the last run knows, and the
 * list lacks, still exists. Too many such devices to look up are no evidence.
 */
export async function refuseReplaced(context: RangesContext, query: ListQuery, listing: DeviceListing): Promise<void> {
  const { devices, repeated } = listing;
  if (repeated.size === 0) {
    return;
  }
  const { graph } = context;
  const known = new Set(devices.map(({ id }) => foldDeviceId(id)));
  const others = new Set(await listOtherIds(context, await readLastDevices(context)));
  const lacking = [...others].filter((key) => !known.has(key));
  if (!toleratesDifferences(lacking.length, devices.length)) {
    return;
  }
  const found = await Promise.all(lacking.map((id) => attempt(graph.signal, () => lookUpDevice(graph, query, id))));
  if (found.some(({ value }) => value !== undefined)) {
    throw new MusterError(
      'paging-broken',
      `${graph.who} listed devices twice in the place of others: ${devicesPath}. Run again later, when the tenant changes less.`,
    );
  }
}
