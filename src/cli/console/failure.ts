/** Prints an error as a message on the terminal, and chooses the exit code. */
import { type ErrorCode, MusterError } from '../../base/errors.ts';
import { defectSentence } from '../../base/version.ts';
import { toTerminalText } from './terminal-text.ts';

/** Codes of wrong settings or a wrong command line: nothing was attempted. */
const inputErrorCodes: ReadonlySet<ErrorCode> = new Set([
  'settings-unreadable',
  'settings-invalid',
  'settings-changed',
  'command-line',
  'public-keys-missing',
  'public-keys-unreadable',
  'slot-refused',
  'not-suspect',
  'retract-refused',
  'night-unknown',
]);

/** Converts an error of the command line parser. Without a command, the parser has printed the help and has no message. */
export function commandLineError({ code, message }: { readonly code: string; readonly message: string }): MusterError {
  const problem =
    code === 'commander.help'
      ? 'no command is given'
      : message.replace(/^error: /, '').replace(/\s*\n\((.+)\)$/, '. $1');
  const sentence = problem.charAt(0).toUpperCase() + problem.slice(1);
  return new MusterError('command-line', `${sentence}${/[.?]$/.test(sentence) ? '' : '.'} See muster --help.`);
}

export function toExitCode(error: unknown): 1 | 2 {
  return error instanceof MusterError && inputErrorCodes.has(error.code) ? 2 : 1;
}

/**
 * Ends the process if work hangs in the operating system, as on a network folder, after the deadline. Node.js waits for
 * such work even at its exit, so that only a signal ends the process; a shell shows 143.
 */
export function endAfterDeadline(error: unknown): void {
  if (error instanceof MusterError && error.code === 'deadline') {
    setTimeout(() => {
      process.removeAllListeners('SIGTERM');
      process.kill(process.pid, 'SIGTERM');
    }, 1_000).unref();
  }
}

/** Prints a known error as a sentence and a code, an unknown one with its stack, for developers. */
export function printFailure(error: unknown, out: { write(text: string): unknown }): 1 | 2 {
  const said = 'an unexpected error.';
  const { code, message, cause } =
    error instanceof MusterError ? error : { code: 'unexpected', message: said, cause: error };
  out.write(`${toTerminalText(`muster [${code}]: ${message}`)}\n`);
  if (code === 'unexpected') {
    const stack = cause instanceof Error ? `${cause.stack}\n` : '';
    out.write(`${stack}${defectSentence}\n`);
  }
  return toExitCode(error);
}
