/**
 * Real files by synchronous calls, none of them synced: a fraction of the processor time of the disk that runs have.
 * What that one does, and what survives a power cut, is shown by the tests of the folder store.
 */
import { createHash } from 'node:crypto';
import {
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { type Disk, readKind, readSystemCode } from '../../src/storage/folder/disk.ts';
import { inOnePiece, wholeOf } from './disks.ts';

const absent = ['ENOENT', 'ENOTDIR'];

export const quickDisk: Disk = {
  async write(path, body) {
    const whole = await wholeOf(body);
    writeFileSync(path, whole, { flag: 'wx' });
    return { bytes: whole.length, sha256: createHash('sha256').update(whole).digest('hex') };
  },
  read: async (path) => unless(absent, () => readFileSync(path)),
  async stream(path) {
    const body = unless(absent, () => readFileSync(path));
    return body && inOnePiece(body);
  },
  async inspect(path) {
    const stats = unless(absent, () => lstatSync(path));
    return stats && { kind: readKind(stats), bytes: stats.size, writtenAt: stats.mtime };
  },
  async list(path) {
    const entries = unless(absent, () => readdirSync(path, { withFileTypes: true })) ?? [];
    return entries.map((entry) => ({ name: entry.name, kind: readKind(entry) }));
  },
  link: async (from, to) => unless(['EEXIST'], () => linkSync(from, to) ?? true) ?? false,
  async rename(from, to) {
    // Some file systems write a file out before it takes the place of another.
    rmSync(to, { force: true });
    renameSync(from, to);
  },
  unlink: async (path) => unless([...absent, 'EISDIR'], () => unlinkSync(path) ?? true) ?? false,
  makeFolder: async (path) => mkdirSync(path, { recursive: true }),
  removeFolder: async (path) => unless([...absent, 'ENOTEMPTY'], () => rmdirSync(path) ?? true) ?? false,
  syncFolder: async () => undefined,
};

/** Undefined where the system refuses with one of these codes. */
function unless<Result>(codes: readonly string[], call: () => Result): Result | undefined {
  try {
    return call();
  } catch (error) {
    if (!codes.includes(readSystemCode(error) ?? '')) {
      throw error;
    }
    return undefined;
  }
}
