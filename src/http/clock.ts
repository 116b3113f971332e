/** Time as an argument, so that tests control it and never sleep. */
import { setTimeout } from 'node:timers/promises';
import { parseHttpDate } from './failures.ts';

export interface Clock {
  /** The wall clock, for dates that people read. */
  now(): Date;
  /** Milliseconds on a monotonic clock, for durations and expiries. */
  elapsed(): number;
  /** Waits; rejects at once with the signal's reason when it aborts. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** Receives the Date header of every answer, for comparing clocks. */
  onServerDate?(server: string, header: string | undefined): void;
}

/** Timers longer than this fire at once (Node, setTimeout). */
const longestTimer = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => new Date(),
  elapsed: () => performance.now(),
  async sleep(milliseconds, signal) {
    // The timer rejects with its own error instead of the signal's reason.
    const timer = setTimeout(Math.min(milliseconds, longestTimer), undefined, { signal });
    await timer.catch(() => signal.throwIfAborted());
  },
};

export type ServerClocks = ReturnType<typeof compareServerClocks>;

/**
 * Measures how far servers' clocks are from this machine's, by the Date header of each server's first answer. Uses the
 * machine's clock as it was at the start, which chose the slot, whatever it is set to later.
 */
export function compareServerClocks(machine: Pick<Clock, 'now' | 'elapsed'>) {
  const started = machine.now().getTime() - machine.elapsed();
  const clocks = new Map<string, number>();
  return {
    onServerDate(server: string, header: string | undefined) {
      const date = parseHttpDate(header?.trim() ?? '');
      if (!clocks.has(server) && !Number.isNaN(date)) {
        clocks.set(server, date - (started + machine.elapsed()));
      }
    },
    /** Differences in the order in which the servers answered, in milliseconds; negative where the server is behind. */
    list: () => [...clocks].map(([server, ahead]) => ({ server, ahead })),
  };
}
