/** A store in a folder: any POSIX file system with hard links, local or shared. */
import { dirname, join, resolve } from 'node:path';
import { MusterError } from '../../base/errors.ts';
import { compareCodePoints } from '../../core/text/order.ts';
import { requireSafePrefix } from '../safe-keys.ts';
import type { Body, Store } from '../store.ts';
import {
  createLinkError,
  type Folder,
  locate,
  locateFilePlace,
  makeFolder,
  prepareTemporaryPath,
  removeEmptyParents,
  removeOldTemporaries,
  writeAtomically,
} from './atomic-write.ts';
import { type Disk, readSystemCode, realDisk, toUnreachableError, withFolderErrors } from './disk.ts';
import { digestFile, openFile, readFile } from './read-file.ts';

export function createFolderStore(path: string, disk: Disk = realDisk): Store {
  const folder: Folder = { path: resolve(path), disk };
  const naming = <Result>(doing: string, key: string, work: () => Promise<Result>): Promise<Result> =>
    withFolderErrors(`${doing} ${key} in the folder ${path}`, work);
  const namingEach = async function* <Item>(doing: string, key: string, items: AsyncIterable<Item>) {
    try {
      yield* items;
    } catch (error) {
      throw toUnreachableError(error, `${doing} ${key} in the folder ${path}`);
    }
  };
  const write = (doing: string, key: string, body: Body, put: (temporary: string, at: string) => Promise<void>) =>
    naming(doing, key, async () => {
      const at = await locateFilePlace(folder, key);
      return writeAtomically(folder, at, body, (temporary) => put(temporary, at));
    });

  const store: Store = {
    name: path,
    probe: () => probeFolder(folder, path),
    read: (key, maximumBytes) => naming('Reading', key, () => readFile(folder, key, maximumBytes)),
    async *stream(key, bytes) {
      yield* namingEach('Reading', key, await naming('Reading', key, () => openFile(folder, key, bytes)));
    },
    digest: (key, bytes) => naming('Reading', key, () => digestFile(folder, key, bytes)),
    list: (prefix, after) => namingEach('Listing', prefix, listKeys(folder, requireSafePrefix(prefix), after)),
    create: (key, body) =>
      write('Creating', key, body, async (temporary, at) => {
        if (!(await disk.link(temporary, at))) {
          throw new MusterError(
            'key-taken',
            `${key} already exists in the folder ${path}; Muster never writes it twice.`,
          );
        }
      }),
    put: (key, body) => write('Writing', key, body, (temporary, at) => disk.rename(temporary, at)),
    // Copies bytes rather than linking: damage to one file would damage both.
    async copy(from, to) {
      await store.put(to, store.stream(from));
    },
    remove: (key) =>
      naming('Removing', key, async () => {
        const { path: at } = await locate(folder, key);
        if (await disk.unlink(at)) {
          await disk.syncFolder(dirname(at)).catch(() => undefined);
        }
        await removeEmptyParents(folder, at);
      }),
  };
  return store;
}

async function* listKeys(folder: Folder, prefix: string, after = ''): AsyncGenerator<string> {
  const start = prefix === '' ? folder.path : (await locate(folder, prefix.slice(0, -1))).path;
  if (prefix !== '') {
    // Syncs names that a killed writer may have left unsynced, since other writes will depend on them.
    await folder.disk.syncFolder(start).catch(() => undefined);
  }
  for await (const key of listBelow(folder, start, prefix)) {
    if (compareCodePoints(key, after) > 0) {
      yield key;
    }
  }
}

async function* listBelow(folder: Folder, start: string, prefix: string): AsyncGenerator<string> {
  const entries = await folder.disk.list(start);
  // Pipes and sockets are listed; reading one reports it.
  const shown = entries.filter(({ name }) => !name.startsWith('.'));
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

const noHardLinkCodes = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV', 'EINVAL'];

/** Tests, before anything is stored, whether a folder provides what the store needs: hard links and atomic renames. */
async function probeFolder(folder: Folder, name: string): Promise<void> {
  await withFolderErrors(`Preparing the folder ${name}`, async () => {
    await makeFolder(folder, folder.path);
    // Left-over files that cannot be removed are tried again next time.
    await removeOldTemporaries(folder, Date.now()).catch(() => undefined);
    const failing = await findFailure(folder);
    if (failing !== undefined) {
      throw new MusterError(
        'store-unsuited',
        `The folder ${name} cannot store runs safely: ${failing}. Name a folder on a local disk or an NFS share.`,
      );
    }
  });
}

async function findFailure(folder: Folder): Promise<string | undefined> {
  const { disk } = folder;
  const preparePath = () => prepareTemporaryPath(folder);
  const [first, second, target] = [await preparePath(), await preparePath(), await preparePath()];
  try {
    await disk.write(first, Buffer.from('first'));
    await disk.write(second, Buffer.from('second'));
    const linked = await findLinkFailure(disk, first, second, target);
    if (linked !== undefined) {
      return linked;
    }
    await disk.rename(second, target);
    const contents = await disk.read(target, 'second'.length);
    return contents?.toString() === 'second' ? undefined : 'a rename did not replace the file';
  } finally {
    for (const path of [first, second, target]) {
      await disk.unlink(path).catch(() => undefined);
    }
  }
}

async function findLinkFailure(disk: Disk, first: string, second: string, target: string): Promise<string | undefined> {
  try {
    if (!(await disk.link(first, target))) {
      return 'it reports a new name as taken';
    }
    return (await disk.link(second, target)) ? 'a name could be created twice' : undefined;
  } catch (error) {
    const code = readSystemCode(error) ?? '';
    if (!noHardLinkCodes.includes(code)) {
      throw error;
    }
    return `its file system has no hard links (${code})`;
  }
}
