/** Runs several requests to a store at once, with a limit. */
import pLimit from 'p-limit';

/**
 * Runs tasks in their order, at most the given number at once, and returns their results in that order. After a failure
 * no more begin; it waits for those that run, and throws the failure.
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
  // Rejects with the failure: tasks that never began come after it.
  return Promise.all(running);
}
