/** How bytes get into a folder: written and synced beside, then put into place all at once. */
import { createHash, randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { MusterError } from '../../errors.ts';
import type { Body, BodyDigest } from '../store.ts';
import { type Disk, readSystemCode } from './disk.ts';

export interface Folder {
  readonly path: string;
  readonly disk: Disk;
}

const temporaryFolderName = '.tmp';
const maximumTemporaryHours = 24;
/** A folder just made can be gone again, when somebody removes the last key in it. */
const maximumFolderTries = 10;

/** Where a key lives. The keys are ours, so a key that leaves the folder is a mistake of ours. */
export function resolveKeyPath(folder: Folder, key: string): string {
  const sound = key.split('/').every((part) => part !== '' && !part.startsWith('.'));
  if (!sound || key.includes('\\') || key.includes('\0')) {
    throw new MusterError(
      'unexpected',
      `The key ${JSON.stringify(key)} cannot be kept in a folder. Please report this.`,
    );
  }
  return join(folder.path, key);
}

export function computeVersion(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex');
}

/** Undefined when there is something at this path already. */
export function createAtomically(folder: Folder, path: string, body: Body): Promise<BodyDigest | undefined> {
  return writeAtomically(folder, path, body, (temporary) => folder.disk.link(temporary, path));
}

export async function replaceAtomically(folder: Folder, path: string, body: Body): Promise<BodyDigest> {
  const stored = await writeAtomically(folder, path, body, async (temporary) => {
    await folder.disk.rename(temporary, path);
    return true;
  });
  if (stored === undefined) {
    throw new MusterError('unexpected', `A rename to ${path} did nothing.`);
  }
  return stored;
}

async function writeAtomically(
  folder: Folder,
  path: string,
  body: Body,
  put: (temporary: string) => Promise<boolean>,
): Promise<BodyDigest | undefined> {
  const temporary = await prepareTemporaryPath(folder);
  try {
    const stored = await folder.disk.write(temporary, body);
    if (!(await retryInFolder(folder, dirname(path), () => put(temporary)))) {
      return undefined;
    }
    await folder.disk.syncFolder(dirname(path));
    return stored;
  } finally {
    await folder.disk.unlink(temporary).catch(() => undefined);
  }
}

export async function prepareTemporaryPath(folder: Folder): Promise<string> {
  const path = join(folder.path, temporaryFolderName, randomUUID());
  await makeFolder(folder, dirname(path));
  return path;
}

async function retryInFolder(folder: Folder, parent: string, put: () => Promise<boolean>): Promise<boolean> {
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

/** With its parents, each safe on the medium under its name. */
export async function makeFolder(folder: Folder, path: string): Promise<void> {
  const topmost = await folder.disk.makeFolder(path);
  if (topmost === undefined) {
    return;
  }
  for (let made = path; made.length >= topmost.length; made = dirname(made)) {
    const synced = folder.disk.syncFolder(dirname(made));
    // What is above the store may be somebody else's, and unreadable to us.
    await (made.length > folder.path.length ? synced : synced.catch(() => undefined));
  }
}

/** What killed writers left behind; a living one is long done with its file. */
export async function removeOldTemporaries(folder: Folder, now: number): Promise<void> {
  const parent = join(folder.path, temporaryFolderName);
  for (const { name } of await folder.disk.list(parent)) {
    const path = join(parent, name);
    const writtenAt = await folder.disk.writtenAt(path);
    if (writtenAt && now - writtenAt.getTime() > maximumTemporaryHours * 3_600_000) {
      await folder.disk.unlink(path);
    }
  }
}

/** Parents that became empty; somebody else's new key in one of them keeps it. */
export async function removeEmptyParents(folder: Folder, path: string): Promise<void> {
  for (let parent = dirname(path); parent.length > folder.path.length; parent = dirname(parent)) {
    if (!(await folder.disk.removeFolder(parent).catch(() => false))) {
      return;
    }
  }
}
