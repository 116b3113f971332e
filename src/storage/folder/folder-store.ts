/** A store in a folder: any POSIX file system with hard links, local or shared. */
import { dirname, join, resolve } from 'node:path';
import { MusterError } from '../../base/errors.ts';
import { computeSha256OfPieces } from '../../base/sha256.ts';
import { compareCodePoints } from '../../core/text/order.ts';
import { requireSafePrefix } from '../safe-keys.ts';
import type { Store } from '../store.ts';
import {
  createLinkError,
  type Folder,
  makeFolder,
  prepareTemporaryPath,
  removeEmptyParents,
  removeOldTemporaries,
  resolveWithoutLinks,
  writeAtomically,
} from './atomic-write.ts';
import { type Disk, readSystemCode, realDisk, toUnreachableError, withFolderErrors } from './disk.ts';

export function createFolderStore(path: string, disk: Disk = realDisk): Store {
  const folder: Folder = { path: resolve(path), disk };
  const naming = <Result>(doing: string, key: string, work: (at: string) => Promise<Result>): Promise<Result> =>
    withFolderErrors(`${doing} ${key} in the folder ${path}`, async () => work(await resolveWithoutLinks(folder, key)));
  const namingEach = async function* <Item>(doing: string, key: string, items: AsyncIterable<Item>) {
    try {
      yield* items;
    } catch (error) {
      throw toUnreachableError(error, `${doing} ${key} in the folder ${path}`);
    }
  };

  const store: Store = {
    name: path,
    probe: () => probeFolder(folder, path),
    read: (key) => naming('Reading', key, disk.read),
    async *stream(key) {
      const body = await naming('Reading', key, disk.stream);
      if (body === undefined) {
        throw new MusterError('store-damaged', `${key} is missing in the folder ${path}. Run muster verify.`);
      }
      yield* namingEach('Reading', key, body);
    },
    digest: (key) =>
      naming('Reading', key, async (at) => {
        const body = await disk.stream(at);
        return body && computeSha256OfPieces(body);
      }),
    list: (prefix, after) => namingEach('Listing', prefix, listKeys(folder, requireSafePrefix(prefix), after)),
    create: (key, body) =>
      naming('Creating', key, (at) =>
        writeAtomically(folder, at, body, async (temporary) => {
          if (!(await disk.link(temporary, at))) {
            throw new MusterError(
              'key-taken',
              `${key} already exists in the folder ${path}; Muster never writes it twice.`,
            );
          }
        }),
      ),
    put: (key, body) =>
      naming('Writing', key, (at) => writeAtomically(folder, at, body, (temporary) => disk.rename(temporary, at))),
    // Not a hard link: damage to one file would damage both.
    async copy(from, to) {
      await store.put(to, store.stream(from));
    },
    remove: (key) =>
      naming('Removing', key, async (at) => {
        if (await disk.unlink(at)) {
          await disk.syncFolder(dirname(at)).catch(() => undefined);
        }
        await removeEmptyParents(folder, at);
      }),
  };
  return store;
}

async function* listKeys(folder: Folder, prefix: string, after = ''): AsyncGenerator<string> {
  const start = prefix === '' ? folder.path : await resolveWithoutLinks(folder, prefix.slice(0, -1));
  if (prefix !== '') {
    // What is built on a name must not outlive it: a writer that was killed may not have synced it.
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

const noHardLinkCodes = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV', 'EINVAL'];

/** Tests, before anything is stored, whether a folder provides what the store needs: hard links and atomic renames. */
async function probeFolder(folder: Folder, name: string): Promise<void> {
  await withFolderErrors(`Preparing the folder ${name}`, async () => {
    await makeFolder(folder, folder.path);
    // What cannot be cleared up is tried again next time.
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
    const contents = await disk.read(target);
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
