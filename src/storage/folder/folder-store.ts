/** A store in a folder: any POSIX file system with hard links, local or shared. */
import { createHash } from 'node:crypto';
import { dirname, join, resolve } from 'node:path';
import { compareCodePoints } from '../../core/order.ts';
import { MusterError } from '../../errors.ts';
import type { Store } from '../store.ts';
import {
  createAtomically,
  type Folder,
  removeEmptyParents,
  replaceAtomically,
  resolveKeyPath,
} from './atomic-write.ts';
import { type Disk, realDisk } from './disk.ts';
import { withFolderErrors } from './folder-errors.ts';
import { probeFolder } from './probe-folder.ts';
import { hasClaims, readSettled, removeClaims, swapContents } from './swap.ts';

export function createFolderStore(path: string, disk: Disk = realDisk): Store {
  const folder: Folder = { path: resolve(path), disk };
  const naming = <Result>(doing: string, key: string, work: () => Promise<Result>): Promise<Result> =>
    withFolderErrors(`${doing} ${key} in the folder ${path}`, work);

  const store: Store = {
    name: path,
    probe: () => probeFolder(folder, path),
    read: (key) => naming('Reading', key, () => readSettled(folder, key)),
    async *stream(key) {
      const body = await naming('Reading', key, () => openBody(folder, key));
      if (body === undefined) {
        throw new MusterError('store-damaged', `${key} is missing in the folder ${path}. Run muster verify.`);
      }
      const pieces = body[Symbol.asyncIterator]();
      try {
        for (;;) {
          const { value, done } = await naming('Reading', key, () => pieces.next());
          if (done) {
            return;
          }
          yield value;
        }
      } finally {
        await pieces.return?.();
      }
    },
    digest: (key) =>
      naming('Reading', key, async () => {
        const body = await openBody(folder, key);
        if (body === undefined) {
          return undefined;
        }
        const hash = createHash('sha256');
        for await (const piece of body) {
          hash.update(piece);
        }
        return hash.digest('hex');
      }),
    async *list(prefix) {
      const start = prefix === '' ? folder.path : resolveKeyPath(folder, removeTrailingSlash(prefix));
      for await (const key of keysBelow(start, prefix)) {
        yield key;
      }
    },
    create: (key, body) =>
      naming('Creating', key, async () => {
        const stored = await createAtomically(folder, resolveKeyPath(folder, key), body);
        if (stored) {
          return stored;
        }
        throw new MusterError(
          'key-taken',
          `${key} already exists in the folder ${path}; Muster never writes it twice.`,
        );
      }),
    put: (key, body) => naming('Writing', key, () => replaceAtomically(folder, resolveKeyPath(folder, key), body)),
    // Not a hard link: damage to one file would damage both.
    async copy(from, to) {
      await store.put(to, store.stream(from));
    },
    swap: (key, body, expected) => naming('Swapping', key, () => swapContents(folder, key, body, expected)),
    remove: (key) =>
      naming('Removing', key, async () => {
        const removed = resolveKeyPath(folder, key);
        if (await disk.unlink(removed)) {
          await disk.syncFolder(dirname(removed)).catch(() => undefined);
        }
        await removeEmptyParents(folder, removed);
        await removeClaims(folder, key);
      }),
  };

  async function* keysBelow(start: string, prefix: string): AsyncIterable<string> {
    const entries = await naming('Listing', prefix, () => disk.list(start));
    const names = entries
      .filter(({ name, kind }) => !name.startsWith('.') && kind !== 'other')
      .map(({ name, kind }) => (kind === 'folder' ? `${name}/` : name));
    for (const name of names.sort(compareCodePoints)) {
      if (name.endsWith('/')) {
        yield* keysBelow(join(start, name), `${prefix}${name}`);
      } else {
        yield `${prefix}${name}`;
      }
    }
  }

  return store;
}

async function openBody(folder: Folder, key: string): Promise<AsyncIterable<Buffer> | undefined> {
  if (!(await hasClaims(folder, key))) {
    return folder.disk.stream(resolveKeyPath(folder, key));
  }
  const stored = await readSettled(folder, key);
  return stored && toSinglePiece(stored.body);
}

async function* toSinglePiece(body: Buffer): AsyncIterable<Buffer> {
  yield body;
}

function removeTrailingSlash(prefix: string): string {
  if (prefix.endsWith('/')) {
    return prefix.slice(0, -1);
  }
  throw new MusterError(
    'unexpected',
    `The prefix ${JSON.stringify(prefix)} does not end in a slash. Please report this.`,
  );
}
