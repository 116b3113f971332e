/** How many requests may be under way at once. */
import pLimit from 'p-limit';

/** Runs the work when there is room for it. */
export type RequestLimit = <T>(work: () => Promise<T>) => Promise<T>;

export function createRequestLimit(concurrency: number): RequestLimit {
  const limit = pLimit(concurrency);
  return (work) => limit(work);
}
