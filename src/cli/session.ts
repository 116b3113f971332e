/** What every command that runs a night needs: settings, parts, a deadline, and a polite stop. */

import { type PreparedRun, prepareRun } from '../compose/start.ts';
import { MusterError } from '../errors.ts';
import { systemClock } from '../http/clock.ts';
import type { ProgressListener } from '../run/gather.ts';

/** Longest time that the platforms may take on one machine; on Lambda it is what is left of the invocation. */
const platformTimeLimit = 2 * 60 * 60 * 1000;

export interface Session extends PreparedRun {
  /** Ends the timers and signal handlers. */
  close(): void;
}

export async function openSession(given: string | undefined, watch?: ProgressListener): Promise<Session> {
  const controller = new AbortController();
  const stop = () => controller.abort(new MusterError('stopped', 'The run was stopped before anything was published.'));
  const timer = setTimeout(
    () => controller.abort(new MusterError('deadline', 'The platforms took too long.')),
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
      ...(watch ? { onProgress: watch } : {}),
    });
    return { ...started, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** When this process began, by the wall clock. */
export const processStartedAt = new Date(performance.timeOrigin);
