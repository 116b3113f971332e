/** Tests, before anything is stored, whether a folder provides what the store needs: hard links and atomic renames. */
import { MusterError } from '../../base/errors.ts';
import { type Folder, makeFolder, prepareTemporaryPath, removeOldTemporaries } from './atomic-write.ts';
import { readSystemCode } from './disk.ts';
import { ignoreRefusals, toUnreachableError, withFolderErrors } from './folder-errors.ts';

/** Errors of a file system without hard links. */
const noHardLinkCodes = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV', 'EINVAL'];

export async function probeFolder(folder: Folder, name: string): Promise<void> {
  await withFolderErrors(`Preparing the folder ${name}`, async () => {
    await makeFolder(folder, folder.path);
    await ignoreRefusals(removeOldTemporaries(folder, Date.now()));
    await testFolderGuarantees(folder, name);
  });
}

async function testFolderGuarantees(folder: Folder, name: string): Promise<void> {
  const [first, second, target] = [
    await prepareTemporaryPath(folder),
    await prepareTemporaryPath(folder),
    await prepareTemporaryPath(folder),
  ];
  try {
    await folder.disk.write(first, Buffer.from('first'));
    await folder.disk.write(second, Buffer.from('second'));
    if (!(await linkOrRefuse(folder, name, first, target))) {
      throw createUnsuitedFolderError(name, 'it reports a new name as taken');
    }
    if (await linkOrRefuse(folder, name, second, target)) {
      throw createUnsuitedFolderError(name, 'a name could be created twice');
    }
    await folder.disk.rename(second, target);
    const contents = await folder.disk.read(target);
    if (contents?.body.toString() !== 'second') {
      throw createUnsuitedFolderError(name, 'a rename did not replace the file');
    }
  } finally {
    for (const path of [first, second, target]) {
      await folder.disk.unlink(path).catch(() => undefined);
    }
  }
}

async function linkOrRefuse(folder: Folder, name: string, from: string, to: string): Promise<boolean> {
  try {
    return await folder.disk.link(from, to);
  } catch (error) {
    const code = readSystemCode(error);
    if (code === undefined || !noHardLinkCodes.includes(code)) {
      throw toUnreachableError(error, `Linking in the folder ${name}`);
    }
    throw createUnsuitedFolderError(name, `its file system has no hard links (${code})`, error);
  }
}

function createUnsuitedFolderError(name: string, why: string, cause?: unknown): MusterError {
  return new MusterError(
    'store-unsuited',
    `The folder ${name} cannot store runs safely: ${why}. Name a folder on a local disk or an NFS share.`,
    { cause },
  );
}
