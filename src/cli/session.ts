/** What every command that runs needs: settings, parts, a deadline, and a graceful shutdown. */

import type { ComposeContext } from '../compose/parts.ts';
import { type PreparedRun, prepareRun, signalWrongSettings } from '../compose/start.ts';
import { MusterError } from '../errors.ts';
import { systemClock } from '../http/clock.ts';
import type { ProgressListener } from '../run/gather.ts';
import { printFailure } from './failure.ts';

/** Longest time to read the platforms on one machine; on Lambda the time left of the invocation is the limit. */
export const platformTimeLimit = 2 * 60 * 60 * 1000;
/** Milliseconds from a signal to the end, whatever the run is doing: a store that hangs must not keep it for ever. */
const shutdownTimeLimit = 25_000;

export interface Session extends PreparedRun {
  /** Ends the timers and signal handlers. */
  close(): void;
}

interface SessionOptions extends Pick<ComposeContext, 'patience' | 'asksOnce' | 'idle'> {
  readonly onProgress?: ProgressListener;
  /** The heartbeat says so where the settings are wrong: a run was meant to begin. */
  readonly signalsWrongSettings?: boolean;
}

export async function openSession(
  given: string | undefined,
  { signalsWrongSettings, ...options }: SessionOptions = {},
): Promise<Session> {
  const controller = new AbortController();
  let shutdown: NodeJS.Timeout | undefined;
  const stop = (signal: NodeJS.Signals) => {
    controller.abort(
      new MusterError('stopped', 'The run was stopped before anything was published. Run the slot again.'),
    );
    shutdown = setTimeout(() => endProcess(signal), shutdownTimeLimit);
  };
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
    clearTimeout(shutdown);
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
    if (signalsWrongSettings) {
      await signalWrongSettings(error, given, process.env);
    }
    throw error;
  }
}

/** As if nobody had listened to the signal. What is published is whole at every moment. */
function endProcess(signal: NodeJS.Signals): void {
  const seconds = shutdownTimeLimit / 1000;
  const sentence = `The run did not end within ${seconds} s of ${signal}, so it was ended. Check the store, and run the slot again.`;
  printFailure(new MusterError('stopped', sentence), process.stderr);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

/** When this process began, by the wall clock. */
export const processStartedAt = new Date(performance.timeOrigin);
