/** Refuses too many devices while an error can still be reported: V8 ends a process without memory silently. */

import { getHeapStatistics } from 'node:v8';
import { MusterError } from '../../base/errors.ts';
import type { Receipt } from '../../core/facts/facts.ts';
import { formatCount } from '../../core/text/format-count.ts';
import { pluralize } from '../../core/text/pluralize.ts';

type Counted = Pick<Receipt, 'received' | 'claimed'>;

/** Measured while judging with a baseline (docs/dev/large-companies.md). */
const megabytesOfProgram = 24;
const bytesOfDevice = 1800;
const megabyte = 2 ** 20;

/** Throws once the devices read need more than `heap` MB; `receipts` has those of all sources. */
export function refuseTooManyDevices(receipts: Iterable<Counted>, heap = Number.POSITIVE_INFINITY): void {
  let received = 0;
  let expected = 0;
  for (const receipt of receipts) {
    received += receipt.received;
    expected += Math.max(receipt.received, receipt.claimed ?? 0);
  }
  if (computeNeed(received) <= heap) {
    return;
  }
  const need = computeNeed(expected);
  throw new MusterError(
    'memory',
    `Nothing was published: ${formatCount(received)} of ${formatCount(expected)} ${pluralize(expected, 'device')} were read. To judge and report all of them takes about ${need} MB of heap, and Node.js may use ${heap} MB. Give it more: NODE_OPTIONS=--max-old-space-size=${Math.ceil(need * 1.25)} and a machine that has as much; on AWS, aws.memory.`,
  );
}

function computeNeed(devices: number): number {
  return megabytesOfProgram + Math.ceil((devices * bytesOfDevice) / megabyte);
}

/** Heap limit in MB. V8's own figure includes the young generation, so that the last option given overrides it. */
export function readHeapLimit(options: readonly string[]): number {
  const given = options.flatMap((one) => /--max[-_]old[-_]space[-_]size=(\d+)/.exec(one)?.[1] ?? []).at(-1);
  return given === undefined ? Math.floor(getHeapStatistics().heap_size_limit / megabyte) : Number(given);
}
