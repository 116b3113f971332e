/** How a command begins and ends: settings, parts, a deadline and a graceful shutdown; what it prints, and its exit code. */
import { once } from 'node:events';
import { MusterError } from '../../base/errors.ts';
import { escapeUnsafeCharacters } from '../../base/log.ts';
import { startTimeLimit } from '../../base/time-limit.ts';
import { type PreparedRun, type PrepareRunOptions, prepareRun } from '../../compose/start.ts';
import { systemClock } from '../../http/clock.ts';
import { limitStores } from '../../storage/with-deadline.ts';
import { printFailure } from './failure.ts';
import { toTerminalText } from './terminal-text.ts';

/** What the command line gives to every command that reads settings. */
export interface CommandOptions {
  readonly settings?: string;
}

/** Commands that also speak to programs. */
export interface JsonOptions extends CommandOptions {
  readonly json?: boolean;
}

/** Longest time to read the platforms on one machine; on Lambda the time left of the invocation is the limit. */
export const platformTimeLimit = 2 * 60 * 60 * 1000;
/** After the platforms: time to judge and to publish. A store that hangs, as a network folder can, ends with it. */
const storeTimeLimit = platformTimeLimit + 60 * 60 * 1000;
/** Milliseconds from a signal to the end, whatever the run is doing: a store that hangs must not keep it for ever. */
const shutdownTimeLimit = 25_000;

interface SessionOptions extends Omit<PrepareRunOptions, 'settingsFile' | 'environment' | 'signal' | 'deadline'> {
  /** Milliseconds, instead of three hours. */
  readonly storeTimeLimit?: number;
}

/** Its timers and its handlers of signals end with the work. */
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

/** As if nobody had listened to the signal. What is published is whole at every moment. */
function endProcess(signal: NodeJS.Signals): void {
  const seconds = shutdownTimeLimit / 1000;
  const sentence = `The run did not end within ${seconds} s of ${signal}, so it was ended. Check the store, and start the run again.`;
  printFailure(new MusterError('stopped', sentence), process.stderr);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

/** Ctrl-C, or a service manager that stops the process. */
export function waitForSignal(): Promise<unknown> {
  return Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
}

/** What a command says on standard output; it passes its exit code on. */
export function printLines(lines: readonly string[], exit = 0): number {
  process.stdout.write(`${toTerminalText(lines.join('\n'))}\n`);
  return exit;
}

/** One document for programs, whose shape docs/json.md describes; nothing else is on standard output. */
export function printJson(document: object, exit = 0): number {
  process.stdout.write(`${escapeUnsafeCharacters(JSON.stringify({ schema: 1, ...document }, undefined, 2))}\n`);
  return exit;
}
