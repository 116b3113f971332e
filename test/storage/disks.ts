/** Disks for tests: one in memory that can lose its power, and ways to kill, pause or refuse at any effect. */
import { createHash } from 'node:crypto';
import { basename, dirname } from 'node:path';
import type { Disk } from '../../src/storage/folder/disk.ts';
import type { Body } from '../../src/storage/store.ts';

export type Effect = keyof Disk;
/** Runs around one effect; `half` is there for a write, and writes only the first half of its body. */
type Around = <Result>(effect: Effect, run: () => Promise<Result>, half?: () => Promise<unknown>) => Promise<Result>;

export function around(disk: Disk, each: Around): Disk {
  return {
    write: (path, body) =>
      each(
        'write',
        () => disk.write(path, body),
        async () => disk.write(path, await firstHalf(body)),
      ),
    read: (path, maximumBytes) => each('read', () => disk.read(path, maximumBytes)),
    stream: (path, maximumBytes) => each('stream', () => disk.stream(path, maximumBytes)),
    // It changes nothing, and is asked before every other effect.
    inspect: (path) => disk.inspect(path),
    list: (path) => each('list', () => disk.list(path)),
    link: (from, to) => each('link', () => disk.link(from, to)),
    rename: (from, to) => each('rename', () => disk.rename(from, to)),
    unlink: (path) => each('unlink', () => disk.unlink(path)),
    makeFolder: (path) => each('makeFolder', () => disk.makeFolder(path)),
    removeFolder: (path) => each('removeFolder', () => disk.removeFolder(path)),
    syncFolder: (path) => each('syncFolder', () => disk.syncFolder(path)),
  };
}

export type Kill = 'before' | 'half' | 'after';

/** Dies at the effect with this number, counted from 1; a dead process has no further effects. */
export function killing(disk: Disk, at: number, kill: Kill): { disk: Disk; died(): boolean } {
  let count = 0;
  let dead = false;
  const killed = around(disk, async (effect, run, half) => {
    count += 1;
    if (dead) {
      throw new Error('already killed');
    }
    if (count !== at) {
      return run();
    }
    dead = true;
    if (kill === 'half') {
      await half?.();
    }
    // A dead process holds no open file, but a test would.
    if (kill === 'after' && effect !== 'stream') {
      await run();
    }
    throw new Error('killed');
  });
  return { disk: killed, died: () => dead };
}

/** An error as the system throws it. */
export function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: refused`), { code, errno: -1, syscall: 'test' });
}

type Node = FileNode | FolderNode;
interface FileNode {
  readonly kind: 'file';
  readonly body: Buffer;
  readonly writtenAt: Date;
}
interface FolderNode {
  readonly kind: 'folder';
  names: Map<string, Node>;
  /** The names that a power cut leaves. */
  safe: Map<string, Node>;
}

interface MemoryDisk extends Disk {
  /** Every name that was not synced is lost, or kept where `keeps` says so. */
  powerCut(keeps: () => boolean): void;
  /** Another disk with the same files. */
  clone(): MemoryDisk;
}

export function memoryDisk(root = newFolder()): MemoryDisk {
  const find = (path: string): Node | undefined =>
    path
      .split('/')
      .filter(Boolean)
      .reduce<Node | undefined>((node, name) => (node?.kind === 'folder' ? node.names.get(name) : undefined), root);
  const folderAt = (path: string): FolderNode => {
    const node = find(path);
    if (node?.kind !== 'folder') {
      throw systemError('ENOENT');
    }
    return node;
  };
  const fileAt = (path: string): FileNode | undefined => {
    const node = find(path);
    return node?.kind === 'file' ? node : undefined;
  };
  const namesAround = (path: string) => folderAt(dirname(path)).names;

  return {
    async write(path, body) {
      const whole = await wholeOf(body);
      namesAround(path).set(basename(path), { kind: 'file', body: whole, writtenAt: new Date() });
      return { bytes: whole.length, sha256: createHash('sha256').update(whole).digest('hex') };
    },
    read: async (path) => fileAt(path)?.body,
    async stream(path) {
      const file = fileAt(path);
      return file && inOnePiece(file.body);
    },
    async inspect(path) {
      const node = find(path);
      return node?.kind === 'file'
        ? { kind: 'file', bytes: node.body.length, writtenAt: node.writtenAt }
        : node && { kind: 'folder', bytes: 0, writtenAt: new Date() };
    },
    async list(path) {
      const node = find(path);
      return node?.kind === 'folder' ? [...node.names].map(([name, { kind }]) => ({ name, kind })) : [];
    },
    async link(from, to) {
      const file = fileAt(from);
      if (!file) {
        throw systemError('ENOENT');
      }
      const names = namesAround(to);
      if (names.has(basename(to))) {
        return false;
      }
      names.set(basename(to), file);
      return true;
    },
    async rename(from, to) {
      const file = fileAt(from);
      if (!file) {
        throw systemError('ENOENT');
      }
      namesAround(to).set(basename(to), file);
      namesAround(from).delete(basename(from));
    },
    unlink: async (path) => fileAt(path) !== undefined && namesAround(path).delete(basename(path)),
    async makeFolder(path) {
      let topmost: string | undefined;
      let at = '';
      for (const name of path.split('/').filter(Boolean)) {
        const { names } = folderAt(at);
        at = `${at}/${name}`;
        if (!names.has(name)) {
          topmost ??= at;
        }
        names.set(name, names.get(name) ?? newFolder());
      }
      return topmost;
    },
    async removeFolder(path) {
      const node = find(path);
      return node?.kind === 'folder' && node.names.size === 0 && namesAround(path).delete(basename(path));
    },
    async syncFolder(path) {
      const folder = folderAt(path);
      folder.safe = new Map(folder.names);
    },
    powerCut: (keeps) => cut(root, keeps),
    clone: () => memoryDisk(cloneFolder(root)),
  };
}

/** Files are replaced and never rewritten, so both may have them. */
function cloneFolder({ names, safe }: FolderNode): FolderNode {
  const cloneNames = (from: ReadonlyMap<string, Node>) =>
    new Map([...from].map(([name, node]) => [name, node.kind === 'folder' ? cloneFolder(node) : node]));
  return { kind: 'folder', names: cloneNames(names), safe: cloneNames(safe) };
}

function cut(folder: FolderNode, keeps: () => boolean): void {
  const left = new Map<string, Node>();
  for (const name of new Set([...folder.names.keys(), ...folder.safe.keys()])) {
    const node = (keeps() ? folder.names : folder.safe).get(name);
    if (node) {
      left.set(name, node);
    }
    if (node?.kind === 'folder') {
      cut(node, keeps);
    }
  }
  folder.names = left;
  folder.safe = new Map(left);
}

function newFolder(): FolderNode {
  return { kind: 'folder', names: new Map(), safe: new Map() };
}

async function firstHalf(body: Body): Promise<Buffer> {
  const whole = await wholeOf(body);
  return whole.subarray(0, whole.length / 2);
}

export async function wholeOf(body: Body): Promise<Buffer> {
  return Buffer.isBuffer(body) ? body : Buffer.concat(await Array.fromAsync(body));
}

export async function* inOnePiece(body: Buffer): AsyncIterable<Buffer> {
  yield body;
}
