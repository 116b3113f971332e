/** Turns an error of the file system into one that says what Muster did, on what, and what to do. */
import { MusterError } from '../../base/errors.ts';
import { readSystemCode } from './disk.ts';

const folderAdvice: Readonly<Record<string, string>> = {
  EACCES: 'Let the account that runs Muster read and write there.',
  EPERM: 'Let the account that runs Muster read and write there.',
  EROFS: 'The file system is read-only; mount it for writing or name another folder.',
  ENOSPC: 'The disk is full; free some space.',
  EDQUOT: 'The quota is used up; free some space.',
  EMFILE: 'Too many files are open; raise the limit of open files.',
  ENFILE: 'Too many files are open on this machine; raise the limit of open files.',
  ENOENT: 'Check that its parent is there and mounted, and that a folder can be made in it.',
  ENOTDIR: 'There is a file where a folder should be; name another folder.',
  EEXIST: 'There is a file where a folder should be; name another folder.',
  EISDIR: 'There is a folder where a file should be; name another folder.',
  ENAMETOOLONG: 'The path is too long; name a folder with a shorter path.',
  EIO: 'Check the disk.',
  ESTALE: 'The share was remounted; run Muster again.',
  ETIMEDOUT: 'The share does not answer; check it and run Muster again.',
  EBUSY: 'Run Muster again.',
};

/** Runs the work; a refusal of the file system becomes `store-unreachable`, every other error stays what it is. */
export async function withFolderErrors<Result>(doing: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw toUnreachableError(error, doing);
  }
}

export function toUnreachableError(error: unknown, doing: string): unknown {
  const code = readSystemCode(error);
  const help = code && folderAdvice[code];
  return help ? new MusterError('store-unreachable', `${doing} failed (${code}). ${help}`, { cause: error }) : error;
}
