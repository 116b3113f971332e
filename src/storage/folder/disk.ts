/**
 * All file system operations of the folder store, one function each, so that a test can count, pause or stop them.
 *
 * A missing file is a result here, not an error; every other error of the file system is thrown as Node throws it.
 */
import { createHash } from 'node:crypto';
import { constants, type Dirent, type Stats } from 'node:fs';
import { type FileHandle, link, lstat, mkdir, open, readdir, rename, rmdir, stat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { MusterError } from '../../base/errors.ts';
import type { Body, BodyDigest } from '../store.ts';

/** Kinds of directory entries; `other` is a pipe, a socket or a device. */
type DiskKind = 'file' | 'folder' | 'link' | 'other';

export interface DiskEntry {
  readonly name: string;
  readonly kind: DiskKind;
}

export interface DiskNode {
  readonly kind: DiskKind;
  readonly bytes: number;
  readonly writtenAt: Date;
}

export type Disk = typeof realDisk;

export const realDisk = {
  /** Creates a file with this body, synced when it returns. */
  async write(path: string, body: Body): Promise<BodyDigest> {
    await using handle = await open(path, 'wx');
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const piece of Buffer.isBuffer(body) ? [body] : body) {
      hash.update(piece);
      bytes += piece.length;
      await handle.writeFile(piece);
    }
    await handle.sync();
    return { bytes, sha256: hash.digest('hex') };
  },
  /** Undefined without such a file; reads at most one byte more than the maximum, which shows that it is too long. */
  async read(path: string, maximumBytes: number): Promise<Buffer | undefined> {
    await using handle = await openIfPresent(path);
    return handle && readBytes(handle, Math.min((await handle.stat()).size, maximumBytes + 1));
  },
  /** Streams a file piece by piece, within the same limit. */
  async stream(path: string, maximumBytes: number): Promise<AsyncIterable<Buffer> | undefined> {
    const handle = await openIfPresent(path);
    // `end` is the index of the last byte that is read, so that one more byte than the maximum is read.
    return handle?.createReadStream({ end: maximumBytes });
  },
  /** Describes this very path, without following a link; undefined when nothing is there. */
  async inspect(path: string): Promise<DiskNode | undefined> {
    const stats = await lstat(path).catch(ignoreCodes(absentCodes));
    return stats && { kind: readKind(stats), bytes: stats.size, writtenAt: stats.mtime };
  },
  /** Empty when there is no such folder. */
  async list(path: string): Promise<readonly DiskEntry[]> {
    const entries = await readdir(path, { withFileTypes: true }).catch(ignoreCodes(absentCodes));
    return (entries ?? []).map((entry) => ({ name: entry.name, kind: readKind(entry) }));
  },
  /** Creates a hard link, atomically; false when that name is taken. */
  async link(from: string, to: string): Promise<boolean> {
    return (await link(from, to).then(() => true, ignoreCodes(['EEXIST']))) ?? false;
  },
  rename: (from: string, to: string): Promise<void> => rename(from, to),
  /** False when there was no such file. */
  async unlink(path: string): Promise<boolean> {
    return (await unlink(path).then(() => true, ignoreCodes([...absentCodes, 'EISDIR']))) ?? false;
  },
  /** Makes a folder with its parents; returns the topmost one that did not exist. */
  makeFolder: makeFolderWithParents,
  /** False when it is not empty. */
  async removeFolder(path: string): Promise<boolean> {
    // Some systems report EEXIST for a folder that is not empty.
    return (await rmdir(path).then(() => true, ignoreCodes([...absentCodes, 'ENOTEMPTY', 'EEXIST']))) ?? false;
  },
  /** Syncs the names in a folder. */
  async syncFolder(path: string): Promise<void> {
    await using handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NONBLOCK);
    // A file system that cannot sync a folder reports EINVAL; nothing more can be done there.
    await handle.sync().catch(ignoreCodes(['EINVAL']));
  },
};

/** The system's code of an error (`ENOSPC`), or undefined for any other error. */
export function readSystemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('errno' in error)) {
    return undefined;
  }
  return typeof error.code === 'string' ? error.code : undefined;
}

const absentCodes = ['ENOENT', 'ENOTDIR'];
/** Codes of opening a link, or a socket, which cannot be opened. */
const foreignCodes = ['ELOOP', 'EMLINK', 'ENXIO', 'EOPNOTSUPP'];

export function readKind(entry: Dirent | Stats): DiskKind {
  return entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : entry.isSymbolicLink() ? 'link' : 'other';
}

function ignoreCodes(codes: readonly string[]): (error: unknown) => undefined {
  return (error) => {
    if (!codes.includes(readSystemCode(error) ?? '')) {
      throw error;
    }
  };
}

/**
 * Makes a folder with its parents. Node's own recursive mkdir loops forever, blocking a thread, where a folder exists
 * in which none can be made, as in /proc, or at a dangling link.
 */
async function makeFolderWithParents(path: string): Promise<string | undefined> {
  const isFolder = async () => (await stat(path)).isDirectory();
  try {
    await mkdir(path);
    return path;
  } catch (error) {
    const code = readSystemCode(error);
    const parent = dirname(path);
    if (code !== 'ENOENT' || parent === path) {
      if (code === 'EEXIST' && (await isFolder())) {
        return undefined;
      }
      throw error;
    }
    const topmost = await makeFolderWithParents(parent);
    // Another process may have made it in the meantime.
    const made = await mkdir(path).then(() => true, ignoreCodes(['EEXIST']));
    if (!made && !(await isFolder())) {
      throw error;
    }
    return topmost ?? path;
  }
}

/**
 * Opens a file, or returns undefined. A folder has no contents, so that it counts as absent, as in a bucket. Opening
 * neither follows a link nor waits for a pipe that replaced the file.
 */
async function openIfPresent(path: string): Promise<FileHandle | undefined> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = await open(path, flags).catch(ignoreCodes([...absentCodes, ...foreignCodes]));
  if (handle === undefined || (await handle.stat()).isFile()) {
    return handle;
  }
  await handle.close();
  return undefined;
}

async function readBytes(handle: FileHandle, bytes: number): Promise<Buffer> {
  const body = Buffer.alloc(bytes);
  for (let at = 0; at < bytes; ) {
    const { bytesRead } = await handle.read(body, at);
    if (bytesRead === 0) {
      return body.subarray(0, at);
    }
    at += bytesRead;
  }
  return body;
}

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

/** Turns a refusal of the file system during the work into `store-unreachable`; rethrows every other error. */
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
