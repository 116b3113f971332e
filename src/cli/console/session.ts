/** Begins and ends a command: settings, parts, a deadline and a graceful shutdown; its output and exit code. */
import { once } from 'node:events';
import { MusterError } from '../../base/errors.ts';
import { escapeUnsafeCharacters } from '../../base/log.ts';
import { platformTimeLimit, startTimeLimit } from '../../base/time-limit.ts';
import { type PreparedRun, type PrepareRunOptions, prepareRun } from '../../compose/start.ts';
import { systemClock } from '../../http/clock.ts';
import { limitStores } from '../../storage/with-deadline.ts';
import { printFailure } from './failure.ts';
import { toTerminalText } from './terminal-text.ts';

/** Options of every command that reads settings. */
export interface CommandOptions {
  readonly settings?: string;
}

/** Options of commands that also have output for programs. */
export interface JsonOptions extends CommandOptions {
  readonly json?: boolean;
}

/** Milliseconds including judging and publishing, after which a hanging store, such as a network folder, ends the run. */
const storeTimeLimit = platformTimeLimit + 60 * 60 * 1000;
/** Milliseconds from a signal to the end, whatever the run is doing, so that a hanging store cannot keep it. */
const shutdownTimeLimit = 25_000;

interface SessionOptions extends Omit<PrepareRunOptions, 'settingsFile' | 'environment' | 'signal' | 'deadline'> {
  /** Milliseconds that replace the three hours. */
  readonly storeTimeLimit?: number;
}

/** Runs the work of a command; its timers and signal handlers end with it. */
export async function inSession<Result>(
  settingsFile: string | undefined,
  { storeTimeLimit: longestStoreTime = storeTimeLimit, ...options }: SessionOptions,
  work: (session: PreparedRun) => Promise<Result>,
): Promise<Result> {
  const stopping = new AbortController();
  let shutdown: NodeJS.Timeout | undefined;
  const stop = (signal: NodeJS.Signals) => {
    const sentence = 'The run was stopped before anything was published. Start the run again.';
    stopping.abort(new MusterError('stopped', sentence));
    shutdown = setTimeout(() => endProcess(signal), shutdownTimeLimit);
  };
  using platformLimit = startTimeLimit(
    platformTimeLimit,
    new MusterError('deadline', 'Reading the platforms took longer than two hours. Start the run again.'),
  );
  using storeLimit = startTimeLimit(
    longestStoreTime,
    new MusterError(
      'deadline',
      'The store did not answer in time. Check that it can be reached, and start the run again.',
    ),
  );
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    const started = await prepareRun({
      settingsFile,
      environment: process.env,
      signal: AbortSignal.any([stopping.signal, platformLimit.signal]),
      deadline: systemClock.elapsed() + platformTimeLimit,
      ...options,
    });
    return await work({ ...started, parts: limitStores(started.parts, storeLimit.signal) });
  } finally {
    clearTimeout(shutdown);
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

/** Ends the process as an unhandled signal would. Published data is whole at every moment. */
function endProcess(signal: NodeJS.Signals): void {
  const seconds = shutdownTimeLimit / 1000;
  const sentence = `The run did not end within ${seconds} s of ${signal}, so it was ended. Check the store, and start the run again.`;
  printFailure(new MusterError('stopped', sentence), process.stderr);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

/** Waits for Ctrl-C, or a service manager that stops the process. */
export function waitForSignal(): Promise<unknown> {
  return Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
}

/** Prints lines on standard output, and returns the exit code. */
export function printLines(lines: readonly string[], exit = 0): number {
  process.stdout.write(`${toTerminalText(lines.join('\n'))}\n`);
  return exit;
}

/** Prints one document for programs, as docs/json.md describes it, and nothing else on standard output. */
export function printJson(document: object, exit = 0): number {
  process.stdout.write(`${escapeUnsafeCharacters(JSON.stringify({ schema: 1, ...document }, undefined, 2))}\n`);
  return exit;
}
