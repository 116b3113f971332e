/** Before anything is kept in a folder: can it keep the promises? */
import { MusterError } from '../../errors.ts';
import { type Folder, makeFolder, removeOldTemporaries, temporaryPath } from './atomic-write.ts';
import { systemCode } from './disk.ts';
import { asUnreachable, namingKey } from './folder-errors.ts';

/** What a file system says that has no hard links. */
const noLinks = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV', 'EINVAL'];

export async function probeFolder(folder: Folder, name: string): Promise<void> {
  await namingKey(`Preparing the folder ${name}`, async () => {
    await makeFolder(folder, folder.path);
    await removeOldTemporaries(folder, Date.now());
    await tryPromises(folder, name);
  });
}

async function tryPromises(folder: Folder, name: string): Promise<void> {
  const [first, second, target] = [
    await temporaryPath(folder),
    await temporaryPath(folder),
    await temporaryPath(folder),
  ];
  try {
    await folder.disk.write(first, Buffer.from('first'));
    await folder.disk.write(second, Buffer.from('second'));
    if (!(await linkOrRefuse(folder, name, first, target))) throw unsuited(name, 'a new name counts as taken');
    if (await linkOrRefuse(folder, name, second, target)) throw unsuited(name, 'a name could be created twice');
    await folder.disk.rename(second, target);
    const contents = await folder.disk.read(target);
    if (contents?.body.toString() !== 'second') throw unsuited(name, 'a rename did not replace the file');
  } finally {
    for (const path of [first, second, target]) await folder.disk.unlink(path).catch(() => undefined);
  }
}

async function linkOrRefuse(folder: Folder, name: string, from: string, to: string): Promise<boolean> {
  try {
    return await folder.disk.link(from, to);
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined || !noLinks.includes(code)) throw asUnreachable(error, `Linking in the folder ${name}`);
    throw unsuited(name, `its file system has no hard links (${code})`, error);
  }
}

function unsuited(name: string, why: string, cause?: unknown): MusterError {
  return new MusterError(
    'store-unsuited',
    `The folder ${name} cannot keep runs safe: ${why}. Name a folder on a local disk or an NFS share.`,
    { cause },
  );
}
