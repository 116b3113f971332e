/** Time as an argument: what the clock says and how to wait, so that tests need no sleep. */

export interface Clock {
  /** The wall clock, for dates that people read. */
  now(): Date;
  /** Milliseconds that only grow, for durations and expiries. */
  elapsed(): number;
  /** Waits; rejects at once with the signal's reason when it aborts. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => new Date(),
  elapsed: () => performance.now(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const stop = () => {
        clearTimeout(timer);
        reject(signal.reason);
      };
      const timer = setTimeout(() => {
        signal.removeEventListener('abort', stop);
        resolve();
      }, milliseconds);
      signal.addEventListener('abort', stop, { once: true });
    }),
};
