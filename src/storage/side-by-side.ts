/** Several requests to a store at once, and no more than it is asked for. */
import pLimit from 'p-limit';

/**
 * Runs tasks in their order, at most so many at once, and returns their results in that order. After a failure none
 * begins; those that run are waited for, and the failure is thrown.
 */
export async function runSideBySide<Result>(
  tasks: readonly (() => Promise<Result>)[],
  most: number,
): Promise<readonly Result[]> {
  const limit = pLimit({ concurrency: most, rejectOnClear: true });
  const running = tasks.map((task) =>
    limit(async () => {
      try {
        return await task();
      } catch (error) {
        limit.clearQueue();
        throw error;
      }
    }),
  );
  await Promise.allSettled(running);
  // Tasks that never began are behind the one that failed.
  return Promise.all(running);
}
