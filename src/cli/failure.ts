/** From an error to words on the terminal and an exit code. */
import { type ErrorCode, MusterError } from '../errors.ts';

/** Settings or command line wrong: nothing was tried. */
const inputErrorCodes: ReadonlySet<ErrorCode> = new Set([
  'settings-unreadable',
  'settings-invalid',
  'command-line',
  'slot-refused',
  'not-suspect',
  'night-unknown',
]);

/** From what the parser of the command line throws. Without a command it has written the help, and throws no sentence. */
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

/** Known errors are a sentence and a code; an unknown one keeps its stack, for whoever has to mend it. */
export function printFailure(error: unknown, out: { write(text: string): unknown }): 1 | 2 {
  if (error instanceof MusterError) {
    out.write(`muster [${error.code}]: ${error.message}\n`);
  } else {
    out.write('muster [unexpected]: an error that nobody expected. Please report it.\n');
  }
  const unexpected = error instanceof MusterError ? error.code === 'unexpected' && error.cause : error;
  if (unexpected instanceof Error) {
    out.write(`${unexpected.stack}\n`);
  }
  return toExitCode(error);
}
