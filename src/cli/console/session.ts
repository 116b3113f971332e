/** What every command that runs needs: settings, parts, a deadline, and a graceful shutdown. */

import { MusterError } from '../../base/errors.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import type { ComposeContext } from '../../compose/parts.ts';
import { type PreparedRun, prepareRun, signalWrongSettings } from '../../compose/start.ts';
import { systemClock } from '../../http/clock.ts';
import type { ProgressListener } from '../../run/gather.ts';
import { withDeadline } from '../../run/with-deadline.ts';
import { printFailure } from './failure.ts';

/** Longest time to read the platforms on one machine; on Lambda the time left of the invocation is the limit. */
export const platformTimeLimit = 2 * 60 * 60 * 1000;
/** After the platforms: time to judge and to publish. A store that hangs, as a network folder can, ends with it. */
const storeTimeLimit = platformTimeLimit + 60 * 60 * 1000;
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
  /** Milliseconds, instead of three hours. */
  readonly storeTimeLimit?: number;
}

export async function openSession(
  given: string | undefined,
  { signalsWrongSettings, storeTimeLimit: longestStoreTime = storeTimeLimit, ...options }: SessionOptions = {},
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
  const storeEnd = new AbortController();
  const storeTimer = setTimeout(() => {
    const sentence = 'The store did not answer in time. Check that it can be reached, and run the slot again.';
    storeEnd.abort(new MusterError('deadline', sentence));
  }, longestStoreTime);
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const close = () => {
    clearTimeout(timer);
    clearTimeout(storeTimer);
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
    return { ...started, parts: applyStoreDeadline(started.parts, storeEnd.signal), close };
  } catch (error) {
    close();
    if (signalsWrongSettings) {
      await signalWrongSettings(error, given, process.env);
    }
    throw error;
  }
}

function applyStoreDeadline(
  { store, audit, ...parts }: PreparedRun['parts'],
  signal: AbortSignal,
): PreparedRun['parts'] {
  return {
    ...parts,
    store: withDeadline(store, signal),
    ...omitUndefined({ audit: audit && withDeadline(audit, signal) }),
  };
}

/** As if nobody had listened to the signal. What is published is whole at every moment. */
function endProcess(signal: NodeJS.Signals): void {
  const seconds = shutdownTimeLimit / 1000;
  const sentence = `The run did not end within ${seconds} s of ${signal}, so it was ended. Check the store, and run the slot again.`;
  printFailure(new MusterError('stopped', sentence), process.stderr);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}
