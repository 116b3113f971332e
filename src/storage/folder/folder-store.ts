/** A store in a folder: any POSIX file system with hard links, local or shared. */
import { createHash } from 'node:crypto';
import { dirname, join, resolve } from 'node:path';
import { MusterError } from '../../base/errors.ts';
import { compareCodePoints } from '../../core/text/order.ts';
import type { Store } from '../store.ts';
import {
  createAtomically,
  createLinkError,
  type Folder,
  removeEmptyParents,
  replaceAtomically,
  resolveWithoutLinks,
} from './atomic-write.ts';
import { type Disk, realDisk } from './disk.ts';
import { withFolderErrors } from './folder-errors.ts';
import { probeFolder } from './probe-folder.ts';

export function createFolderStore(path: string, disk: Disk = realDisk): Store {
  const folder: Folder = { path: resolve(path), disk };
  const naming = <Result>(doing: string, key: string, work: () => Promise<Result>): Promise<Result> =>
    withFolderErrors(`${doing} ${key} in the folder ${path}`, work);

  const store: Store = {
    name: path,
    probe: () => probeFolder(folder, path),
    read: (key) => naming('Reading', key, async () => disk.read(await resolveWithoutLinks(folder, key))),
    async *stream(key) {
      const body = await naming('Reading', key, () => openBody(key));
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
        const body = await openBody(key);
        if (body === undefined) {
          return undefined;
        }
        const hash = createHash('sha256');
        for await (const piece of body) {
          hash.update(piece);
        }
        return hash.digest('hex');
      }),
    async *list(prefix, after = '') {
      const name = removeTrailingSlash(prefix);
      const start = await naming('Listing', prefix, async () =>
        prefix === '' ? folder.path : resolveWithoutLinks(folder, name),
      );
      // What is built on a name must not outlive it: a writer that was killed may not have synced it.
      await (prefix === '' ? undefined : disk.syncFolder(start).catch(() => undefined));
      const keys = listBelow(folder, start, prefix)[Symbol.asyncIterator]();
      for (;;) {
        const { value: key, done } = await naming('Listing', prefix, () => keys.next());
        if (done) {
          return;
        }
        if (compareCodePoints(key, after) > 0) {
          yield key;
        }
      }
    },
    create: (key, body) =>
      naming('Creating', key, async () => {
        const stored = await createAtomically(folder, await resolveWithoutLinks(folder, key), body);
        if (stored) {
          return stored;
        }
        throw new MusterError(
          'key-taken',
          `${key} already exists in the folder ${path}; Muster never writes it twice.`,
        );
      }),
    put: (key, body) =>
      naming('Writing', key, async () => replaceAtomically(folder, await resolveWithoutLinks(folder, key), body)),
    // Not a hard link: damage to one file would damage both.
    async copy(from, to) {
      await store.put(to, store.stream(from));
    },
    remove: (key) =>
      naming('Removing', key, async () => {
        const removed = await resolveWithoutLinks(folder, key);
        if (await disk.unlink(removed)) {
          await disk.syncFolder(dirname(removed)).catch(() => undefined);
        }
        await removeEmptyParents(folder, removed);
      }),
  };

  const openBody = async (key: string) => disk.stream(await resolveWithoutLinks(folder, key));

  return store;
}

async function* listBelow(folder: Folder, start: string, prefix: string): AsyncIterable<string> {
  const entries = await folder.disk.list(start);
  const shown = entries.filter(({ name, kind }) => !name.startsWith('.') && kind !== 'other');
  const link = shown.find(({ kind }) => kind === 'link');
  if (link !== undefined) {
    throw createLinkError(folder, join(start, link.name));
  }
  const names = shown.map(({ name, kind }) => (kind === 'folder' ? `${name}/` : name));
  for (const name of names.sort(compareCodePoints)) {
    if (name.endsWith('/')) {
      yield* listBelow(folder, join(start, name), `${prefix}${name}`);
    } else {
      yield `${prefix}${name}`;
    }
  }
}

function removeTrailingSlash(prefix: string): string {
  if (prefix === '' || prefix.endsWith('/')) {
    return prefix.slice(0, -1);
  }
  throw new MusterError(
    'unexpected',
    `The prefix ${JSON.stringify(prefix)} does not end in a slash. Please report this.`,
  );
}
