/** A heap that is too small is said while it can be: when V8 finds no memory, it ends the process without a word. */

import { getHeapStatistics } from 'node:v8';
import { MusterError } from '../../base/errors.ts';
import type { Receipt } from '../../core/facts/facts.ts';
import { formatCount } from '../../core/text/format-count.ts';
import { pluralize } from '../../core/text/pluralize.ts';

type Counted = Pick<Receipt, 'received' | 'claimed'>;

/** Measured with a baseline, which a night is judged with (docs/dev/large-companies.md). */
const megabytesOfProgram = 24;
const bytesOfDevice = 1800;
const megabyte = 2 ** 20;

/** Throws once more devices are read than `heap` has room for, in MB; `receipts` are of all sources. */
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

/** In MB. V8's own figure has the young generation in it, so the last of the options counts where one is given. */
export function readHeapLimit(options: readonly string[]): number {
  const given = options.flatMap((one) => /--max[-_]old[-_]space[-_]size=(\d+)/.exec(one)?.[1] ?? []).at(-1);
  return given === undefined ? Math.floor(getHeapStatistics().heap_size_limit / megabyte) : Number(given);
}
