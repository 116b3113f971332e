/** Time as an argument, so that tests control it and never sleep. */

export interface Clock {
  /** The wall clock, for dates that people read. */
  now(): Date;
  /** Milliseconds on a monotonic clock, for durations and expiries. */
  elapsed(): number;
  /** Waits; rejects at once with the signal's reason when it aborts. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** Receives the Date header of every server's answers, where somebody compares the clocks. */
  onServerDate?(server: string, header: string | null): void;
}

/** Timers longer than this fire at once (Node, setTimeout). */
const longestTimer = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => new Date(),
  elapsed: () => performance.now(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) {
        return reject(signal.reason);
      }
      const stop = () => {
        clearTimeout(timer);
        reject(signal.reason);
      };
      const timer = setTimeout(
        () => {
          signal.removeEventListener('abort', stop);
          resolve();
        },
        Math.min(milliseconds, longestTimer),
      );
      signal.addEventListener('abort', stop, { once: true });
    }),
};
