/** Asks again for what takes a service minutes: soon at first, then less and less often. */
import type { Clock } from '../../http/clock.ts';

interface PollOptions<T> {
  /** Called before each wait. True where something new is waited for, which may be there soon. */
  readonly prepare: () => Promise<boolean>;
  /** Undefined while there is no answer. */
  readonly ask: () => Promise<T | undefined>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** On the clock's `elapsed` scale. */
  readonly until: number;
}

/** Milliseconds. */
const firstWait = 250;
const longestWait = 10_000;
const waitGrowth = 1.8;

/** Undefined where there is no answer until then. */
export async function poll<T>({ prepare, ask, clock, signal, until }: PollOptions<T>): Promise<T | undefined> {
  let wait = firstWait;
  for (;;) {
    if (await prepare()) {
      wait = firstWait;
    }
    if (clock.elapsed() + wait > until) {
      return undefined;
    }
    await clock.sleep(wait, signal);
    wait = Math.min(longestWait, wait * waitGrowth);
    const answer = await ask();
    if (answer !== undefined) {
      return answer;
    }
  }
}
