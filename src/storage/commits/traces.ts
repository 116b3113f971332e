/** Finds keys that only a run with a commit leaves. Such a trace without its commit shows that the log was cut off. */
import { parseSlotFromCopyKey } from '../keys.ts';
import type { Store } from '../store.ts';
import { listReports, type PublishedRun } from './commit.ts';

/** The first key of `latest.json`, a copy, a claim, a mark, or a file of a run compared with another; undefined if none. */
export async function findTrace(keys: AsyncIterable<string> | Iterable<string>): Promise<string | undefined> {
  for await (const key of keys) {
    if (parseSlotFromCopyKey(key) !== undefined || trace.test(key)) {
      return key;
    }
  }
  return undefined;
}

const trace =
  /^latest(\/|\.json$)|^deliveries\/[^/]+\/[^/]+\.(claim|mark)\.json$|^runs\/[^/]+\/[^/]+\/facts\/before\.json\.gz$/;

/**
 * A copy of a later slot than the head's; `retracted` slots may still have copies. Marks of later commits are ignored
 * and reported by delivery.
 */
export async function findLaterTrace(
  store: Pick<Store, 'list'>,
  { commit, sha256 }: PublishedRun,
  retracted: readonly string[],
): Promise<string | undefined> {
  const [report] = listReports({ commit, sha256 });
  const folder = report?.dated.split('/')[0];
  const copies = folder === undefined ? [] : store.list(`${folder}/`, `${folder}/date=${commit.slot}/~`);
  for await (const key of copies) {
    const slot = parseSlotFromCopyKey(key);
    if (slot !== undefined && slot > commit.slot && !retracted.includes(slot)) {
      return key;
    }
  }
  return undefined;
}

export function describeLostLog(trace: string): string {
  return `${trace} is of a run that was published, but there is no commit`;
}

export function describeLostRun(trace: string): string {
  return `${trace} is of a run that was published, but no commit names that run`;
}
