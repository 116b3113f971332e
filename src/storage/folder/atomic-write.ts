/** Writes files atomically: to a temporary file, synced, then linked or renamed into place. */
import { randomUUID } from 'node:crypto';
import { dirname, join, relative } from 'node:path';
import { MusterError } from '../../base/errors.ts';
import { requireSafeKey } from '../safe-keys.ts';
import type { Body, BodyDigest } from '../store.ts';
import { type Disk, type DiskNode, readSystemCode } from './disk.ts';

export interface Folder {
  readonly path: string;
  readonly disk: Disk;
}

const temporaryFolderName = '.tmp';
const maximumTemporaryHours = 24;
/** Tries to use a new folder: another process that removes the last key in it also removes the folder. */
const maximumFolderTries = 10;

interface Location {
  readonly path: string;
  /** The file or folder that is there now; never a link. */
  readonly found: DiskNode | undefined;
}

/**
 * The location of a key. Throws where a part of its path below the folder is a symbolic link, which would lead outside
 * the store. The folder itself may be one.
 */
export async function locate(folder: Folder, key: string): Promise<Location> {
  return locatePath(folder, join(folder.path, requireSafeKey(key)));
}

async function locatePath(folder: Folder, path: string): Promise<Location> {
  let found: DiskNode | undefined;
  for (let part = path; part.length > folder.path.length; part = dirname(part)) {
    const node = await folder.disk.inspect(part);
    if (node?.kind === 'link') {
      throw createLinkError(folder, part);
    }
    if (part === path) {
      found = node;
    }
  }
  return { path, found };
}

export function createLinkError(folder: Folder, path: string): MusterError {
  return new MusterError(
    'store-unsuited',
    `${relative(folder.path, path)} in the folder ${folder.path} is a symbolic link, which Muster does not follow. Find out who made it, and put the folder or file itself in its place.`,
  );
}

/** The path for creating or replacing a key; throws `store-unsuited` where a folder, pipe or socket is there. */
export async function locateFilePlace(folder: Folder, key: string): Promise<string> {
  const { path, found } = await locate(folder, key);
  if (found === undefined || found.kind === 'file') {
    return path;
  }
  throw new MusterError(
    'store-unsuited',
    `${key} in the folder ${folder.path} is ${describeKind(found)}, where Muster writes a file. Find out who made it, and remove it.`,
  );
}

export function describeKind({ kind }: DiskNode): string {
  return kind === 'folder' ? 'a folder' : 'a pipe, a socket or a device';
}

/** Writes a temporary file, which `put` links or renames to the path. */
export async function writeAtomically(
  folder: Folder,
  path: string,
  body: Body,
  put: (temporary: string) => Promise<void>,
): Promise<BodyDigest> {
  const temporary = await prepareTemporaryPath(folder);
  try {
    const stored = await folder.disk.write(temporary, body);
    await retryInFolder(folder, dirname(path), () => put(temporary));
    await folder.disk.syncFolder(dirname(path));
    return stored;
  } finally {
    await folder.disk.unlink(temporary).catch(() => undefined);
  }
}

export async function prepareTemporaryPath(folder: Folder): Promise<string> {
  const { path } = await locateTemporaries(folder);
  await makeFolder(folder, path);
  return join(path, randomUUID());
}

function locateTemporaries(folder: Folder): Promise<Location> {
  return locatePath(folder, join(folder.path, temporaryFolderName));
}

async function retryInFolder(folder: Folder, parent: string, put: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await makeFolder(folder, parent);
      return await put();
    } catch (error) {
      if (readSystemCode(error) !== 'ENOENT' || tries === maximumFolderTries) {
        throw error;
      }
    }
  }
}

/** Makes a folder with its parents, and syncs each so that it survives a power failure. */
export async function makeFolder(folder: Folder, path: string): Promise<void> {
  const topmost = await folder.disk.makeFolder(path);
  if (topmost === undefined) {
    return;
  }
  for (let made = path; made.length >= topmost.length; made = dirname(made)) {
    const synced = folder.disk.syncFolder(dirname(made));
    // Folders above the store may belong to others, and Muster may not be able to read them.
    await (made.length > folder.path.length ? synced : synced.catch(() => undefined));
  }
}

/** Removes the files of killed writers; a running writer finishes long before this age. */
export async function removeOldTemporaries(folder: Folder, now: number): Promise<void> {
  const { path: parent } = await locateTemporaries(folder);
  for (const { name } of await folder.disk.list(parent)) {
    const path = join(parent, name);
    const found = await folder.disk.inspect(path);
    if (found && now - found.writtenAt.getTime() > maximumTemporaryHours * 3_600_000) {
      await folder.disk.unlink(path);
    }
  }
}

/** Removes empty parents; one in which another process has created a key stays. */
export async function removeEmptyParents(folder: Folder, path: string): Promise<void> {
  for (let parent = dirname(path); parent.length > folder.path.length; parent = dirname(parent)) {
    if (!(await folder.disk.removeFolder(parent).catch(() => false))) {
      return;
    }
  }
}
