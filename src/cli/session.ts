/** What every command that runs needs: settings, parts, a deadline, and a graceful shutdown. */

import type { ComposeContext } from '../compose/parts.ts';
import { type PreparedRun, prepareRun } from '../compose/start.ts';
import { MusterError } from '../errors.ts';
import { systemClock } from '../http/clock.ts';
import type { ProgressListener } from '../run/gather.ts';

/** Longest time to read the platforms on one machine; on Lambda the time left of the invocation is the limit. */
const platformTimeLimit = 2 * 60 * 60 * 1000;

export interface Session extends PreparedRun {
  /** Ends the timers and signal handlers. */
  close(): void;
}

interface SessionOptions extends Pick<ComposeContext, 'patience' | 'asksOnce' | 'idle'> {
  readonly onProgress?: ProgressListener;
}

export async function openSession(given: string | undefined, options: SessionOptions = {}): Promise<Session> {
  const controller = new AbortController();
  const stop = () =>
    controller.abort(
      new MusterError('stopped', 'The run was stopped before anything was published. Run the slot again.'),
    );
  const timer = setTimeout(
    () =>
      controller.abort(
        new MusterError('deadline', 'Reading the platforms took longer than two hours. Run the slot again.'),
      ),
    platformTimeLimit,
  );
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const close = () => {
    clearTimeout(timer);
    process.off('SIGINT', stop).off('SIGTERM', stop);
  };
  try {
    const bounds = { signal: controller.signal, deadline: systemClock.elapsed() + platformTimeLimit };
    const started = await prepareRun({
      given,
      environment: process.env,
      ...bounds,
      ...options,
    });
    return { ...started, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** When this process began, by the wall clock. */
export const processStartedAt = new Date(performance.timeOrigin);
