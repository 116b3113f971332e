/** Reads files that no commit names, so that anybody may have put them there: damaged ones are skipped and reported. */
import { type ErrorCode, MusterError } from '../base/errors.ts';

/** Receives the error about a skipped file. */
export type ReportIgnored = (ignored: MusterError) => void;

const ignoredCodes: readonly ErrorCode[] = ['store-damaged', 'store-newer', 'store-older'];

/** Undefined where the file is damaged or of another version, which `ignore` receives. */
export async function readUnnamedFile<Result>(
  read: () => Promise<Result>,
  ignore: (code: ErrorCode, why: string) => void,
): Promise<Result | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof MusterError) || !ignoredCodes.includes(error.code)) {
      throw error;
    }
    ignore(error.code, error.message);
    return undefined;
  }
}

export const unnamedFileAdvice = 'Where no Muster wrote it, find out who did, and remove it.';

/** Warns on the process, where people see it beside the run's own lines. */
export function warnOfIgnored({ code, message }: MusterError): void {
  process.emitWarning(message, { type: 'MusterWarning', code });
}
