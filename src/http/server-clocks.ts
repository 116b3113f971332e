/** How far the clocks of servers are from this machine's, by the Date header of the first answer of each. */
import type { Clock } from './clock.ts';

export interface ServerClocks {
  /** The clock calls it: see `Clock.onServerDate`. */
  readonly onServerDate: NonNullable<Clock['onServerDate']>;
  /** In the order in which the servers answered. */
  list(): readonly ServerClock[];
}

export interface ServerClock {
  readonly server: string;
  /** Milliseconds; negative where the server is behind. */
  readonly ahead: number;
}

/** Compares with the machine's clock as it was at the start, which decided what is run, and not as it is set later. */
export function compareServerClocks(machine: Pick<Clock, 'now' | 'elapsed'>): ServerClocks {
  const started = machine.now().getTime() - machine.elapsed();
  const clocks = new Map<string, number>();
  return {
    onServerDate(server, header) {
      const date = Date.parse(header ?? '');
      if (!clocks.has(server) && !Number.isNaN(date)) {
        clocks.set(server, date - (started + machine.elapsed()));
      }
    },
    list: () => [...clocks].map(([server, ahead]) => ({ server, ahead })),
  };
}
